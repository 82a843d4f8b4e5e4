package io.gpdb.jdbc;

import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.jdbc.value.Wrappers;
import io.gpdb.storage.error.ErrorCode;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The call of a function or procedure as JDBC writes it: {@code {? = call f(?)}} is a query of one
 * value, which its first parameter returns; the parameters OUT and INOUT of {@code {call p(?)}}
 * return what the row has that the procedure returns; {@code {call f(?)}} and any other statement
 * is what it is when it is prepared. It answers the more than 200 methods of {@link
 * CallableStatement} by the methods of the same names of the prepared statement and of the row with
 * the value.
 */
final class CalledFunction implements InvocationHandler {
  private static final Pattern RETURNS =
      Pattern.compile(
          "\\s*\\{?\\s*\\?\\s*=\\s*call\\s+(.+?)\\}?;?\\s*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private final PreparedStatement statement;

  /** Whether the first parameter is what the function returns. */
  private final boolean returns;

  /** What a procedure returns. */
  private final List<ReturnedParameter> returned;

  private boolean registered;
  private @Nullable ResultSet row;

  private CalledFunction(PreparedStatement statement, boolean returns) {
    this.statement = statement;
    this.returns = returns;
    this.returned =
        statement instanceof GpdbPreparedStatement own ? own.returnedParameters() : List.of();
  }

  /** Prepares a statement, with the options that a connection was asked for. */
  interface Preparing {
    PreparedStatement prepare(String sql) throws SQLException;
  }

  static CallableStatement prepare(String sql, Preparing preparing) throws SQLException {
    Matcher call = RETURNS.matcher(SqlErrors.given("the statement", sql));
    boolean returns = call.matches();
    PreparedStatement statement =
        preparing.prepare(returns ? "{call " + call.group(1).strip() + "}" : sql);
    return (CallableStatement)
        Proxy.newProxyInstance(
            CalledFunction.class.getClassLoader(),
            new Class<?>[] {CallableStatement.class},
            new CalledFunction(statement, returns));
  }

  @Override
  public @Nullable Object invoke(
      Object self, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    @Nullable Object[] given = arguments == null ? new @Nullable Object[0] : arguments;
    if (method.getDeclaringClass() == CallableStatement.class) {
      return ofCall(method, given);
    }
    return switch (method.getName()) {
      case "equals" -> isSame(self, given[0]);
      case "hashCode" -> System.identityHashCode(self);
      case "toString" -> "call of " + statement;
      case "isWrapperFor" -> Wrappers.isOf(self, (Class<?>) given[0]);
      case "unwrap" -> unwrapped(self, (Class<?>) given[0]);
      case "execute", "executeUpdate", "executeLargeUpdate", "executeQuery" ->
          given.length > 0 ? called(method, statement, given) : executed(method);
      case "getResultSet" -> ofResult(method, given, null);
      case "getMoreResults" -> ofResult(method, given, false);
      case "getUpdateCount" -> ofResult(method, given, -1);
      case "getLargeUpdateCount" -> ofResult(method, given, -1L);
      case "close" -> closed(method);
      case "getConnection" -> connection();
      case "getParameterMetaData" -> parameters();
      default -> called(method, statement, shifted(method, given));
    };
  }

  @SuppressWarnings("ReferenceEquality") // a proxy equals itself alone
  private static boolean isSame(Object self, @Nullable Object other) {
    return self == other;
  }

  private static Object unwrapped(Object self, Class<?> type) throws SQLException {
    return Wrappers.unwrap(self, type);
  }

  private Connection connection() throws SQLException {
    return statement.getConnection();
  }

  private ParameterMetaData parameters() throws SQLException {
    return returns && statement instanceof GpdbPreparedStatement of
        ? of.parametersOfCall()
        : statement.getParameterMetaData();
  }

  private @Nullable Object closed(Method method) throws Throwable {
    row = null;
    return called(method, statement, new @Nullable Object[0]);
  }

  /** Whether parameters have what the call returns, which then is no result to be asked for. */
  private boolean returnsValues() {
    return returns || !returned.isEmpty();
  }

  /**
   * @param none what the method returns where there is no result
   */
  private @Nullable Object ofResult(Method method, @Nullable Object[] given, @Nullable Object none)
      throws Throwable {
    if (!returnsValues()) {
      return called(method, statement, given);
    }
    requireOpen();
    return none;
  }

  /** Executes the function, keeps the row with what it returned, and answers as for no rows. */
  private @Nullable Object executed(Method method) throws Throwable {
    if (!returnsValues()) {
      return called(method, statement, new @Nullable Object[0]);
    }
    for (ReturnedParameter parameter : returned) {
      if (!parameter.takesValue()) {
        statement.setNull(parameter.position(), Types.OTHER);
      }
    }
    if (returns && !registered) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT, "parameter 1, which the call returns, is not registered");
    }
    ResultSet found = statement.executeQuery();
    var _ = found.next();
    row = found;
    return switch (method.getName()) {
      case "execute" -> false;
      case "executeUpdate" -> 0;
      case "executeLargeUpdate" -> 0L;
      default ->
          throw SqlErrors.of(
              ErrorCode.INVALID_ARGUMENT, "the call returns a value, which is no result set");
    };
  }

  /** Setters by position count the value that is returned as the first. */
  private @Nullable Object[] shifted(Method method, @Nullable Object[] given) throws SQLException {
    boolean byPosition =
        method.getDeclaringClass() == PreparedStatement.class
            && method.getName().startsWith("set")
            && given.length > 0;
    if (!returns || !byPosition) {
      return given;
    }
    int position = (Integer) Objects.requireNonNull(given[0]);
    if (position == 1) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT, "parameter 1 is what the call returns, and takes no value");
    }
    @Nullable Object[] shifted = given.clone();
    shifted[0] = position - 1;
    return shifted;
  }

  private @Nullable Object ofCall(Method method, @Nullable Object[] given) throws Throwable {
    requireOpen();
    if (method.getName().equals("wasNull")) {
      return called(inRow("wasNull"), values(), given);
    }
    if (!(given[0] instanceof Integer position)) {
      return byName(method, given);
    }
    int column = column(position);
    if (method.getName().equals("registerOutParameter")) {
      registered = true;
      return null;
    }
    @Nullable Object[] inRow = given.clone();
    inRow[0] = column;
    return called(inRow(method.getName(), method.getParameterTypes()), values(), inRow);
  }

  /** A method that names a parameter as the one of its name that has the position. */
  private @Nullable Object byName(Method method, @Nullable Object[] given) throws Throwable {
    @Nullable Object[] byPosition = given.clone();
    byPosition[0] =
        CallNames.position(
            statement instanceof GpdbPreparedStatement own ? own.called() : null, given[0]);
    Class<?>[] types = method.getParameterTypes();
    types[0] = int.class;
    return method.getName().startsWith("set")
        ? called(PreparedStatement.class.getMethod(method.getName(), types), statement, byPosition)
        : ofCall(CallableStatement.class.getMethod(method.getName(), types), byPosition);
  }

  /** The column of the row that has the value of a parameter. */
  private int column(int position) throws SQLException {
    if (returns && position == 1) {
      return 1;
    }
    for (ReturnedParameter parameter : returned) {
      if (parameter.position() == position) {
        return parameter.column();
      }
    }
    throw SqlErrors.of(
        ErrorCode.INVALID_ARGUMENT, "parameter " + position + " of the call returns no value");
  }

  private void requireOpen() throws SQLException {
    var _ = statement.getMaxRows();
  }

  private static Method inRow(String name, Class<?>... types) throws NoSuchMethodException {
    return ResultSet.class.getMethod(name, types);
  }

  private ResultSet values() throws SQLException {
    ResultSet found = row;
    if (found == null) {
      throw SqlErrors.of(ErrorCode.INVALID_ARGUMENT, "the call has not been executed");
    }
    return found;
  }

  private static @Nullable Object called(Method method, Object target, @Nullable Object[] given)
      throws Throwable {
    try {
      return method.invoke(target, given);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
