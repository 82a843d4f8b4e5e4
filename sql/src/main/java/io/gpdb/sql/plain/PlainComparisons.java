package io.gpdb.sql.plain;

import io.gpdb.sql.type.ExactComparisons;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** Comparisons of exact numbers and of texts, with the casts that Calcite's validator adds. */
final class PlainComparisons {
  private final RexBuilder builder;

  PlainComparisons(RexBuilder builder) {
    this.builder = builder;
  }

  /** The comparison of two values, of which null is NULL. */
  RexNode of(SqlKind kind, @Nullable RexNode left, @Nullable RexNode right) {
    if (left == null || right == null) {
      return unknown(left == null ? right : left);
    }
    if (areComparedAsTheyAre(kind, left, right)) {
      return ExactComparisons.compared(builder, kind, left, right);
    }
    if (!isText(left) || !isText(right)) {
      requireNumber(left);
      requireNumber(right);
      if ((isFloat(left) && isDecimal(right)) || (isDecimal(left) && isFloat(right))) {
        throw NotPlain.here();
      }
    }
    if (ExactComparisons.lackCommonType(left.getType(), right.getType())) {
      throw NotPlain.here();
    }
    RexNode a = left;
    RexNode b = right;
    if (!SqlTypeUtil.equalSansNullability(
        builder.getTypeFactory(), left.getType(), right.getType())) {
      RelDataType common =
          builder.getTypeFactory().leastRestrictive(List.of(left.getType(), right.getType()));
      a = builder.ensureType(Objects.requireNonNull(common), left, true);
      b = builder.ensureType(common, right, true);
    }
    return ExactComparisons.compared(builder, kind, a, b);
  }

  /** A comparison with NULL, which Calcite leaves out. */
  private RexNode unknown(@Nullable RexNode other) {
    if (other != null) {
      if (!isText(other)) {
        requireNumber(other);
      }
      if (RexUtil.SubQueryFinder.find(other) != null) {
        throw NotPlain.here();
      }
    }
    return builder.makeNullLiteral(builder.getTypeFactory().createSqlType(SqlTypeName.BOOLEAN));
  }

  /** Several values that are compared with one would all get one type. */
  void requireSame(@Nullable RexNode value, List<? extends @Nullable RexNode> others) {
    RelDataType one = null;
    for (RexNode other : others) {
      if (other != null) {
        RelDataType common = common(value == null ? other : value, other);
        if (one != null && !SqlTypeUtil.equalSansNullability(one, common)) {
          throw NotPlain.here();
        }
        one = common;
      }
    }
  }

  /** The type that two values get where they are compared with others, too. */
  private RelDataType common(RexNode a, RexNode b) {
    if (isText(a) && isText(b)) {
      return Objects.requireNonNull(
          builder.getTypeFactory().leastRestrictive(List.of(a.getType(), b.getType())));
    }
    if (a.getType().getSqlTypeName() != b.getType().getSqlTypeName()) {
      throw NotPlain.here();
    }
    return a.getType();
  }

  static boolean isText(RexNode value) {
    return switch (value.getType().getSqlTypeName()) {
      case CHAR, VARCHAR -> true;
      default -> false;
    };
  }

  /** Whether no cast makes one type of two: CHARs are padded, and in order limits do not matter. */
  private static boolean areComparedAsTheyAre(SqlKind kind, RexNode left, RexNode right) {
    boolean inOrder = kind != SqlKind.EQUALS && kind != SqlKind.NOT_EQUALS;
    return isText(left)
        && isText(right)
        && ((isChar(left) && isChar(right))
            || (inOrder && (isUnlimited(left) || isUnlimited(right))));
  }

  private static boolean isChar(RexNode value) {
    return value.getType().getSqlTypeName() == SqlTypeName.CHAR;
  }

  private static boolean isUnlimited(RexNode text) {
    return text.getType().getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED;
  }

  private static boolean isFloat(RexNode value) {
    SqlTypeName type = value.getType().getSqlTypeName();
    return type == SqlTypeName.REAL || type == SqlTypeName.DOUBLE;
  }

  private static boolean isDecimal(RexNode value) {
    return value.getType().getSqlTypeName() == SqlTypeName.DECIMAL;
  }

  private static void requireNumber(RexNode value) {
    switch (value.getType().getSqlTypeName()) {
      case INTEGER, BIGINT, REAL, DOUBLE, DECIMAL -> {}
      default -> throw NotPlain.here();
    }
  }
}
