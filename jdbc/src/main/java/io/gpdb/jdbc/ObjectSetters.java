package io.gpdb.jdbc;

import io.gpdb.jdbc.value.Arguments;
import io.gpdb.jdbc.value.JdbcTypes;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.jdbc.value.TargetTypes;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.storage.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.Ref;
import java.sql.RowId;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The setters for objects and streams; each ends in one of the typed setters. */
abstract class ObjectSetters extends ParameterSetters {
  private static final long ANY_LENGTH = Long.MIN_VALUE;
  private static final int PIECE_CHARS = 8192;

  ObjectSetters(ConnectionState connection, CursorKind kind, List<ParameterDef> parameters) {
    super(connection, kind, parameters);
  }

  @Override
  public void setObject(int parameter, @Nullable Object value) throws SQLException {
    switch (value) {
      case null -> setNull(parameter, Types.NULL);
      case Integer number -> setInt(parameter, number);
      case Long number -> setLong(parameter, number);
      case Short number -> setShort(parameter, number);
      case Byte number -> setByte(parameter, number);
      case Double number -> setDouble(parameter, number);
      case Float number -> setFloat(parameter, number);
      case Boolean flag -> setBoolean(parameter, flag);
      case BigDecimal number -> setBigDecimal(parameter, number);
      case BigInteger number -> setBigDecimal(parameter, new BigDecimal(number));
      case String text -> setString(parameter, text);
      case Character character -> setString(parameter, character.toString());
      case UUID id -> setUuid(parameter, id);
      case byte[] bytes -> setBytes(parameter, bytes);
      case LocalDate date -> setLocalDate(parameter, date);
      case LocalTime time -> setLocalTime(parameter, time);
      case OffsetDateTime instant -> setInstant(parameter, instant.toInstant());
      case ZonedDateTime instant -> setInstant(parameter, instant.toInstant());
      case Instant instant -> setInstant(parameter, instant);
      case Period months -> setPeriod(parameter, months);
      case Duration duration -> setDuration(parameter, duration);
      case LocalDateTime timestamp -> setLocalDateTime(parameter, timestamp);
      case Date date -> setDate(parameter, date);
      case Time time -> setTime(parameter, time);
      case Timestamp timestamp -> setTimestamp(parameter, timestamp);
      case java.util.Date moment ->
          setTimestamp(
              parameter, Arguments.converted("the date", () -> Timestamp.from(moment.toInstant())));
      case Calendar moment ->
          setTimestamp(
              parameter,
              Arguments.converted("the date", () -> new Timestamp(moment.getTimeInMillis())));
      case Clob text -> setClob(parameter, text);
      case SQLXML text -> setSQLXML(parameter, text);
      case Blob bytes -> setBlob(parameter, bytes);
      case InputStream stream -> setBinaryStream(parameter, stream);
      case Reader reader -> setCharacterStream(parameter, reader);
      default -> throw SqlErrors.notSupported("a parameter of " + value.getClass().getSimpleName());
    }
  }

  /**
   * The value becomes one of the type named here, and then one of the parameter's own type where it
   * has one.
   */
  @Override
  public void setObject(int parameter, @Nullable Object value, int type) throws SQLException {
    Object named = TargetTypes.converted(value, type);
    bindAs(
        isDecimal(type) ? null : JdbcTypes.named(type),
        () -> {
          setObject(parameter, named);
          return this;
        });
  }

  private static boolean isDecimal(int type) {
    return type == Types.DECIMAL || type == Types.NUMERIC;
  }

  /** A decimal has that many digits after its point, a stream that length. */
  @Override
  public void setObject(int parameter, @Nullable Object value, int type, int scaleOrLength)
      throws SQLException {
    TargetTypes.requireSupported(type);
    if (isDecimal(type) && TargetTypes.converted(value, type) instanceof Number number) {
      setScaled(parameter, TargetTypes.decimal(number, "DECIMAL"), scaleOrLength);
    } else if (value instanceof InputStream stream) {
      setBinaryStream(parameter, stream, scaleOrLength);
    } else if (value instanceof Reader reader) {
      setCharacterStream(parameter, reader, scaleOrLength);
    } else {
      setObject(parameter, value, type);
    }
  }

  @Override
  public void setObject(int parameter, @Nullable Object value, java.sql.SQLType type)
      throws SQLException {
    setObject(parameter, value, number(type));
  }

  private static int number(java.sql.SQLType type) throws SQLException {
    Integer number =
        Arguments.converted("the type", SqlErrors.given("the type", type)::getVendorTypeNumber);
    return number == null ? Types.OTHER : number;
  }

  @Override
  public void setObject(
      int parameter, @Nullable Object value, java.sql.SQLType type, int scaleOrLength)
      throws SQLException {
    setObject(parameter, value, number(type), scaleOrLength);
  }

  private static byte[] read(InputStream stream, long length) throws SQLException {
    if (length == ANY_LENGTH) {
      return Arguments.converted("the stream", stream::readAllBytes);
    }
    int wanted = Arguments.length(length);
    byte[] bytes = Arguments.converted("the stream", () -> stream.readNBytes(wanted));
    requireLength(bytes.length, length);
    return bytes;
  }

  private static String read(Reader reader, long length) throws SQLException {
    int wanted = length == ANY_LENGTH ? Integer.MAX_VALUE : Arguments.length(length);
    String text = Arguments.converted("the reader", () -> read(reader, wanted));
    if (length != ANY_LENGTH) {
      requireLength(text.length(), length);
    }
    return text;
  }

