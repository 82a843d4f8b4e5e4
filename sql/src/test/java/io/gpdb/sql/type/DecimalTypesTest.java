package io.gpdb.sql.type;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;
import org.junit.jupiter.api.Test;

/** The types that Calcite derives of exact numbers by {@link GpTypeSystem}, for all pairs. */
class DecimalTypesTest {
  private static final RelDataTypeFactory TYPES = GpTypes.FACTORY;

  @Test
  void typesAreThoseThatCalciteDerives() {
    List<SqlTypeSpec> exact = new ArrayList<>(List.of(SqlTypeSpec.INTEGER, SqlTypeSpec.BIGINT));
    for (int digits = 1; digits <= SqlTypeSpec.DECIMAL_DIGITS_MAX; digits += digits < 18 ? 1 : 5) {
      for (int scale = 0; scale <= digits; scale++) {
        exact.add(SqlTypeSpec.decimal(digits, scale));
      }
    }
    GpTypeSystem system = GpTypeSystem.INSTANCE;
    for (SqlTypeSpec a : exact) {
      for (SqlTypeSpec b : exact) {
        if (!a.kind().isDecimal() && !b.kind().isDecimal()) {
          continue;
        }
        RelDataType left = type(a);
        RelDataType right = type(b);
        String pair = a + " and " + b;
        assertThat(spec(system.deriveDecimalPlusType(TYPES, left, right)))
            .as("sum of %s", pair)
            .isEqualTo(DecimalTypes.sum(a, b));
        assertThat(spec(system.deriveDecimalMultiplyType(TYPES, left, right)))
            .as("product of %s", pair)
            .isEqualTo(DecimalTypes.product(a, b));
        assertThat(spec(system.deriveDecimalDivideType(TYPES, left, right)))
            .as("quotient of %s", pair)
            .isEqualTo(DecimalTypes.quotient(a, b));
        assertThat(spec(TYPES.leastRestrictive(List.of(left, right))))
            .as("common type of %s", pair)
            .isEqualTo(DecimalTypes.common(a, b));
      }
    }
  }

  private static RelDataType type(SqlTypeSpec spec) {
    return switch (spec.kind()) {
      case INTEGER -> TYPES.createSqlType(SqlTypeName.INTEGER);
      case BIGINT -> TYPES.createSqlType(SqlTypeName.BIGINT);
      default -> TYPES.createSqlType(SqlTypeName.DECIMAL, spec.precision(), spec.scale());
    };
  }

  private static SqlTypeSpec spec(RelDataType type) {
    return GpTypes.spec(type);
  }
}
