package io.gpdb.planner.expression.kernel;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.sql.type.TemporalText;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;

/** EXTRACT in kernels. Days to civil dates by eras of 400 years, as the Gregorian calendar has. */
public final class KernelDates {
  private static final long MICROS_PER_HOUR = 3_600_000_000L;
  private static final long MICROS_PER_MINUTE = 60_000_000L;
  private static final long DAYS_PER_ERA = 146_097;
  private static final long DAYS_FROM_MARCH_0000_TO_1970 = 719_468;

  private KernelDates() {}

  public static KernelExpression compile(ExpressionCompiler in, RexCall call) throws NotCovered {
    TimeUnitRange unit =
        call.getOperands().getFirst() instanceof RexLiteral flag
            ? flag.getValueAs(TimeUnitRange.class)
            : null;
    KernelExpression operand = in.operand(call, 1);
    if (unit == null || !operand.type().kind().isTemporal()) {
      throw new NotCovered(call.toString());
    }
    SqlTypeSpec type = RexValues.spec(call.getType());
    LaneProgram program = operand.program();
    Kind kind = operand.type().kind();
    requireCovered(unit, kind);
    Type register = KernelExpression.register(type);
    return KernelExpression.number(
        type,
        lane -> {
          KernelBuilder b = lane.builder();
          LaneValue value = program.emit(lane);
          Reg field = field(b, unit, kind, value.value(), type.scale());
          return new LaneValue(
              field.type() == register ? field : b.convert(field, register), value.present());
        });
  }

  private static void requireCovered(TimeUnitRange unit, Kind kind) throws NotCovered {
    boolean covered =
        switch (unit) {
          case YEAR, MONTH, DAY, QUARTER, DOW, DOY -> kind != Kind.TIME;
          case HOUR, MINUTE, SECOND -> kind != Kind.DATE;
          default -> false;
        };
    if (!covered) {
      throw new NotCovered("EXTRACT " + unit);
    }
  }

  static Reg floorDiv(KernelBuilder b, Reg x, long divisor) {
    Reg by = b.integer(x.type(), divisor);
    Reg quotient = b.div(x, by);
    Reg below = b.lt(b.rem(x, by), 0);
    return b.sub(quotient, b.convert(below, x.type()));
  }

  private static Reg floorMod(KernelBuilder b, Reg x, long divisor) {
    return b.sub(x, b.mul(floorDiv(b, x, divisor), divisor));
  }

  private static Reg field(KernelBuilder b, TimeUnitRange unit, Kind kind, Reg value, int digits) {
    return switch (unit) {
      case HOUR -> b.div(timeOfDay(b, kind, value), b.i64(MICROS_PER_HOUR));
      case MINUTE -> b.rem(b.div(timeOfDay(b, kind, value), b.i64(MICROS_PER_MINUTE)), b.i64(60));
      case SECOND -> {
        Reg micros = b.rem(timeOfDay(b, kind, value), b.i64(MICROS_PER_MINUTE));
        // Microseconds are the digits of a DECIMAL(8, 6).
        yield digits > 0 ? micros : b.div(micros, b.i64(TemporalText.MICROS_PER_SECOND));
      }
      // 1970-01-01 was a Thursday, and DOW counts from Sunday as 1.
      case DOW -> b.add(floorMod(b, b.add(days(b, kind, value), 4), 7), 1);
      default -> civil(b, unit, days(b, kind, value));
    };
  }

  private static Reg timeOfDay(KernelBuilder b, Kind kind, Reg value) {
    return kind == Kind.TIME ? value : floorMod(b, value, TemporalText.MICROS_PER_DAY);
  }

  private static Reg days(KernelBuilder b, Kind kind, Reg value) {
    return kind == Kind.DATE
        ? b.convert(value, Type.I64)
        : floorDiv(b, value, TemporalText.MICROS_PER_DAY);
  }

  private static Reg civil(KernelBuilder b, TimeUnitRange unit, Reg epochDay) {
    Reg day = b.add(epochDay, DAYS_FROM_MARCH_0000_TO_1970);
    Reg era = floorDiv(b, day, DAYS_PER_ERA);
    Reg dayOfEra = b.sub(day, b.mul(era, DAYS_PER_ERA));
    Reg yearOfEra =
        b.div(
            b.sub(
                b.add(b.sub(dayOfEra, b.div(dayOfEra, b.i64(1460))), b.div(dayOfEra, b.i64(36524))),
                b.div(dayOfEra, b.i64(146096))),
            b.i64(365));
    Reg firstOfYear =
        b.sub(
            b.add(b.mul(yearOfEra, 365), b.div(yearOfEra, b.i64(4))), b.div(yearOfEra, b.i64(100)));
    // Years begin with March here, so that the leap day is the last.
    Reg dayOfYear = b.sub(dayOfEra, firstOfYear);
    Reg shifted = b.div(b.add(b.mul(dayOfYear, 5), 2), b.i64(153));
    Reg isLate = b.ge(shifted, b.i64(10));
    Reg month = b.select(isLate, b.sub(shifted, 9), b.add(shifted, 3));
    Reg year = b.add(b.add(yearOfEra, b.mul(era, 400)), b.convert(isLate, Type.I64));
    return switch (unit) {
      case YEAR -> year;
      case MONTH -> month;
      case QUARTER -> b.add(b.div(b.sub(month, 1), b.i64(3)), 1);
      case DAY -> b.add(b.sub(dayOfYear, b.div(b.add(b.mul(shifted, 153), 2), b.i64(5))), 1);
      case DOY -> dayOfCivilYear(b, dayOfYear, isLate, year);
      default -> throw new IllegalArgumentException("no field " + unit);
    };
  }

  private static Reg dayOfCivilYear(KernelBuilder b, Reg sinceMarch, Reg isLate, Reg year) {
    Reg fourth = b.eq(floorMod(b, year, 4), 0);
    Reg century = b.eq(floorMod(b, year, 100), 0);
    Reg fourthCentury = b.eq(floorMod(b, year, 400), 0);
    Reg leap = b.or(b.and(fourth, b.not(century)), fourthCentury);
    Reg sinceJanuary = b.add(b.add(sinceMarch, 60), b.convert(leap, Type.I64));
    return b.select(isLate, b.sub(sinceMarch, 305), sinceJanuary);
  }
}