  private static String read(Reader reader, int lengthMax) throws IOException {
    StringBuilder text = new StringBuilder();
    char[] piece = new char[Math.min(lengthMax, PIECE_CHARS)];
    int read = 0;
    while (read >= 0 && text.length() < lengthMax) {
      read = reader.read(piece, 0, Math.min(piece.length, lengthMax - text.length()));
      if (read > 0) {
        text.append(piece, 0, read);
      }
    }
    return text.toString();
  }

  private static void requireLength(long found, long wanted) throws SQLException {
    if (found != wanted) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT, "a stream of length " + wanted + " ended after " + found);
    }
  }

  private void setBytesOf(int parameter, @Nullable InputStream stream, long length)
      throws SQLException {
    setBytes(parameter, stream == null ? null : read(stream, length));
  }

  private void setTextOf(int parameter, @Nullable Reader reader, long length) throws SQLException {
    setString(parameter, reader == null ? null : read(reader, length));
  }

  private void setAsciiOf(int parameter, @Nullable InputStream stream, long length)
      throws SQLException {
    setString(
        parameter,
        stream == null ? null : new String(read(stream, length), StandardCharsets.US_ASCII));
  }

  @Override
  public void setAsciiStream(int parameter, @Nullable InputStream value, int length)
      throws SQLException {
    setAsciiOf(parameter, value, length);
  }

  @Override
  public void setAsciiStream(int parameter, @Nullable InputStream value, long length)
      throws SQLException {
    setAsciiOf(parameter, value, length);
  }

  @Override
  public void setAsciiStream(int parameter, @Nullable InputStream value) throws SQLException {
    setAsciiOf(parameter, value, ANY_LENGTH);
  }

  @Override
  public void setBinaryStream(int parameter, @Nullable InputStream value, int length)
      throws SQLException {
    setBytesOf(parameter, value, length);
  }

  @Override
  public void setBinaryStream(int parameter, @Nullable InputStream value, long length)
      throws SQLException {
    setBytesOf(parameter, value, length);
  }

  @Override
  public void setBinaryStream(int parameter, @Nullable InputStream value) throws SQLException {
    setBytesOf(parameter, value, ANY_LENGTH);
  }

  @Override
  public void setCharacterStream(int parameter, @Nullable Reader value, int length)
      throws SQLException {
    setTextOf(parameter, value, length);
  }

  @Override
  public void setCharacterStream(int parameter, @Nullable Reader value, long length)
      throws SQLException {
    setTextOf(parameter, value, length);
  }

  @Override
  public void setCharacterStream(int parameter, @Nullable Reader value) throws SQLException {
    setTextOf(parameter, value, ANY_LENGTH);
  }

  @Override
  public void setNCharacterStream(int parameter, @Nullable Reader value, long length)
      throws SQLException {
    setTextOf(parameter, value, length);
  }

  @Override
  public void setNCharacterStream(int parameter, @Nullable Reader value) throws SQLException {
    setTextOf(parameter, value, ANY_LENGTH);
  }

  @Override
  public void setClob(int parameter, @Nullable Reader value, long length) throws SQLException {
    setTextOf(parameter, value, length);
  }

  @Override
  public void setClob(int parameter, @Nullable Reader value) throws SQLException {
    setTextOf(parameter, value, ANY_LENGTH);
  }

  @Override
  public void setNClob(int parameter, @Nullable Reader value, long length) throws SQLException {
    setTextOf(parameter, value, length);
  }

  @Override
  public void setNClob(int parameter, @Nullable Reader value) throws SQLException {
    setTextOf(parameter, value, ANY_LENGTH);
  }

  @Override
  public void setBlob(int parameter, @Nullable InputStream value, long length) throws SQLException {
    setBytesOf(parameter, value, length);
  }

  @Override
  public void setBlob(int parameter, @Nullable InputStream value) throws SQLException {
    setBytesOf(parameter, value, ANY_LENGTH);
  }

  @Override
  @Deprecated(since = "1.2")
  public void setUnicodeStream(int parameter, @Nullable InputStream value, int length)
      throws SQLException {
    throw SqlErrors.notSupported("setUnicodeStream");
  }

  @Override
  public void setClob(int parameter, @Nullable Clob value) throws SQLException {
    Reader reader =
        value == null ? null : Arguments.converted("the CLOB", value::getCharacterStream);
    setTextOf(parameter, reader, ANY_LENGTH);
  }

  @Override
  public void setNClob(int parameter, @Nullable NClob value) throws SQLException {
    setClob(parameter, value);
  }

  @Override
  public void setBlob(int parameter, @Nullable Blob value) throws SQLException {
    InputStream stream =
        value == null ? null : Arguments.converted("the BLOB", value::getBinaryStream);
    setBytesOf(parameter, stream, ANY_LENGTH);
  }

  @Override
  public void setArray(int parameter, @Nullable Array value) throws SQLException {
    throw SqlErrors.notSupported("a parameter of Array");
  }

  @Override
  public void setRef(int parameter, @Nullable Ref value) throws SQLException {
    throw SqlErrors.notSupported("a parameter of Ref");
  }

  @Override
  public void setRowId(int parameter, @Nullable RowId value) throws SQLException {
    throw SqlErrors.notSupported("a parameter of RowId");
  }

  @Override
  public void setSQLXML(int parameter, @Nullable SQLXML value) throws SQLException {
    String text = value == null ? null : Arguments.converted("the XML", value::getString);
    setString(parameter, text);
  }

  @Override
  public void setURL(int parameter, @Nullable URL value) throws SQLException {
    throw SqlErrors.notSupported("a parameter of URL");
  }
}
