package io.gpdb.planner.rewrite;

import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.tree.DependentCalc;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * Of which stored columns some fields of a tree have the values: their own, and those that inner
 * joins below hold them equal to. So it shows which tables have a key among the fields.
 */
final class FieldOrigins {
  /** By scan, the columns that fields have, and which fields those are. */
  private final Map<TableScan, OfScan> scans = new LinkedHashMap<>();

  /** The columns of one scan among the fields. */
  static final class OfScan {
    final TableScan scan;
    private final TableDef table;
    private final BitSet columns = new BitSet();
    private final Map<Integer, BitSet> fieldsOf = new HashMap<>();

    private OfScan(TableScan scan, TableDef table) {
      this.scan = scan;
      this.table = table;
    }

    /** The fields that make up a key of the table; empty where none is among them. */
    BitSet key() {
      for (KeyDef key : table.keys()) {
        if (hasAll(key.columns())) {
          return fieldsOf(key.columns());
        }
      }
      for (IndexDef index : table.indexes()) {
        if (index.unique() && hasAll(index.columns())) {
          return fieldsOf(index.columns());
        }
      }
      return new BitSet();
    }

    /** The fields that have a value of this scan. */
    BitSet fields() {
      BitSet all = new BitSet();
      fieldsOf.values().forEach(all::or);
      return all;
    }

    private boolean hasAll(int[] wanted) {
      for (int column : wanted) {
        if (!columns.get(column)) {
          return false;
        }
      }
      return true;
    }

    private BitSet fieldsOf(int[] wanted) {
      BitSet found = new BitSet();
      for (int column : wanted) {
        found.or(fieldsOf.get(column));
      }
      return found;
    }
  }

  private FieldOrigins() {}

  /** Those of the fields of a tree. */
  static List<OfScan> of(RelNode tree, Iterable<Integer> fields) {
    FieldOrigins origins = new FieldOrigins();
    for (int field : fields) {
      origins.add(tree, field, field);
    }
    return new ArrayList<>(origins.scans.values());
  }

  private void add(RelNode tree, int field, int asked) {
    switch (tree) {
      case TableScan scan -> {
        GpTable table = scan.getTable().unwrap(GpTable.class);
        if (table != null && !table.isHostTable() && field < table.table().columns().size()) {
          OfScan known = scans.computeIfAbsent(scan, s -> new OfScan(s, table.table()));
          known.columns.set(field);
          known.fieldsOf.computeIfAbsent(field, c -> new BitSet()).set(asked);
        }
      }
      case Filter filter -> add(filter.getInput(), field, asked);
      case AskedForTree below -> add(below.getInput(), field, asked);
      case Sort sort -> add(sort.getInput(), field, asked);
      case DependentCalc calc when calc.condition() != null -> add(calc.getInput(), field, asked);
      case Project project when project.getProjects().get(field) instanceof RexInputRef below ->
          add(project.getInput(), below.getIndex(), asked);
      case Aggregate aggregate when field < aggregate.getGroupCount() ->
          add(aggregate.getInput(), aggregate.getGroupSet().nth(field), asked);
      case Join join -> addOfJoin(join, field, asked);
      default -> {
        // computed, or of something that is no table
      }
    }
  }

  private void addOfJoin(Join join, int field, int asked) {
    BitSet equal = new BitSet();
    equal.set(field);
    if (join.getJoinType() == JoinRelType.INNER) {
      addEqual(RelOptUtil.conjunctions(join.getCondition()), equal);
    }
    int width = join.getLeft().getRowType().getFieldCount();
    equal.stream()
        .forEach(
            each -> {
              if (each < width) {
                add(join.getLeft(), each, asked);
              } else {
                add(join.getRight(), each - width, asked);
              }
            });
  }

  /** Adds the fields that conditions hold equal to one of those. */
  private static void addEqual(List<RexNode> conditions, BitSet equal) {
    for (int before = 0; before != equal.cardinality(); ) {
      before = equal.cardinality();
      for (RexNode condition : conditions) {
        if (condition.getKind() == SqlKind.EQUALS
            && ((RexCall) condition).getOperands().get(0) instanceof RexInputRef a
            && ((RexCall) condition).getOperands().get(1) instanceof RexInputRef b
            && (equal.get(a.getIndex()) || equal.get(b.getIndex()))) {
          equal.set(a.getIndex());
          equal.set(b.getIndex());
        }
      }
    }
  }
}
