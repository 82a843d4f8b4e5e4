package io.gpdb.sql.conversion;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.dialect.KeptValue;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.tree.ValueType;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * What may be assigned to a column. Values within a family (numbers, strings, binary) keep their
 * type, for the sink rounds and checks them, but for wide decimals, which a cast makes; other
 * allowed pairs get a cast without a length.
 */
public final class Assignment {
  private Assignment() {}

  /** The value as the sink of {@code column} takes it; throws 42804 when it cannot. */
  public static RexNode assigned(
      RexBuilder builder, RexNode value, TableDef table, ColumnDef column) {
    RelDataType from = value.getType();
    SqlTypeName name = from.getSqlTypeName();
    if (name == SqlTypeName.NULL || name == SqlTypeName.ANY) {
      return value;
    }
    SqlTypeSpec.Kind source = GpTypes.spec(from).kind();
    SqlTypeSpec.Kind target = column.type().kind();
    if (source.isNumeric()
        && target.isNumeric()
        && (source == SqlTypeSpec.Kind.WIDE_DECIMAL || target == SqlTypeSpec.Kind.WIDE_DECIMAL)) {
      RelDataType type = GpTypes.relType(column.type(), from.isNullable());
      return GpTypes.spec(from).equals(column.type())
          ? value
          : builder.makeAbstractCast(type, value, false);
    }
    if (source == target
        || (source.isNumeric() && target.isNumeric())
        || (source.isCharacter() && target.isCharacter())) {
      return value;
    }
    boolean allowed =
        switch (target) {
          case CHAR, VARCHAR -> source != SqlTypeSpec.Kind.VARBINARY;
          case DATE, TIME ->
              source.isCharacter()
                  || source == SqlTypeSpec.Kind.TIMESTAMP
                  || source == SqlTypeSpec.Kind.TIMESTAMP_TZ;
          case TIMESTAMP ->
              source.isCharacter()
                  || source == SqlTypeSpec.Kind.DATE
                  || source == SqlTypeSpec.Kind.TIMESTAMP_TZ;
          case TIMESTAMP_TZ ->
              source.isCharacter()
                  || source == SqlTypeSpec.Kind.DATE
                  || source == SqlTypeSpec.Kind.TIMESTAMP;
          case VARBINARY -> false;
          case UUID, INTERVAL_MONTHS, INTERVAL_MICROS -> source.isCharacter();
          case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL, WIDE_DECIMAL ->
              source.isCharacter();
        };
    if (!allowed) {
      throw new GpdbException(
          SqlCondition.TYPE_MISMATCH,
          "cannot assign "
              + GpTypes.spec(from)
              + " to column "
              + column.name()
              + " of table "
              + table.name()
              + ", which is "
              + column.type());
    }
    RelDataType type = GpTypes.relType(column.type().unlimited(), from.isNullable());
    return TemporalText.folded(
        builder, builder.makeAbstractCast(type, KeptValue.operand(builder, type, value), false));
  }

  /**
   * Throws 42804 where one of the values, whose types from {@code first} on are for the columns, is
   * of another distinct type than its column.
   *
   * @param types empty where there are no distinct types
   */
  public static void requireTypes(
      List<ValueType> types, int first, TableDef table, int[] columns, CatalogSnapshot catalog) {
    for (int i = 0; i < columns.length && !types.isEmpty(); i++) {
      requireType(types.get(first + i), table.column(columns[i]), catalog);
    }
  }

  public static void requireType(ValueType type, ColumnDef column, CatalogSnapshot catalog) {
    ObjectName name = column.domain();
    if (name != null && catalog.isDistinct(name)) {
      type.requireAssignable(name);
    }
  }

  /**
   * A query whose fields from {@code firstField} on are assignable to the columns; {@code defaults}
   * are added as further fields, already assignable.
   */
  public static RelRoot assigned(
      RelRoot root, int firstField, TableDef table, int[] columns, List<RexNode> defaults) {
    RelNode input = root.project();
    RexBuilder builder = input.getCluster().getRexBuilder();
    List<RexNode> fields = new ArrayList<>();
    List<String> names = new ArrayList<>();
    boolean changed = !defaults.isEmpty();
    for (int i = 0; i < input.getRowType().getFieldCount(); i++) {
      RexNode field = builder.makeInputRef(input, i);
      RexNode value =
          i < firstField
              ? field
              : assigned(builder, field, table, table.column(columns[i - firstField]));
      changed |= !value.equals(field);
      fields.add(value);
      names.add(input.getRowType().getFieldNames().get(i));
    }
    for (RexNode value : defaults) {
      names.add("D" + fields.size());
      fields.add(value);
    }
    RelNode tree =
        changed
            ? LogicalProject.create(input, List.of(), fields, names, java.util.Set.of())
            : input;
    return RelRoot.of(tree, SqlKind.SELECT);
  }
}
