package io.gpdb.sql.syntax;

import io.gpdb.sql.type.InstantText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.type.UuidText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.SqlUuidLiteral;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/** DATE, TIME and TIMESTAMP with a text: read by the one reader of such texts. */
public final class TemporalLiterals {
  private TemporalLiterals() {}

  /** The value of a literal that the parser only took notice of. */
  public static SqlLiteral resolved(SqlUnknownLiteral literal) {
    SqlParserPos at = literal.getParserPosition();
    String text = literal.getValue();
    try {
      return switch (literal.tag) {
        case "DATE" -> {
          String day = TemporalText.formatDate(TemporalText.parseDate(text));
          yield SqlLiteral.createDate(new DateString(day), at);
        }
        case "TIME" -> {
          if (InstantText.hasOffset("2000-01-01 " + text)) {
            throw new GpdbException(
                ErrorCode.NOT_SUPPORTED, "TIME '" + text + "', WITH TIME ZONE, is not supported");
          }
          String time = TemporalText.formatTime(TemporalText.parseTime(text));
          yield SqlLiteral.createTime(new TimeString(time), fractionDigits(text), at);
        }
        case "TIMESTAMP WITH TIME ZONE" -> instant(text, at);
        case "TIMESTAMP" -> {
          if (InstantText.hasOffset(text)) {
            yield instant(text, at);
          }
          String moment = TemporalText.formatTimestamp(TemporalText.parseTimestamp(text));
          yield SqlLiteral.createTimestamp(
              SqlTypeName.TIMESTAMP, new TimestampString(moment), fractionDigits(text), at);
        }
        case "UUID" -> new SqlUuidLiteral(UuidText.uuid(UuidText.parse(text)), at);
        default -> literal.resolve(SqlTypeName.lookup(literal.tag));
      };
    } catch (GpdbException e) {
      throw new GpdbException(e.code(), e.getMessage() + TableNames.at(at), e);
    }
  }

  private static SqlLiteral instant(String text, SqlParserPos at) {
    long micros = InstantText.parse(text);
    String shown = TemporalText.formatTimestamp(micros);
    return SqlLiteral.createTimestamp(InstantText.literal(micros), fractionDigits(shown), at);
  }

  private static int fractionDigits(String text) {
    int point = text.indexOf('.');
    int digits = point < 0 ? 0 : text.strip().length() - point - 1;
    return Math.min(digits, SqlTypeSpec.FRACTION_DIGITS_MAX);
  }
}
