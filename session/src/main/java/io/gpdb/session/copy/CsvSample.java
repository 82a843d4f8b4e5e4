package io.gpdb.session.copy;

import io.gpdb.sql.statement.CopyFormat;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/**
 * What the first rows of a CSV file with a header say about its columns.
 *
 * @param names as the header writes them
 * @param types the narrowest type that every value of the sample fits
 */
public record CsvSample(List<String> names, List<SqlTypeSpec> types) {
  /** The types tried, the first that fits all values wins; VARCHAR fits everything. */
  private enum Candidate {
    BOOLEAN,
    INTEGER,
    BIGINT,
    DOUBLE,
    DATE,
    TIMESTAMP,
    TIME;

    private SqlTypeSpec type() {
      return switch (this) {
        case BOOLEAN -> SqlTypeSpec.BOOLEAN;
        case INTEGER -> SqlTypeSpec.INTEGER;
        case BIGINT -> SqlTypeSpec.BIGINT;
        case DOUBLE -> SqlTypeSpec.DOUBLE;
        case DATE -> SqlTypeSpec.DATE;
        case TIMESTAMP -> SqlTypeSpec.TIMESTAMP;
        case TIME -> SqlTypeSpec.TIME;
      };
    }

    private boolean fits(byte[] b, int start, int end) {
      try {
        return switch (this) {
          case BOOLEAN -> isWord(b, start, end);
          case INTEGER -> isWhole(SqlTypeSpec.INTEGER, b, start, end);
          case BIGINT -> isWhole(SqlTypeSpec.BIGINT, b, start, end);
          case DOUBLE ->
              isNumber(b, start, end)
                  && !Double.isNaN(Double.longBitsToDouble(NumberFields.real(b, start, end)));
          case DATE -> end - start == 10 && TimeFields.date(b, start, end) != Integer.MIN_VALUE;
          case TIMESTAMP ->
              end - start >= 10
                  && TimeFields.timestamp(SqlTypeSpec.TIMESTAMP, b, start, end) != Long.MIN_VALUE;
          case TIME ->
              end - start >= 5 && NumberFields.parsed(SqlTypeSpec.TIME, b, start, end) >= 0;
        };
      } catch (FieldError e) {
        return false;
      }
    }

    private static boolean isWord(byte[] b, int start, int end) {
      String text = NumberFields.text(b, start, end);
      return text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
    }

    /** Digits alone: 1.0 and 1e2 are numbers that need not be whole in the next row. */
    private static boolean isWhole(SqlTypeSpec type, byte[] b, int start, int end) {
      boolean digits = isNumber(b, start, end);
      for (int i = b[start] == '-' ? start + 1 : start; i < end && digits; i++) {
        digits = b[i] >= '0' && b[i] <= '9';
      }
      if (digits) {
        NumberFields.integer(type, b, start, end); // beyond the type it throws
      }
      return digits;
    }

    /** Leading zeros make an identifier, not a number: a postal code loses nothing then. */
    private static boolean isNumber(byte[] b, int start, int end) {
      int first = b[start] == '-' ? start + 1 : start;
      boolean zeros = end - first > 1 && b[first] == '0' && b[first + 1] != '.';
      return !zeros && first < end && ((b[first] >= '0' && b[first] <= '9') || b[first] == '.');
    }
  }

  /** Reads the header and at most {@code rowsMax} rows. */
  public static CsvSample read(String file, CopyFormat format, long rowsMax) {
    try (CopySource source = CopySource.open(file);
        ReadAhead input = new ReadAhead(source.stream())) {
      CsvTokenizer records = new CsvTokenizer(input, format);
      try {
        return read(file, format, records, rowsMax);
      } catch (CsvTokenizer.CsvSyntaxError e) {
        throw new GpdbException(
            CopyCondition.BAD_CSV,
            file + ": line " + e.line() + ", column " + (e.column() + 1) + ": " + e.getMessage());
      }
    } catch (IOException e) {
      throw new GpdbException(
          CopyCondition.BAD_CSV, file + ": cannot be read: " + e.getMessage(), e);
    }
  }

  private static CsvSample read(String file, CopyFormat format, CsvTokenizer records, long rowsMax)
      throws IOException {
    if (!records.next()) {
      throw new GpdbException(
          CopyCondition.BAD_CSV, file + " is empty and has no header line with the columns' names");
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < records.fieldCount(); i++) {
      names.add(text(records, i).strip());
    }
    List<EnumSet<Candidate>> candidates = new ArrayList<>();
    names.forEach(name -> candidates.add(EnumSet.allOf(Candidate.class)));
    boolean[] seen = new boolean[names.size()];
    for (long row = 0; row < rowsMax && records.next(); row++) {
      for (int i = 0; i < Math.min(names.size(), records.fieldCount()); i++) {
        if (!text(records, i).equals(format.nullText()) || records.isQuoted(i)) {
          seen[i] = true;
          narrow(candidates.get(i), records, i);
        }
      }
    }
    List<SqlTypeSpec> types = new ArrayList<>();
    for (int i = 0; i < seen.length; i++) {
      boolean known = seen[i] && !candidates.get(i).isEmpty();
      types.add(known ? candidates.get(i).iterator().next().type() : SqlTypeSpec.VARCHAR);
    }
    return new CsvSample(List.copyOf(names), List.copyOf(types));
  }

  /** Drops the candidates that the field does not fit. */
  private static void narrow(EnumSet<Candidate> candidates, CsvTokenizer records, int field) {
    int start = records.start(field);
    int end = records.end(field);
    candidates.removeIf(candidate -> start == end || !candidate.fits(records.buffer(), start, end));
  }

  private static String text(CsvTokenizer records, int field) {
    int start = records.start(field);
    return new String(records.buffer(), start, records.end(field) - start, StandardCharsets.UTF_8);
  }
}
