package io.gpdb.planner.definition;

import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.AlterAction;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * ALTER COLUMN with another type. Without USING every value must be the same in the new type: a
 * number or a time that would be rounded, and a string that would be cut, are errors.
 */
final class AlterColumnType {
  private final AlteredTable altered;
  private final AlterAction.SetType set;
  private final int index;
  private final ColumnDef before;
  private final ColumnDef after;

  AlterColumnType(AlteredTable altered, AlterAction.SetType set) {
    this.altered = altered;
    this.set = set;
    index = altered.column(set.column());
    before = altered.table().column(index);
    after = before.withType(set.type());
  }

  void apply() {
    if (after.equals(before) && set.using() == null) {
      return;
    }
    TableReaders readers = new TableReaders(altered);
    readers.requireNoView(set.column(), "change the type of");
    boolean asStored = set.using() == null && takesAllValues();
    if (asStored) {
      readers.requireNoGenerated(set.column(), "ALTER");
    } else {
      readers.requireNoExpression(set.column(), "ALTER");
    }
    readers.requireNoForeignKey(set.column(), "ALTER");
    if (before.generatedSql() != null || before.identity() != null) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "another type for the generated or identity column "
              + before.name()
              + " is not supported");
    }
    for (IndexDef of : altered.table().indexes()) {
      if (IntStream.of(of.columns()).anyMatch(c -> c == index)) {
        ChangeIndex.requireIndexable(of.kind(), after);
      }
    }
    var _ = altered.defaultOf(after);
    TableDef table = altered.table().withColumns(altered.with(index, after));
    String using = set.using();
    if (asStored) {
      requireChecks(table, readers.checksOf(set.column()));
      altered.redefine(table);
      return;
    }
    List<String> expressions = altered.columnExpressions();
    expressions.set(index, using == null ? converted() : "(" + using + "\n)");
    altered.compute(table, expressions);
  }

  /** Throws where a constraint of a column of the new type is FALSE for a row, or no condition. */
  private void requireChecks(TableDef table, List<CheckDef> checks) {
    if (!checks.isEmpty()) {
      altered.fence();
    }
    checks.forEach(check -> altered.statements().validate(altered.execution(), table, check));
  }

  /** Whether the column is stored as before and can only have more values than before. */
  private boolean takesAllValues() {
    SqlTypeSpec from = before.type();
    SqlTypeSpec to = after.type();
    boolean longer =
        to.kind() == SqlTypeSpec.Kind.VARCHAR || to.kind() == SqlTypeSpec.Kind.VARBINARY;
    boolean moreDigits =
        (to.kind() == SqlTypeSpec.Kind.DECIMAL || to.kind() == SqlTypeSpec.Kind.WIDE_DECIMAL)
            && from.scale() == to.scale();
    boolean unbounded = longer && to.precision() == SqlTypeSpec.UNBOUNDED;
    boolean notLess =
        (longer || moreDigits)
            && from.precision() != SqlTypeSpec.UNBOUNDED
            && from.precision() <= to.precision();
    return from.equals(to) || (from.kind() == to.kind() && (unbounded || notLess));
  }

  /** The values in the new type, each known to be the same as before. */
  private String converted() {
    SqlTypeSpec.Kind from = before.type().kind();
    SqlTypeSpec.Kind to = after.type().kind();
    String column = AlteredTable.quoted(before.name());
    if (to.isCharacter() && from != SqlTypeSpec.Kind.VARBINARY) {
      return from.isCharacter() ? column : "CAST(" + column + " AS VARCHAR)";
    }
    boolean comparable =
        (from.isNumeric() && to.isNumeric())
            || (from == to && !to.isString())
            || (isDay(from) && isDay(to));
    if (comparable) {
      requireSame(column);
    } else if (from != to) {
      throw new GpdbException(
          SqlCondition.TYPE_MISMATCH,
          "column %s of table %s is %s: USING must say how it becomes %s"
              .formatted(before.name(), altered.table().name(), before.type(), after.type()));
    }
    return column;
  }

  private static boolean isDay(SqlTypeSpec.Kind kind) {
    return kind == SqlTypeSpec.Kind.DATE || kind == SqlTypeSpec.Kind.TIMESTAMP;
  }

  private void requireSame(String column) {
    altered.fence();
    long others = altered.rowsWhere("CAST(" + column + " AS " + after.type() + ") <> " + column);
    if (others > 0) {
      throw new GpdbException(
          ErrorCode.NUMERIC_OUT_OF_RANGE,
          "column %s of table %s has values that %s cannot represent: rows=%d; USING says how they are converted"
              .formatted(before.name(), altered.table().name(), after.type(), others));
    }
  }
}
