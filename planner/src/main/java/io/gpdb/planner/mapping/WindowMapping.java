package io.gpdb.planner.mapping;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.run.sort.WindowSource;
import io.gpdb.planner.window.WindowCall;
import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.planner.window.WindowFrame;
import io.gpdb.planner.window.WindowFrame.Amount;
import io.gpdb.planner.window.WindowFrame.Bound;
import io.gpdb.planner.window.WindowFrame.Exclusion;
import io.gpdb.planner.window.WindowFrame.Side;
import io.gpdb.planner.window.WindowFrame.Unit;
import io.gpdb.planner.window.WindowGroup;
import io.gpdb.sql.dialect.WindowMarks;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexFieldCollation;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Maps expressions with calls over windows: what the calls read becomes fields of a projection, the
 * calls become fields of a {@link WindowSource} above it, and the expressions read those.
 */
final class WindowMapping {
  private final RexBuilder rexBuilder;
  private final Pipeline input;
  private final List<RexNode> outputs;

  private final ComputedFields fields;

  /** Calls by what they read, and their windows. */
  private final Map<Key, List<WindowCall>> windows = new LinkedHashMap<>();

  private record Key(List<Integer> partition, List<RelFieldCollation> order) {}

  /**
   * @param outputs the expressions, over the input's rows
   */
  WindowMapping(RexBuilder rexBuilder, Pipeline input, List<RexNode> outputs) throws NotCovered {
    this.rexBuilder = rexBuilder;
    this.input = input;
    this.outputs = List.copyOf(outputs);
    fields = new ComputedFields(rexBuilder, input);
    for (RexNode output : outputs) {
      collect(output);
    }
  }

  /** What the calls and the expressions read. */
  Pipeline below() {
    return fields.pipeline();
  }

  /**
   * The expressions.
   *
   * @param below has the rows of {@link #below()}
   */
  Pipeline above(Device device, Source below, List<SourceColumn> names) {
    List<SourceColumn> all = new ArrayList<>(below.columns());
    List<WindowGroup> groups = new ArrayList<>();
    Map<List<Object>, Integer> places = new LinkedHashMap<>();
    windows.forEach(
        (key, calls) -> {
          List<WindowGroup.Placed> placed = new ArrayList<>();
          for (WindowCall call : calls) {
            places.put(List.of(key, call), all.size());
            placed.add(new WindowGroup.Placed(call, all.size()));
            all.add(new SourceColumn(call.text(), call.type(), true));
          }
          groups.add(new WindowGroup(key.partition, key.order, placed));
        });
    Source source = new WindowSource(device, rexBuilder, below, groups, all);
    List<RexNode> replaced = new ArrayList<>();
    for (RexNode output : outputs) {
      replaced.add(output.accept(new Replacement(places)));
    }
    return new Pipeline(source, null, replaced, names);
  }

