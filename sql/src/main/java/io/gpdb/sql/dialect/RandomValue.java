package io.gpdb.sql.dialect;

import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.Map;
import java.util.Objects;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** A random value, another one for each row; calls of it replace what is written. */
public final class RandomValue extends SqlFunction {
  public static final String UUID = "$RANDOM_UUID";

  /** From 0 to below 1. */
  public static final String SHARE = "$RANDOM_SHARE";

  /**
   * By what texts call them: PostgreSQL's name for a UUID, H2's, and that of MySQL and MariaDB; the
   * name that all but PostgreSQL, DuckDB and SQLite have for a share.
   */
  private static final Map<String, RandomValue> WRITTEN =
      Map.of(
          "GEN_RANDOM_UUID", new RandomValue(UUID, SqlTypeSpec.UUID),
          "RANDOM_UUID", new RandomValue(UUID, SqlTypeSpec.UUID),
          "UUID", new RandomValue(UUID, SqlTypeSpec.UUID),
          "RAND", new RandomValue(SHARE, SqlTypeSpec.DOUBLE));

  private final RelDataType type;

  private RandomValue(String name, SqlTypeSpec type) {
    super(
        name,
        SqlKind.OTHER_FUNCTION,
        binding -> GpTypes.relType(type, false),
        null,
        OperandTypes.NILADIC,
        SqlFunctionCategory.SYSTEM);
    this.type = GpTypes.relType(type, false);
  }

  /** Whether texts call one so. */
  public static boolean isWritten(String name) {
    return WRITTEN.containsKey(name);
  }

  public static SqlCall call(String written, SqlParserPos position) {
    return Objects.requireNonNull(WRITTEN.get(written), written).createCall(position);
  }

  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    validator.setValidatedNodeType(call, type);
    return type;
  }

  @Override
  public boolean isDeterministic() {
    return false;
  }

  @Override
  public boolean isDynamicFunction() {
    return true;
  }
}
