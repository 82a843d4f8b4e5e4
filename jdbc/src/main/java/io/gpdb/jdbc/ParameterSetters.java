package io.gpdb.jdbc;

import io.gpdb.jdbc.value.Arguments;
import io.gpdb.jdbc.value.CalendarZones;
import io.gpdb.jdbc.value.CivilDates;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.jdbc.value.TargetTypes;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.session.DeferredParameters;
import io.gpdb.session.SessionLock;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.IntervalType.Fields;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.storage.error.ErrorCode;
import java.math.BigDecimal;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Calendar;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The setters of a prepared statement. Where a parameter's type follows from the statement's text,
 * a value goes straight into the column of its parameter, without the session's lock; otherwise it
 * waits for the plan.
 */
abstract class ParameterSetters extends GpdbStatement implements PreparedStatement {
  private static final int NANOS_PER_MICRO = 1000;
  private static final SqlTypeSpec MONTHS = IntervalType.of(Fields.YEAR_TO_MONTH).spec();
  private static final SqlTypeSpec MICROS = IntervalType.of(Fields.DAY_TO_SECOND).spec();

  private final int count;
  private final @Nullable ParameterColumns columns;
  private final @Nullable DeferredParameters deferred;

  /** The type that the caller names for a value whose parameter has none; with the lock held. */
  private @Nullable SqlTypeSpec asked;

  ParameterSetters(ConnectionState connection, CursorKind kind, List<ParameterDef> parameters) {
    super(connection, kind);
    count = parameters.size();
    if (DeferredParameters.isNeeded(parameters)) {
      columns = null;
      deferred = new DeferredParameters(parameters);
    } else {
      columns = new ParameterColumns(parameters);
      deferred = null;
    }
  }

  /** Null when values wait for the plan. */
  final @Nullable ParameterColumns columns() {
    return columns;
  }

  /** Null when values go straight into columns. */
  final @Nullable DeferredParameters deferred() {
    return deferred;
  }

  /** Binds a value, as one of the given type where the text leaves its parameter's type open. */
  final void bindAs(@Nullable SqlTypeSpec type, Act<?> binding) throws SQLException {
    if (deferred == null || type == null) {
      binding.run();
      return;
    }
    held(
        () -> {
          asked = type;
          try {
            return binding.run();
          } finally {
            asked = null;
          }
        });
  }

  private int at(int parameter) throws SQLException {
    if (isClosed()) {
      requireOpen();
    }
    if (parameter < 1 || parameter > count) {
      throw SqlErrors.of(
          SqlCondition.PARAMETER_COUNT,
          "parameter " + parameter + " is not between 1 and " + count);
    }
    return parameter - 1;
  }

  private void bind(int parameter, SqlTypeSpec type, DeferredParameters.Bind value)
      throws SQLException {
    ParameterColumns direct = columns;
    if (direct == null) {
      bindLater(parameter, type, value);
      return;
    }
    try {
      value.to(direct, at(parameter));
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    }
  }

  private void bindLater(int parameter, SqlTypeSpec type, DeferredParameters.Bind value)
      throws SQLException {
    SessionLock lock = connection().session().lock();
    lock.lock();
    try {
      int at = at(parameter);
      SqlTypeSpec named = asked;
      if (deferred != null) {
        deferred.set(at, named == null ? type : named, value);
      }
    } finally {
      lock.unlock();
    }
  }

  private void bindLong(int parameter, SqlTypeSpec type, long value) throws SQLException {
    ParameterColumns direct = columns;
    if (direct == null) {
      bindLater(parameter, type, (to, i) -> to.setLong(i, value));
      return;
    }
    try {
      direct.setLong(at(parameter), value);
    } catch (RuntimeException e) {
      throw SqlErrors.translate(e);
    }
  }

  @Override
  public void setByte(int parameter, byte value) throws SQLException {
    bindLong(parameter, SqlTypeSpec.TINYINT, value);
  }

  @Override
  public void setShort(int parameter, short value) throws SQLException {
    bindLong(parameter, SqlTypeSpec.SMALLINT, value);
  }

  @Override
  public void setInt(int parameter, int value) throws SQLException {
    bindLong(parameter, SqlTypeSpec.INTEGER, value);
  }

