package io.gpdb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.tree.RowFacts;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.JaninoRelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.metadata.RelMetadataQueryBase;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of rows is held against Calcite's own metadata, which knows more. */
class RowFactsTest {
  private final RowFacts facts = RowFacts.create();

  private static RelNode tree(String sql) {
    return ((Analyzed.Query) SampleCatalog.analyze(sql)).root().rel;
  }

  private static List<RelNode> nodes(RelNode tree) {
    List<RelNode> all = new ArrayList<>();
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
        all.add(node);
        super.visit(node, ordinal, parent);
      }
    }.go(tree);
    return all;
  }

  private static RelMetadataQuery calcites() {
    RelMetadataQueryBase.THREAD_PROVIDERS.set(
        JaninoRelMetadataProvider.of(DefaultRelMetadataProvider.INSTANCE));
    return RelMetadataQuery.instance();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id, a FROM t WHERE b > 1",
        "SELECT a, b, count(*) FROM t GROUP BY a, b",
        "SELECT count(*), a + 1, a FROM t GROUP BY a HAVING count(*) > 2 ORDER BY 1",
        "SELECT b, a, b + 1 FROM (SELECT DISTINCT a, b FROM t) AS x WHERE a < 4 ORDER BY b LIMIT 3",
        "SELECT a, count(*) FROM t GROUP BY ROLLUP (a)",
        "SELECT count(*) FROM t GROUP BY GROUPING SETS ((), ())",
        "SELECT max(a) + 1, min(b) FROM t WHERE id > 7",
        "SELECT 1, 2",
        "SELECT a FROM t UNION SELECT id FROM u",
        "SELECT a, b FROM t UNION ALL SELECT id, t_id FROM u",
        "SELECT a FROM t INTERSECT SELECT t_id FROM u",
        "SELECT a FROM t EXCEPT ALL SELECT t_id FROM u",
        "VALUES (1, 'a'), (2, 'b'), (2, 'c')",
        "SELECT t.a, u.d FROM t JOIN u ON t.id = u.t_id",
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id)",
        "SELECT x.n, t.a FROM (SELECT count(*) AS n FROM u) AS x, t",
        "SELECT a, sum(b) OVER (PARTITION BY a) FROM t"
      })
  void whatIsKnownIsKnownToCalcite(String sql) {
    RelMetadataQuery calcites = calcites();
    for (RelNode node : nodes(tree(sql))) {
      assertThat(calcites.getMaxRowCount(node))
          .as(node.toString())
          .isLessThanOrEqualTo(facts.getMaxRowCount(node));
      int columns = node.getRowType().getFieldCount();
      for (long set = 0; set < 1L << columns; set++) {
        ImmutableBitSet asked = ImmutableBitSet.of(bits(set));
        if (facts.areColumnsUnique(node, asked)) {
          assertThat(calcites.areColumnsUnique(node, asked)).as("%s of %s", asked, node).isTrue();
        }
      }
    }
  }

  private static Iterable<Integer> bits(long set) {
    List<Integer> bits = new ArrayList<>();
    for (int i = 0; i < Long.SIZE; i++) {
      if ((set >> i & 1) != 0) {
        bits.add(i);
      }
    }
    return bits;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT DISTINCT a, n FROM (SELECT a, count(*) AS n FROM t GROUP BY a) AS x",
        "SELECT DISTINCT n, a FROM (SELECT a, count(*) AS n FROM t GROUP BY a ORDER BY n) AS x",
        "SELECT DISTINCT count(*), sum(a) FROM t"
      })
  void rowsThatDifferAreNotGroupedAgain(String sql) {
    assertThat(nodes(tree(sql)).stream().filter(Aggregate.class::isInstance)).hasSize(1);
  }

  @Test
  void rowsThatMayBeEqualAreGrouped() {
    String sql = "SELECT DISTINCT n FROM (SELECT a, count(*) AS n FROM t GROUP BY a) AS x";
    assertThat(nodes(tree(sql)).stream().filter(Aggregate.class::isInstance)).hasSize(2);
  }
}
