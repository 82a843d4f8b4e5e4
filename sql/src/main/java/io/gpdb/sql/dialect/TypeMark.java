package io.gpdb.sql.dialect;

import io.gpdb.sql.definition.ObjectName;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * Says of a value that it was cast to a distinct type, or from one to its source; the value stays
 * as it is. Trees have such marks until it is known that the types of all values fit.
 */
public final class TypeMark extends SqlFunction {
  private final @Nullable ObjectName from;
  private final @Nullable ObjectName type;

  private TypeMark(String name, @Nullable ObjectName from, @Nullable ObjectName type) {
    super(
        name,
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.ARG0,
        null,
        OperandTypes.ANY,
        SqlFunctionCategory.SYSTEM);
    this.from = from;
    this.type = type;
  }

  /** The value as one of the distinct type. */
  public static SqlNode distinct(SqlNode value, ObjectName type) {
    return marked(new TypeMark("$DISTINCT " + type, null, type), value);
  }

  /** The value as one of a type of SQL, of whatever type it is. */
  public static SqlNode source(SqlNode value) {
    return marked(new TypeMark("$SOURCE", null, null), value);
  }

  /** The value, of the distinct type alone, as one of its source type. */
  public static SqlNode source(SqlNode value, ObjectName from) {
    return marked(new TypeMark("$SOURCE " + from, from, null), value);
  }

  private static SqlNode marked(TypeMark mark, SqlNode value) {
    return mark.createCall(value.getParserPosition(), List.of(value));
  }

  /** The distinct type that the value must have had; null where it may have been of others. */
  public @Nullable ObjectName from() {
    return from;
  }

  /** The distinct type that the value has; null for a type of SQL. */
  public @Nullable ObjectName type() {
    return type;
  }

  /** No table of functions has it: its type is that of the value. */
  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    RelDataType type = validator.deriveType(scope, call.operand(0));
    validator.setValidatedNodeType(call, type);
    return type;
  }
}