  @Override
  public void setLong(int parameter, long value) throws SQLException {
    bindLong(parameter, SqlTypeSpec.BIGINT, value);
  }

  @Override
  public void setFloat(int parameter, float value) throws SQLException {
    bind(parameter, SqlTypeSpec.REAL, (to, i) -> to.setFloat(i, value));
  }

  @Override
  public void setDouble(int parameter, double value) throws SQLException {
    bind(parameter, SqlTypeSpec.DOUBLE, (to, i) -> to.setDouble(i, value));
  }

  @Override
  public void setBoolean(int parameter, boolean value) throws SQLException {
    bind(parameter, SqlTypeSpec.BOOLEAN, (to, i) -> to.setBoolean(i, value));
  }

  @Override
  public void setBigDecimal(int parameter, @Nullable BigDecimal value) throws SQLException {
    if (value == null) {
      setNull(parameter);
    } else {
      bind(parameter, typeOf(value), (to, i) -> to.setDecimal(i, value));
    }
  }

  private static SqlTypeSpec typeOf(BigDecimal value) {
    int scale = Math.clamp(value.scale(), 0, SqlTypeSpec.DECIMAL_DIGITS_MAX);
    long digits = Math.max(0L, (long) value.precision() - value.scale()) + scale;
    boolean narrow = digits <= SqlTypeSpec.NARROW_DIGITS_MAX;
    return SqlTypeSpec.decimal(
        narrow ? SqlTypeSpec.NARROW_DIGITS_MAX : SqlTypeSpec.DECIMAL_DIGITS_MAX, scale);
  }

  @Override
  public void setString(int parameter, @Nullable String value) throws SQLException {
    if (value == null) {
      setNull(parameter);
    } else {
      bind(parameter, SqlTypeSpec.VARCHAR, (to, i) -> to.setString(i, value));
    }
  }

  final void setUuid(int parameter, UUID value) throws SQLException {
    bind(parameter, SqlTypeSpec.UUID, (to, i) -> to.setString(i, value.toString()));
  }

  @Override
  public void setNString(int parameter, @Nullable String value) throws SQLException {
    setString(parameter, value);
  }

  @Override
  public void setBytes(int parameter, byte @Nullable [] value) throws SQLException {
    if (value == null) {
      setNull(parameter);
    } else {
      byte[] copy = columns == null ? value.clone() : value;
      bind(parameter, SqlTypeSpec.VARBINARY, (to, i) -> to.setBytes(i, copy, 0, copy.length));
    }
  }

  @Override
  public void setDate(int parameter, @Nullable Date value) throws SQLException {
    setDate(parameter, value, null);
  }

  @Override
  public void setDate(int parameter, @Nullable Date value, @Nullable Calendar calendar)
      throws SQLException {
    setLocalDate(
        parameter,
        value == null
            ? null
            : Arguments.converted(
                "the date",
                () ->
                    calendar == null
                        ? CivilDates.civil(value)
                        : CalendarZones.local(value.getTime(), calendar).toLocalDate()));
  }

  @Override
  public void setTime(int parameter, @Nullable Time value) throws SQLException {
    setTime(parameter, value, null);
  }

  /** java.sql.Time keeps milliseconds, which its own conversion drops. */
  @Override
  public void setTime(int parameter, @Nullable Time value, @Nullable Calendar calendar)
      throws SQLException {
    setLocalTime(
        parameter,
        value == null
            ? null
            : Arguments.converted(
                "the time",
                () ->
                    CalendarZones.local(
                            value.getTime(), calendar == null ? Calendar.getInstance() : calendar)
                        .toLocalTime()));
  }

  @Override
  public void setTimestamp(int parameter, @Nullable Timestamp value) throws SQLException {
    setTimestamp(parameter, value, null);
  }

  @Override
  public void setTimestamp(int parameter, @Nullable Timestamp value, @Nullable Calendar calendar)
      throws SQLException {
    setLocalDateTime(
        parameter,
        value == null
            ? null
            : Arguments.converted(
                "the timestamp",
                () ->
                    calendar == null
                        ? CivilDates.civil(value)
                        : CalendarZones.local(value.getTime(), calendar)
                            .withNano(value.getNanos())));
  }

