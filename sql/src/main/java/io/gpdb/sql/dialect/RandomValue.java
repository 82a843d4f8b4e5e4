package io.gpdb.sql.dialect;

import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** A random UUID, another one for each row; calls of it replace what is written. */
public final class RandomUuid extends SqlFunction {
  public static final String NAME = "$RANDOM_UUID";

  /** What texts call it: PostgreSQL's name, H2's, and that of MySQL and MariaDB. */
  public static final Set<String> WRITTEN = Set.of("GEN_RANDOM_UUID", "RANDOM_UUID", "UUID");

  private static final RandomUuid FUNCTION = new RandomUuid();

  private RandomUuid() {
    super(
        NAME,
        SqlKind.OTHER_FUNCTION,
        binding -> GpTypes.relType(SqlTypeSpec.UUID, false),
        null,
        OperandTypes.NILADIC,
        SqlFunctionCategory.SYSTEM);
  }

  public static SqlCall call(SqlParserPos position) {
    return FUNCTION.createCall(position);
  }

  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    RelDataType type = GpTypes.relType(SqlTypeSpec.UUID, false);
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
