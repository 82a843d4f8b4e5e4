package io.gpdb.session.copy;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.UuidText;
import io.gpdb.sql.type.WideDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Turns the bytes of a field into the value of one column at a row of its buffer. */
interface FieldLoader {
  void load(byte[] b, int start, int end, int row);

  /**
   * The loader of a column.
   *
   * @param exact whether a fraction is refused for an integer type
   */
  static FieldLoader of(
      SqlTypeSpec type, ColumnBuffer column, @Nullable StringCodes codes, boolean exact) {
    FieldLoader loader = of(type, column, codes);
    if (!exact) {
      return loader;
    }
    return switch (type.kind()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT ->
          (b, start, end, row) -> {
            NumberFields.requireWhole(type, b, start, end);
            loader.load(b, start, end, row);
          };
      default -> loader;
    };
  }

  static FieldLoader of(SqlTypeSpec type, ColumnBuffer column, @Nullable StringCodes codes) {
    return switch (type.kind()) {
      case BOOLEAN ->
          (b, start, end, row) ->
              column.setByte(row, (byte) NumberFields.parsed(type, b, start, end));
      case TINYINT ->
          (b, start, end, row) ->
              column.setByte(row, (byte) NumberFields.integer(type, b, start, end));
      case SMALLINT ->
          (b, start, end, row) ->
              column.setShort(row, (short) NumberFields.integer(type, b, start, end));
      case INTEGER ->
          (b, start, end, row) ->
              column.setInt(row, (int) NumberFields.integer(type, b, start, end));
      case BIGINT ->
          (b, start, end, row) -> column.setLong(row, NumberFields.integer(type, b, start, end));
      case DECIMAL ->
          (b, start, end, row) -> column.setLong(row, NumberFields.decimal(type, b, start, end));
      case WIDE_DECIMAL -> {
        StringCodes known = Objects.requireNonNull(codes);
        yield (b, start, end, row) -> {
          byte[] bytes =
              WideDecimal.bytes(NumberFields.wideDecimal(type, b, start, end), type.scale());
          column.setInt(row, known.intern(bytes, 0, bytes.length));
        };
      }
      case REAL ->
          (b, start, end, row) ->
              column.setInt(row, (int) NumberFields.parsed(type, b, start, end));
      case DOUBLE -> (b, start, end, row) -> column.setLong(row, NumberFields.real(b, start, end));
      case DATE -> (b, start, end, row) -> column.setInt(row, TimeFields.date(b, start, end));
      case TIME, TIMESTAMP_TZ, INTERVAL_MONTHS, INTERVAL_MICROS ->
          (b, start, end, row) -> column.setLong(row, NumberFields.parsed(type, b, start, end));
      case TIMESTAMP ->
          (b, start, end, row) -> column.setLong(row, TimeFields.timestamp(type, b, start, end));
      case CHAR, VARCHAR -> new Characters(type, column, Objects.requireNonNull(codes));
      case UUID -> {
        StringCodes known = Objects.requireNonNull(codes);
        yield (b, start, end, row) ->
            column.setInt(row, known.intern(NumberFields.uuid(b, start, end), 0, UuidText.BYTES));
      }
      case VARBINARY -> {
        StringCodes known = Objects.requireNonNull(codes);
        yield (b, start, end, row) -> {
          byte[] bytes = binary(b, start, end, type);
          column.setInt(row, known.intern(bytes, 0, bytes.length));
        };
      }
    };
  }

  /** Two hexadecimal digits a byte, after an optional \x or 0x. */
  private static byte[] binary(byte[] b, int start, int end, SqlTypeSpec type) {
    String text = NumberFields.text(b, start, end);
    boolean prefixed = text.startsWith("\\x") || text.startsWith("0x");
    byte[] bytes;
    try {
      bytes = java.util.HexFormat.of().parseHex(text, prefixed ? 2 : 0, text.length());
    } catch (IllegalArgumentException e) {
      throw FieldError.notA("VARBINARY (hexadecimal digits)", b, start, end);
    }
    if (type.precision() != SqlTypeSpec.UNBOUNDED && bytes.length > type.precision()) {
      throw new FieldError(
          SqlCondition.STRING_TOO_LONG, bytes.length + " bytes are too many for " + type);
    }
    return bytes;
  }

  /** Text, checked to be UTF-8 and not too long; CHAR is padded with blanks to its length. */
  final class Characters implements FieldLoader {
    private final SqlTypeSpec type;
    private final int charactersMax;
    private final boolean padded;
    private final ColumnBuffer column;
    private final StringCodes codes;
    private byte[] padding = new byte[0];

    Characters(SqlTypeSpec type, ColumnBuffer column, StringCodes codes) {
      this.type = type;
      this.charactersMax =
          type.precision() == SqlTypeSpec.UNBOUNDED ? Integer.MAX_VALUE : type.precision();
      this.padded = type.kind() == SqlTypeSpec.Kind.CHAR;
      this.column = column;
      this.codes = codes;
    }

    @Override
    public void load(byte[] b, int start, int end, int row) {
      int characters = characters(b, start, end);
      int stop = end;
      while (characters > charactersMax && b[stop - 1] == ' ') {
        stop--;
        characters--;
      }
      if (characters > charactersMax) {
        throw new FieldError(
            SqlCondition.STRING_TOO_LONG,
            "'"
                + FieldError.shown(b, start, end)
                + "' has "
                + characters
                + " characters, too many for "
                + type);
      }
      if (padded && characters < charactersMax) {
        loadPadded(b, start, stop, charactersMax - characters, row);
      } else {
        column.setInt(row, codes.intern(b, start, stop - start));
      }
    }

    private void loadPadded(byte[] b, int start, int end, int blanks, int row) {
      int length = end - start + blanks;
      if (padding.length < length) {
        padding = new byte[length * 2];
      }
      System.arraycopy(b, start, padding, 0, end - start);
      Arrays.fill(padding, end - start, length, (byte) ' ');
      column.setInt(row, codes.intern(padding, 0, length));
    }

    private static int characters(byte[] b, int start, int end) {
      int high = 0;
      for (int i = start; i < end; i++) {
        high |= b[i];
      }
      return high >= 0 ? end - start : charactersOfUtf8(b, start, end);
    }

    private static int charactersOfUtf8(byte[] b, int start, int end) {
      try {
        var text =
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(b, start, end - start));
        return Character.codePointCount(text, 0, text.length());
      } catch (CharacterCodingException e) {
        throw new FieldError(
            CopyCondition.BAD_CSV, "'" + FieldError.shown(b, start, end) + "' is not UTF-8");
      }
    }
  }
}
