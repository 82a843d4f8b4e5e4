package io.gpdb.sql.validation;

import io.gpdb.sql.type.IntervalType;
import java.math.BigDecimal;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/** Literals of intervals, whose values are microseconds, where Calcite has milliseconds. */
final class IntervalLiterals extends SqlShuttle {
  private static final IntervalLiterals INSTANCE = new IntervalLiterals();

  private IntervalLiterals() {}

  /** The statement with literals of ours. */
  static @Nullable SqlNode of(SqlNode statement) {
    return statement.accept(INSTANCE);
  }

  /** The literal of a text that is no literal of an interval itself. */
  static SqlNode literal(IntervalType type, String text, SqlParserPos at) {
    return new Exact(type.qualifier(), 1, type.format(type.parse(text)), at);
  }

  @Override
  public @Nullable SqlNode visit(SqlLiteral literal) {
    if (!(literal instanceof SqlIntervalLiteral) || literal instanceof Exact) {
      return literal;
    }
    SqlIntervalLiteral.IntervalValue value =
        literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
    return new Exact(
        value.getIntervalQualifier(),
        value.getSign(),
        value.getIntervalLiteral(),
        literal.getParserPosition());
  }

  private static final class Exact extends SqlIntervalLiteral {
    private final SqlIntervalQualifier fields;
    private final int sign;
    private final String text;

    Exact(SqlIntervalQualifier fields, int sign, String text, SqlParserPos at) {
      super(sign, text, fields, fields.typeName(), at);
      this.fields = fields;
      this.sign = sign;
      this.text = text;
    }

    @Override
    public <T> T getValueAs(Class<T> type) {
      if (type != BigDecimal.class) {
        return super.getValueAs(type);
      }
      return type.cast(BigDecimal.valueOf(sign * IntervalType.of(fields).parse(text)));
    }

    @Override
    public SqlIntervalLiteral clone(SqlParserPos at) {
      return new Exact(fields, sign, text, at);
    }
  }
}
