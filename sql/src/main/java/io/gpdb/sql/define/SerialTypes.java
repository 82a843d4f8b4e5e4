package io.gpdb.sql.define;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.Map;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;
import org.jspecify.annotations.Nullable;

/** Names of types that make a column an identity column: PostgreSQL's SERIAL, H2's IDENTITY. */
public final class SerialTypes {
  private static final Map<String, SqlTypeSpec> TYPES =
      Map.ofEntries(
          Map.entry("SERIAL", SqlTypeSpec.INTEGER),
          Map.entry("SERIAL4", SqlTypeSpec.INTEGER),
          Map.entry("BIGSERIAL", SqlTypeSpec.BIGINT),
          Map.entry("SERIAL8", SqlTypeSpec.BIGINT),
          Map.entry("SMALLSERIAL", SqlTypeSpec.SMALLINT),
          Map.entry("SERIAL2", SqlTypeSpec.SMALLINT),
          Map.entry("IDENTITY", SqlTypeSpec.BIGINT));

  private SerialTypes() {}

  /** The type of the numbers; null for any other type. */
  static @Nullable SqlTypeSpec of(SqlDataTypeSpec declared) {
    return declared.getTypeNameSpec() instanceof SqlUserDefinedTypeNameSpec named
        ? TYPES.get(named.getTypeName().names.getLast())
        : null;
  }
}