  private void collect(RexNode node) throws NotCovered {
    List<RexOver> found = new ArrayList<>();
    node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitOver(RexOver over) {
            found.add(over);
            return over;
          }
        });
    for (RexOver over : found) {
      Key key = key(over);
      for (WindowCall call : calls(over)) {
        List<WindowCall> known = windows.computeIfAbsent(key, _ -> new ArrayList<>());
        if (!known.contains(call)) {
          known.add(call);
        }
      }
    }
  }

  /** Calls of windows as fields of the operator. */
  private final class Replacement extends RexShuttle {
    private final Map<List<Object>, Integer> places;

    Replacement(Map<List<Object>, Integer> places) {
      this.places = places;
    }

    @Override
    public RexNode visitOver(RexOver over) {
      try {
        Key key = key(over);
        List<WindowCall> calls = calls(over);
        RexNode value = field(key, calls.getFirst(), over.getType());
        if (calls.size() == 1) {
          return value;
        }
        RexNode has = field(key, calls.get(1), bool());
        RexNode otherwise =
            rexBuilder.makeAbstractCast(over.getType(), over.getOperands().get(2), false);
        return rexBuilder.makeCall(
            over.getType(),
            SqlStdOperatorTable.CASE,
            List.of(
                rexBuilder.makeCall(SqlStdOperatorTable.IS_NULL, has),
                otherwise,
                rexBuilder.makeAbstractCast(over.getType(), value, false)));
      } catch (NotCovered e) {
        throw new IllegalStateException("mapped before: " + over, e);
      }
    }

    /** A field that has NULLs even where Calcite says that it has none. */
    private RexNode field(Key key, WindowCall call, RelDataType type) {
      int index = Objects.requireNonNull(places.get(List.of(key, call)));
      RelDataType nullable = rexBuilder.getTypeFactory().createTypeWithNullability(type, true);
      return rexBuilder.makeInputRef(nullable, index);
    }
  }

  private RelDataType bool() {
    return rexBuilder.getTypeFactory().createSqlType(SqlTypeName.BOOLEAN);
  }

  private Key key(RexOver over) throws NotCovered {
    RexWindow window = over.getWindow();
    List<Integer> partition = new ArrayList<>();
    for (RexNode node : window.partitionKeys) {
      if (!(node instanceof RexLiteral)) {
        partition.add(fields.of(node));
      }
    }
    List<RelFieldCollation> order = new ArrayList<>();
    for (RexFieldCollation collation : window.orderKeys) {
      order.add(
          new RelFieldCollation(
              fields.of(collation.left), collation.getDirection(), collation.getNullDirection()));
    }
    return new Key(partition, order);
  }

  /** The call, for LAG and LEAD with a default also that which tells whether there is a row. */
  private List<WindowCall> calls(RexOver over) throws NotCovered {
    Function function = HostAggregates.function(over.getAggOperator());
    List<RexNode> operands = over.getOperands();
    WindowFrame frame = function.hasFrame() ? frame(over.getWindow()) : WindowFrame.PARTITION;
    Amount amount = null;
    List<RexNode> arguments = operands;
    switch (function) {
      case NTILE -> {
        amount = amount(operands.getFirst());
        arguments = List.of();
      }
      case NTH_VALUE -> {
        RexNode number = operands.get(1);
        function = WindowMarks.isFromLast(number) ? Function.NTH_VALUE_FROM_LAST : function;
        amount = amount(WindowMarks.plain(number));
        arguments = operands.subList(0, 1);
      }
      case LAG, LEAD -> {
        amount = operands.size() > 1 ? amount(operands.get(1)) : Amount.of(BigDecimal.ONE);
        arguments = operands.subList(0, 1);
      }
      default -> {}
    }
    SqlTypeSpec type = RexValues.spec(over.getType());
    List<Integer> read =
        HostAggregates.read(rexBuilder, fields, function, arguments, over.getType());
    List<WindowCall> calls = new ArrayList<>();
    calls.add(
        new WindowCall(
            function,
            read,
            over.isDistinct(),
            over.ignoreNulls(),
            amount,
            frame,
            -1,
            type,
            text(over)));
    if (operands.size() > 2 && (function == Function.LAG || function == Function.LEAD)) {
      Function has = function == Function.LAG ? Function.HAS_LAG : Function.HAS_LEAD;
      calls.add(
          new WindowCall(
              has,
              over.ignoreNulls() ? read : List.of(),
              false,
              over.ignoreNulls(),
              amount,
              frame,
              -1,
              SqlTypeSpec.BOOLEAN,
              has.name()));
    }
    return calls;
  }

  private WindowFrame frame(RexWindow window) throws NotCovered {
    boolean inGroups = isInGroups(window.getLowerBound()) || isInGroups(window.getUpperBound());
    Unit unit = inGroups ? Unit.GROUPS : window.isRows() ? Unit.ROWS : Unit.RANGE;
    Bound lower = bound(window.getLowerBound());
    Bound upper = bound(window.getUpperBound());
    if (unit == Unit.RANGE) {
      requireSum(window, lower);
      requireSum(window, upper);
    } else {
      requireNumber(lower);
      requireNumber(upper);
    }
    Exclusion exclusion =
        switch (window.getExclude()) {
          case EXCLUDE_NO_OTHER -> Exclusion.NOTHING;
          case EXCLUDE_CURRENT_ROW -> Exclusion.CURRENT_ROW;
          case EXCLUDE_GROUP -> Exclusion.GROUP;
          case EXCLUDE_TIES -> Exclusion.TIES;
        };
    return new WindowFrame(unit, lower, upper, exclusion);
  }

  private static boolean isInGroups(RexWindowBound bound) {
    RexNode offset = bound.getOffset();
    return offset != null && WindowMarks.isInGroups(offset);
  }

  private static void requireNumber(Bound bound) {
    Amount distance = bound.distance();
    if (distance != null && distance.measure() != Amount.Measure.NUMBER) {
      throw new GpdbException(
          SqlCondition.TYPE_MISMATCH, "rows and groups of a window frame are counted by numbers");
    }
  }

  /** Raises where the order has no only key to which the distance of a bound can be added. */
  private static void requireSum(RexWindow window, Bound bound) throws NotCovered {
    Amount distance = bound.distance();
    if (distance == null) {
      return;
    }
    if (window.orderKeys.size() != 1) {
      throw new NotCovered("a distance in RANGE over several keys");
    }
    RelDataType type = window.orderKeys.getFirst().left.getType();
    boolean isSum =
        switch (RexValues.spec(type).kind()) {
          case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, WIDE_DECIMAL, REAL, DOUBLE ->
              distance.measure() == Amount.Measure.NUMBER;
          case DATE, TIMESTAMP -> distance.measure() != Amount.Measure.NUMBER;
          case TIME, INTERVAL_MICROS -> distance.measure() == Amount.Measure.MICROS;
          case INTERVAL_MONTHS -> distance.measure() == Amount.Measure.MONTHS;
          default -> false;
        };
    if (!isSum) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "a window frame RANGE with such a distance over "
              + GpTypes.named(type).toUpperCase(Locale.ROOT));
    }
  }

  private Bound bound(RexWindowBound bound) throws NotCovered {
    Side side;
    if (bound.isCurrentRow()) {
      side = Side.CURRENT_ROW;
    } else if (bound.isUnbounded()) {
      side = bound.isPreceding() ? Side.PARTITION_START : Side.PARTITION_END;
    } else {
      side = bound.isPreceding() ? Side.PRECEDING : Side.FOLLOWING;
    }
    RexNode offset = bound.getOffset();
    return new Bound(side, offset == null ? null : amount(offset));
  }

  private Amount amount(RexNode marked) throws NotCovered {
    RexNode node = WindowMarks.plain(marked);
    Amount.Measure unit =
        switch (RexValues.spec(node.getType()).kind()) {
          case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL, WIDE_DECIMAL -> Amount.Measure.NUMBER;
          case INTERVAL_MONTHS -> Amount.Measure.MONTHS;
          case INTERVAL_MICROS -> Amount.Measure.MICROS;
          case REAL, DOUBLE -> node instanceof RexLiteral ? Amount.Measure.NUMBER : noOffset(node);
          default -> noOffset(node);
        };
    if (node instanceof RexLiteral literal) {
      BigDecimal number = literal.getValueAs(BigDecimal.class);
      if (number != null) {
        return new Amount(number, -1, unit);
      }
    }
    return new Amount(null, fields.of(node), unit);
  }

  private static Amount.Measure noOffset(RexNode node) throws NotCovered {
    throw new NotCovered("an offset of type " + GpTypes.named(node.getType()));
  }

  private String text(RexOver over) {
    List<String> names = input.columns().stream().map(SourceColumn::name).toList();
    StringBuilder text = new StringBuilder(over.getAggOperator().getName()).append('(');
    text.append(over.isDistinct() ? "distinct " : "");
    for (int i = 0; i < over.getOperands().size(); i++) {
      text.append(i > 0 ? ", " : "").append(RexText.of(over.getOperands().get(i), names));
    }
    return text.append(')').toString();
  }
}