  final void setLocalDate(int parameter, @Nullable LocalDate value) throws SQLException {
    if (value == null) {
      setNull(parameter);
    } else {
      requireYear(parameter, value);
      int day = (int) value.toEpochDay();
      bind(parameter, SqlTypeSpec.DATE, (to, i) -> to.setDate(i, day));
    }
  }

  private static void requireYear(int parameter, LocalDate value) throws SQLException {
    if (value.getYear() < 1 || value.getYear() > TemporalText.YEAR_MAX) {
      throw SqlErrors.of(
          SqlCondition.DATETIME_OVERFLOW,
          "parameter "
              + parameter
              + ": "
              + value
              + " is beyond the years 1 to "
              + TemporalText.YEAR_MAX);
    }
  }

  final void setLocalTime(int parameter, @Nullable LocalTime value) throws SQLException {
    if (value == null) {
      setNull(parameter);
    } else {
      long micros = value.toNanoOfDay() / NANOS_PER_MICRO;
      bind(parameter, SqlTypeSpec.TIME, (to, i) -> to.setTime(i, micros));
    }
  }

  /** Nanoseconds are rounded half up to microseconds. */
  final void setLocalDateTime(int parameter, @Nullable LocalDateTime value) throws SQLException {
    if (value == null) {
      setNull(parameter);
    } else {
      requireYear(parameter, value.toLocalDate());
      long micros =
          Math.addExact(
              Math.multiplyExact(value.toEpochSecond(ZoneOffset.UTC), 1_000_000L),
              (value.get(ChronoField.NANO_OF_SECOND) + NANOS_PER_MICRO / 2) / NANOS_PER_MICRO);
      bind(parameter, SqlTypeSpec.TIMESTAMP, (to, i) -> to.setTimestamp(i, micros));
    }
  }

  /** Nanoseconds are rounded half up to microseconds. */
  final void setInstant(int parameter, Instant value) throws SQLException {
    // An Instant has years that a LocalDate lacks.
    LocalDate day =
        Arguments.converted("the instant", () -> value.atOffset(ZoneOffset.UTC).toLocalDate());
    requireYear(parameter, day);
    long micros = micros(value);
    bind(parameter, SqlTypeSpec.TIMESTAMP_TZ, (to, i) -> to.setInstant(i, micros));
  }

  /** A period of years and months; one with days is no interval of SQL. */
  final void setPeriod(int parameter, Period value) throws SQLException {
    if (!value.equals(value.withDays(0))) {
      throw SqlErrors.of(ErrorCode.INVALID_ARGUMENT, value + " has days: bind a Duration for them");
    }
    bind(parameter, MONTHS, (to, i) -> to.setInterval(i, MONTHS, value.toTotalMonths()));
  }

  /** Nanoseconds are rounded half up to microseconds. */
  final void setDuration(int parameter, Duration value) throws SQLException {
    long micros =
        Arguments.converted(
            "the duration",
            () ->
                Math.addExact(
                    Math.multiplyExact(value.getSeconds(), 1_000_000L),
                    (value.getNano() + NANOS_PER_MICRO / 2) / NANOS_PER_MICRO));
    bind(parameter, MICROS, (to, i) -> to.setInterval(i, MICROS, micros));
  }

  private static long micros(Instant value) {
    return Math.addExact(
        Math.multiplyExact(value.getEpochSecond(), 1_000_000L),
        (value.getNano() + NANOS_PER_MICRO / 2) / NANOS_PER_MICRO);
  }

  /** A decimal with the digits after the point that the caller asked for. */
  final void setScaled(int parameter, BigDecimal value, int scale) throws SQLException {
    setBigDecimal(parameter, Arguments.scaled(value, scale));
  }

  private void setNull(int parameter) throws SQLException {
    bind(parameter, SqlTypeSpec.VARCHAR, (to, i) -> to.setNull(i));
  }

  /** Of each type that there is NULL is NULL; tools say OTHER or NULL when they know none. */
  @Override
  public void setNull(int parameter, int type) throws SQLException {
    TargetTypes.requireSupported(type);
    setNull(parameter);
  }

  @Override
  public void setNull(int parameter, int type, @Nullable String typeName) throws SQLException {
    setNull(parameter, type);
  }
}
