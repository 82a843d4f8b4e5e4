package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.planner.run.FieldsSource;
import io.gpdb.sql.type.ExactComparisons;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * The keys of a join, brought to one type on both sides. Exact numbers that no type of 18 digits
 * holds together meet in the coarser of both scales: a number with more digits after the point has
 * no partner, so its key is NULL. A key that kernels cannot compute becomes a field of its input.
 *
 * <pre>
 *   x BIGINT, y DECIMAL(18, 2)    x = y    becomes    x = CASE WHEN CAST(y AS BIGINT) = y
 *                                                          THEN CAST(y AS BIGINT) END
 * </pre>
 */
final class JoinKeys {
  private final TreeMapper mapper;
  private final RexBuilder rexBuilder;
  private final Side left;
  private final Side right;

  JoinKeys(TreeMapper mapper, Source left, Source right) {
    this.mapper = mapper;
    this.rexBuilder = mapper.rexBuilder();
    this.left = new Side(left);
    this.right = new Side(right);
  }

  /** An input and its keys; {@code computed} are those that kernels cannot compute. */
  private final class Side {
    final Source input;
    final List<RexNode> keys = new ArrayList<>();
    final List<RexNode> computed = new ArrayList<>();

    Side(Source input) {
      this.input = input;
    }

    RexNode field(int index) {
      return mapper.ref(input.columns().get(index), index);
    }

    SqlTypeSpec type(int index) {
      return input.types().get(index);
    }

    void add(RexNode key) throws NotCovered {
      if (inKernel(key)) {
        keys.add(key);
      } else {
        int field = input.columns().size() + computed.size();
        keys.add(rexBuilder.makeInputRef(key.getType(), field));
        computed.add(key);
      }
    }

    private boolean inKernel(RexNode key) {
      try {
        new KernelExpressions(input.types(), rexBuilder).compile(key);
        return true;
      } catch (NotCovered e) {
        return false;
      }
    }

    /** The input with the computed keys as its last fields. */
    Source source() throws NotCovered {
      if (computed.isEmpty()) {
        return input;
      }
      List<RexNode> fields = new ArrayList<>(mapper.fields(input));
      List<SourceColumn> columns = new ArrayList<>(input.columns());
      for (RexNode key : computed) {
        SqlTypeSpec type = RexValues.spec(key.getType());
        fields.add(key);
        columns.add(new SourceColumn("key", type, key.getType().isNullable()));
      }
      return mapper.dense(mapper.identity(input).projected(fields, columns));
    }
  }

  /** Adds an equality of two fields. */
  void add(int leftField, int rightField) throws NotCovered {
    if (!isOfOneType(leftField, rightField)
        && ExactComparisons.lackCommonType(left.type(leftField), right.type(rightField))) {
      RelDataType common = exact(left.type(leftField), right.type(rightField));
      left.add(held(left.field(leftField), left.type(leftField), common));
      right.add(held(right.field(rightField), right.type(rightField), common));
    } else {
      addOfOneType(leftField, rightField);
    }
  }

  /** Adds an equality of two fields for which a key is NULL only where the field is. */
  void addOfOneType(int leftField, int rightField) throws NotCovered {
    RexNode x = left.field(leftField);
    RexNode y = right.field(rightField);
    if (!isOfOneType(leftField, rightField)) {
      RelDataType common =
          rexBuilder.getTypeFactory().leastRestrictive(List.of(x.getType(), y.getType()));
      SqlTypeSpec a = left.type(leftField);
      SqlTypeSpec b = right.type(rightField);
      if (common == null || ExactComparisons.lackCommonType(a, b)) {
        throw new NotCovered("join of " + a + " with " + b);
      }
      x = rexBuilder.makeAbstractCast(common, x, false);
      y = rexBuilder.makeAbstractCast(common, y, false);
    }
    left.add(x);
    right.add(y);
  }

  /** The widest type with the fewer digits after the point of both. */
  private static RelDataType exact(SqlTypeSpec a, SqlTypeSpec b) {
    int scale = Math.min(a.scale(), b.scale());
    boolean wide = a.kind() == Kind.WIDE_DECIMAL || b.kind() == Kind.WIDE_DECIMAL;
    boolean integer = !a.kind().isDecimal() || !b.kind().isDecimal();
    SqlTypeSpec type =
        wide
            ? SqlTypeSpec.decimal(SqlTypeSpec.DECIMAL_DIGITS_MAX, scale)
            : integer
                ? SqlTypeSpec.BIGINT
                : SqlTypeSpec.decimal(SqlTypeSpec.NARROW_DIGITS_MAX, scale);
    return GpTypes.relType(type, true);
  }

  /** The value in the common type, NULL where that has no such value. */
  private RexNode held(RexNode value, SqlTypeSpec type, RelDataType common) throws NotCovered {
    SqlTypeSpec key = RexValues.spec(common);
    if (isOfOneType(type, key)) {
      return value;
    }
    RexNode cast = rexBuilder.makeAbstractCast(common, value, false);
    return type.scale() <= key.scale()
        ? cast
        : rexBuilder.makeCall(
            SqlStdOperatorTable.CASE,
            rexBuilder.makeCall(SqlStdOperatorTable.EQUALS, cast, value),
            cast,
            rexBuilder.makeNullLiteral(common));
  }

  private boolean isOfOneType(int leftField, int rightField) {
    return isOfOneType(left.type(leftField), right.type(rightField));
  }

  /** Whether equal values have equal elements. */
  private static boolean isOfOneType(SqlTypeSpec a, SqlTypeSpec b) {
    return (isText(a) && isText(b)) || (a.kind() == b.kind() && a.scale() == b.scale());
  }

  /** Whether it is a string of characters or bytes, whose codes are those of any such string. */
  private static boolean isText(SqlTypeSpec type) {
    return type.kind().isCharacter() || type.kind() == Kind.VARBINARY;
  }

  /** The left input with its keys. */
  Source left() throws NotCovered {
    return left.source();
  }

  /** The right input with its keys. */
  Source right() throws NotCovered {
    return right.source();
  }

  List<RexNode> ofLeft() {
    return left.keys;
  }

  List<RexNode> ofRight() {
    return right.keys;
  }

  /** What a join of the inputs with their keys returns, without the fields that are keys. */
  Source without(Source joined) {
    int width = left.input.columns().size();
    int all = width + left.computed.size();
    int kept = joined.columns().size();
    if (all < kept) {
      kept -= right.computed.size();
    }
    if (left.computed.isEmpty() && kept == joined.columns().size()) {
      return joined;
    }
    int[] fields =
        IntStream.range(0, kept).filter(field -> field < width || field >= all).toArray();
    List<SourceColumn> columns = new ArrayList<>();
    for (int field : fields) {
      columns.add(joined.columns().get(field));
    }
    return new FieldsSource(joined, fields, columns);
  }
}
