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

/** EXTRACT in kernels. */
public final class KernelDates {
  private static final long MICROS_PER_HOUR = 3_600_000_000L;
  private static final long MICROS_PER_MINUTE = 60_000_000L;

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
      case DOW -> b.add(KernelCalendar.floorMod(b, b.add(days(b, kind, value), 4), 7), 1);
      default -> civil(b, unit, days(b, kind, value));
    };
  }

  private static Reg timeOfDay(KernelBuilder b, Kind kind, Reg value) {
    return kind == Kind.TIME
        ? value
        : KernelCalendar.floorMod(b, value, TemporalText.MICROS_PER_DAY);
  }

  private static Reg days(KernelBuilder b, Kind kind, Reg value) {
    return kind == Kind.DATE
        ? b.convert(value, Type.I64)
        : KernelCalendar.floorDiv(b, value, TemporalText.MICROS_PER_DAY);
  }

  private static Reg civil(KernelBuilder b, TimeUnitRange unit, Reg epochDay) {
    KernelCalendar.Civil date = KernelCalendar.civil(b, epochDay);
    return switch (unit) {
      case YEAR -> date.year();
      case MONTH -> date.month();
      case QUARTER -> b.add(b.div(b.sub(date.month(), 1), b.i64(3)), 1);
      case DAY -> date.day();
      case DOY -> dayOfYear(b, date);
      default -> throw new IllegalArgumentException("no field " + unit);
    };
  }

  private static Reg dayOfYear(KernelBuilder b, KernelCalendar.Civil date) {
    Reg leap = b.convert(KernelCalendar.isLeap(b, date.year()), Type.I64);
    Reg sinceJanuary = b.add(b.add(date.sinceMarch(), 60), leap);
    return b.select(date.isLate(), b.sub(date.sinceMarch(), 305), sinceJanuary);
  }
}
