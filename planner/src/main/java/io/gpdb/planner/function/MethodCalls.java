package io.gpdb.planner.function;

import io.gpdb.planner.text.Characters;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlTypeName;

/** Makes calls of static methods as expressions, the arguments brought to the parameters' types. */
public final class MethodCalls {
  /** By name and number of parameters. */
  private static final Map<String, Method> METHODS = new HashMap<>();

  private static final Map<Method, SqlOperator> OF_HOST = new ConcurrentHashMap<>();

  static {
    for (Class<?> holder :
        List.of(
            NumberFunctions.class,
            MathFunctions.class,
            Characters.class,
            RegularExpressions.class,
            OctetFunctions.class,
            DigestFunctions.class,
            DateFormats.class,
            TextFunctions.class,
            TimeFunctions.class,
            IntervalFunctions.class,
            CastFunctions.class)) {
      for (Method method : holder.getDeclaredMethods()) {
        if (Modifier.isPublic(method.getModifiers())) {
          METHODS.put(key(method.getName(), method.getParameterCount()), method);
        }
      }
    }
  }

  private final RexBuilder builder;
  private final Function<Method, SqlOperator> operators;

  /**
   * @param operators the operator that calls a method
   */
  public MethodCalls(RexBuilder builder, Function<Method, SqlOperator> operators) {
    this.builder = builder;
    this.operators = operators;
  }

  /** Calls that the host evaluates. */
  public static MethodCalls ofHost(RexBuilder builder) {
    return new MethodCalls(builder, m -> OF_HOST.computeIfAbsent(m, MethodOperator::new));
  }

  private static String key(String function, int parameters) {
    return function + "/" + parameters;
  }

  public RexBuilder builder() {
    return builder;
  }

  /** Whether there is the method, and arguments of texts and bytes are those that it takes. */
  boolean takes(String function, List<RexNode> arguments) {
    Method method = METHODS.get(key(function, arguments.size()));
    if (method == null) {
      return false;
    }
    for (int i = 0; i < arguments.size(); i++) {
      Class<?> parameter = method.getParameterTypes()[i];
      RexNode argument = arguments.get(i);
      boolean text = RexTypes.isText(argument);
      boolean binary = RexTypes.isBinary(argument);
      boolean fits =
          RexTypes.isNull(argument.getType())
              || (text == (parameter == String.class) && binary == (parameter == ByteString.class));
      if (!fits) {
        return false;
      }
    }
    return true;
  }

  public RexNode call(RelDataType type, String function, RexNode... arguments) {
    return call(type, function, Arrays.asList(arguments));
  }

  RexNode call(RelDataType type, String function, List<RexNode> arguments) {
    Method method = METHODS.get(key(function, arguments.size()));
    if (method == null) {
      throw new IllegalArgumentException(key(function, arguments.size()));
    }
    List<RexNode> taken = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      taken.add(taken(method.getParameterTypes()[i], arguments.get(i)));
    }
    return builder.makeCall(type, operators.apply(method), taken);
  }

  private RexNode taken(Class<?> parameter, RexNode argument) {
    if (parameter == String.class) {
      return as(SqlTypeName.VARCHAR, argument);
    }
    if (parameter == long.class) {
      return asLong(argument);
    }
    if (parameter == int.class) {
      return as(SqlTypeName.INTEGER, argument);
    }
    if (parameter == double.class) {
      return asDouble(argument);
    }
    if (parameter == float.class) {
      return as(SqlTypeName.REAL, argument);
    }
    return parameter == BigDecimal.class ? asDecimal(argument) : argument;
  }

  /** A number as one of the type; other values as they are. */
  private RexNode as(SqlTypeName name, RexNode value) {
    RelDataType from = value.getType();
    RelDataType type = type(name, from.isNullable());
    if (RexTypes.isNull(from)) {
      return builder.makeNullLiteral(type);
    }
    boolean number = RexTypes.isInteger(from) || RexTypes.isDecimal(from) || RexTypes.isFloat(from);
    return !number || from.getSqlTypeName() == name
        ? value
        : builder.makeAbstractCast(type, value, false);
  }

  /** The value of a numeric type as BIGINT. */
  public RexNode asLong(RexNode value) {
    return as(SqlTypeName.BIGINT, value);
  }

  public RexNode asDouble(RexNode value) {
    return value.getType().getSqlTypeName() == SqlTypeName.FLOAT
        ? value
        : as(SqlTypeName.DOUBLE, value);
  }

  /** The value of an exact type as DECIMAL, of any number of digits. */
  public RexNode asDecimal(RexNode value) {
    if (RexTypes.isNull(value.getType())) {
      return builder.makeNullLiteral(decimal(18, 0, true));
    }
    return RexTypes.isInteger(value.getType())
        ? call(decimal(18, 0, value.getType().isNullable()), "decimalOf", value)
        : value;
  }

  public RexNode integer(int value) {
    return builder.makeExactLiteral(BigDecimal.valueOf(value));
  }

  RexNode text(String value) {
    return builder.makeLiteral(value);
  }

  public RelDataType type(SqlTypeName name, boolean nullable) {
    return builder
        .getTypeFactory()
        .createTypeWithNullability(builder.getTypeFactory().createSqlType(name), nullable);
  }

  public RelDataType decimal(int precision, int scale, boolean nullable) {
    return builder
        .getTypeFactory()
        .createTypeWithNullability(
            builder.getTypeFactory().createSqlType(SqlTypeName.DECIMAL, precision, scale),
            nullable);
  }

  /** A BIGINT as the smaller type, checked. */
  RexNode narrowed(RelDataType type, RexNode value) {
    return switch (type.getSqlTypeName()) {
      case TINYINT -> call(type, "toTinyint", value);
      case SMALLINT -> call(type, "toSmallint", value);
      case INTEGER -> call(type, "toInteger", value);
      default -> value;
    };
  }
}
