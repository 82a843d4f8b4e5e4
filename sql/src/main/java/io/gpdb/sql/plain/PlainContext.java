package io.gpdb.sql.plain;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.tree.WrittenRows;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.tools.RelBuilder;

/** What all SELECTs of one statement share. */
final class PlainContext {
  private final CatalogSnapshot catalog;
  private final RelOptCluster cluster;
  private final RelBuilder rows;
  private final SortedMap<Integer, RelDataType> parameters = new TreeMap<>();
  private final Set<Integer> limits = new HashSet<>();

  PlainContext(CatalogSnapshot catalog, RelOptCluster cluster) {
    this.catalog = catalog;
    this.cluster = cluster;
    rows = WrittenRows.builder(cluster);
  }

  CatalogSnapshot catalog() {
    return catalog;
  }

  RelOptCluster cluster() {
    return cluster;
  }

  RexBuilder rex() {
    return cluster.getRexBuilder();
  }

  RelBuilder rows() {
    return rows;
  }

  /** A condition of WHERE or HAVING, each part of it once. */
  RexNode condition(RexNode written) {
    RexNode plain = RexUtil.removeNullabilityCast(rex().getTypeFactory(), written);
    return RexUtil.composeConjunction(rex(), RelOptUtil.conjunctions(plain));
  }

  /** The types of the parameters, by their numbers. */
  SortedMap<Integer, RelDataType> parameters() {
    return parameters;
  }

  /** The numbers of those parameters that are numbers of rows. */
  Set<Integer> limits() {
    return limits;
  }
}
