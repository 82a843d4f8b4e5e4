package io.gpdb.sql.change;

import io.gpdb.sql.conversion.GeneratedValues;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.GeneratedColumn;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * The generated columns that an UPDATE changes, as more columns that it sets. Its query has, after
 * the row id and the new values of the columns that are set, the old values of others that are
 * needed; above it, the values of the generated columns take the place of those.
 *
 * <pre>
 *   project _ROWID, new values, generated values
 *     project _ROWID, new values, old values
 * </pre>
 */
public final class GeneratedUpdate {
  private final TableDef table;
  private final int[] set;
  private final int[] old;
  private final List<GeneratedColumn> generated;
  private final BitSet used;

  private GeneratedUpdate(TableDef table, int[] set, List<GeneratedColumn> generated) {
    this.table = table;
    this.set = set;
    this.generated = generated;
    this.used = GeneratedValues.used(generated);
    BitSet unset = (BitSet) used.clone();
    Arrays.stream(set).forEach(unset::clear);
    this.old = unset.stream().toArray();
  }

  /** Of the columns that the statement sets, generated ones among them to their DEFAULT. */
  static GeneratedUpdate of(TableDef table, int[] columns) {
    int[] set = IntStream.of(columns).filter(c -> table.column(c).generatedSql() == null).toArray();
    return new GeneratedUpdate(table, set, GeneratedValues.changing(table, columns));
  }

  /** Of a branch of MERGE that updates nothing. */
  static GeneratedUpdate none(TableDef table, int[] columns) {
    return new GeneratedUpdate(table, columns, List.of());
  }

  /** Sets the generated columns alone that are computed of the columns, which have new values. */
  static GeneratedUpdate after(TableDef table, int[] columns) {
    return new GeneratedUpdate(table, new int[0], GeneratedValues.changing(table, columns));
  }

  /** Refuses what would be computed for a generated column once more, and be another value. */
  void requireOnce(Assignments assigned) {
    for (int i = 0; i < assigned.columns().length; i++) {
      requireOnce(assigned.columns()[i], assigned.values().get(i));
    }
  }

  private void requireOnce(int column, SqlNode value) {
    if (used.get(column) && differs(value)) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "what differs each time it is computed (a number of a sequence) for column "
              + table.column(column).name()
              + ", of which a generated column is computed"
              + TableNames.at(value));
    }
  }

  private static boolean differs(SqlNode value) {
    boolean[] found = {false};
    value.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            found[0] |= !call.getOperator().isDeterministic();
            return super.visit(call);
          }
        });
    return found[0];
  }

  /** Items of the query, behind the new values. */
  List<SqlNode> oldValues(TargetRows target) {
    return oldValues(target, "$O");
  }

  List<SqlNode> oldValues(TargetRows target, String prefix) {
    List<SqlNode> items = new ArrayList<>();
    SqlParserPos at = SqlParserPos.ZERO;
    for (int column : old) {
      items.add(
          SqlStdOperatorTable.AS.createCall(
              at,
              new SqlIdentifier(List.of(target.alias(), target.column(column)), at),
              new SqlIdentifier(prefix + column, at)));
    }
    return items;
  }

  /** The columns of the query's fields behind the row id. */
  int[] fields() {
    return IntStream.concat(IntStream.of(set), IntStream.of(old)).toArray();
  }

  /** The columns that the statement stores. */
  int[] columns() {
    return IntStream.concat(IntStream.of(set), generated.stream().mapToInt(GeneratedColumn::column))
        .toArray();
  }

  /** The generated columns over a query that has the fields from one on. */
  List<RexNode> computed(RelNode input, int firstField) {
    RexBuilder builder = input.getCluster().getRexBuilder();
    int[] fields = fields();
    int[] fieldOf = new int[table.columns().size()];
    for (int i = 0; i < fields.length; i++) {
      fieldOf[fields[i]] = firstField + i;
    }
    return computed(builder, column -> builder.makeInputRef(input, fieldOf[column]));
  }

  /** The generated columns of the values that their columns get, or have. */
  List<RexNode> computed(RexBuilder builder, IntFunction<RexNode> values) {
    return generated.stream()
        .map(each -> GeneratedValues.over(builder, each, table, values))
        .toList();
  }

  /** The query with the values of all columns that are stored. */
  RelRoot computed(RelRoot root) {
    if (generated.isEmpty()) {
      return root;
    }
    RelNode input = root.project();
    List<RexNode> values = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i <= set.length; i++) {
      values.add(input.getCluster().getRexBuilder().makeInputRef(input, i));
      names.add(input.getRowType().getFieldNames().get(i));
    }
    values.addAll(computed(input, 1));
    generated.forEach(each -> names.add("$G" + each.column()));
    return RelRoot.of(
        LogicalProject.create(input, List.of(), values, names, Set.of()), SqlKind.SELECT);
  }
}
