package io.gpdb.bench.calls;

import io.gpdb.jdbc.GpdbConnection;
import io.gpdb.jdbc.GpdbDataSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A database in memory and some hundred random calls of the objects that come of it. One episode in
 * four has its objects shared by several threads, and then does not repeat exactly.
 */
final class Episode {
  private static final int CALLS = 400;
  private static final int THREADS = 3;
  private static final int OBJECTS_MAX = 40;
  private static final Map<Class<?>, List<Method>> METHODS = new ConcurrentHashMap<>();

  private final long seed;
  private final CallsReport report;
  private final List<Object> objects = new ArrayList<>();

  /** Also those that are called no more, whose transactions go on. */
  private final Set<Connection> connections = new LinkedHashSet<>();

  private final Map<Thread, Call> running = new ConcurrentHashMap<>();

  Episode(long seed, CallsReport report) {
    this.seed = seed;
    this.report = report;
  }

  String place() {
    return "--seed " + seed + " --seconds 0";
  }

  @Nullable Call longerThan(long nanos) {
    for (Call call : running.values()) {
      if (System.nanoTime() - call.sinceNanos() > nanos) {
        return call;
      }
    }
    return null;
  }

  void run() {
    report.episode();
    GpdbDataSource source = new GpdbDataSource("jdbc:gpdb:mem:calls" + seed);
    try (Connection keeper = source.getConnection()) {
      OddValues.tables(keeper);
      add(source);
      add(source.getConnection());
      callAll();
      requireSound(keeper);
      closeAll();
    } catch (SQLException e) {
      report.defect("the database is broken afterwards: " + e.getMessage(), place());
    }
  }

  private void callAll() {
    if (seed % 4 != 3) {
      callAll(new Random(seed));
      return;
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(seed * THREADS + i);
      threads.add(Thread.ofPlatform().daemon().start(() -> callAll(random)));
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void callAll(Random random) {
    for (int i = 0; i < CALLS; i++) {
      Object object = pick(random);
      List<Method> methods = methods(object.getClass());
      Method method =
          random.nextInt(3) == 0 && object instanceof Connection
              ? OddValues.usual(methods, random)
              : methods.get(random.nextInt(methods.size()));
      call(object, method, random);
    }
  }

  private synchronized Object pick(Random random) {
    return objects.get(random.nextInt(objects.size()));
  }

  /** Closed objects stay for a while: they are called, too. */
  private synchronized void add(Object object) {
    if (objects.size() >= OBJECTS_MAX) {
      objects.remove(2 + Math.floorMod(report.calls(), OBJECTS_MAX - 2));
    }
    objects.add(object);
    if (object instanceof Connection connection) {
      connections.add(connection);
    }
  }

  private void call(Object object, Method method, Random random) {
    String name = method.getDeclaringClass().getSimpleName() + "." + method.getName();
    @Nullable Object[] arguments = OddValues.arguments(method, random);
    report.called(name + Arrays.toString(method.getParameterTypes()));
    Thread me = Thread.currentThread();
    running.put(me, new Call(name, me, System.nanoTime()));
    try {
      Object result = method.invoke(object, arguments);
      if (result != null && isOfDriver(result)) {
        add(result);
      }
    } catch (InvocationTargetException e) {
      report.refusal();
      Throwable thrown = e.getCause() == null ? e : e.getCause();
      String wrong = Verdict.of(thrown);
      if (wrong != null) {
        report.defect(name + ": " + wrong, place() + " " + text(arguments) + " " + at(thrown));
      }
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    } finally {
      running.remove(me);
    }
  }

  /** Not the streams and writers that large objects return. */
  private static boolean isOfDriver(Object result) {
    return result instanceof CallableStatement
        || (result.getClass().getName().startsWith("io.gpdb.jdbc.")
            && !methods(result.getClass()).isEmpty());
  }

  private static String text(@Nullable Object[] arguments) {
    List<String> texts = new ArrayList<>();
    for (Object argument : arguments) {
      String text =
          argument == null || argument.getClass().isArray() ? "" + argument : argument.toString();
      texts.add(text.length() > 60 ? text.substring(0, 60) + "…" : text);
    }
    return texts.toString();
  }

  private static String at(Throwable thrown) {
    Throwable deepest = thrown;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    List<StackTraceElement> trace = List.of(deepest.getStackTrace());
    return deepest + " at " + trace.subList(0, Math.min(8, trace.size()));
  }

  /** The methods of the interfaces of java.sql and javax.sql, in one order everywhere. */
  private static List<Method> methods(Class<?> type) {
    return METHODS.computeIfAbsent(
        type,
        of -> {
          Set<Class<?>> interfaces = new LinkedHashSet<>();
          for (Class<?> c = of; c != null; c = c.getSuperclass()) {
            collect(c, interfaces);
          }
          Set<String> seen = new HashSet<>();
          return interfaces.stream()
              .flatMap(i -> Arrays.stream(i.getDeclaredMethods()))
              .filter(m -> Modifier.isPublic(m.getModifiers()))
              .filter(m -> !Modifier.isStatic(m.getModifiers()))
              .filter(m -> seen.add(m.getName() + Arrays.toString(m.getParameterTypes())))
              .sorted(Comparator.comparing(Method::toGenericString))
              .toList();
        });
  }

  private static void collect(Class<?> type, Set<Class<?>> interfaces) {
    for (Class<?> each : type.getInterfaces()) {
      if (each.getName().startsWith("java.sql.") || each.getName().startsWith("javax.sql.")) {
        interfaces.add(each);
      }
      collect(each, interfaces);
    }
  }

  /** Every connection that is open still answers, and so does the database. */
  private synchronized void requireSound(Connection keeper) throws SQLException {
    for (Connection connection : connections) {
      if (!connection.isClosed()) {
        requireAnswer(connection);
        if (connection.unwrap(GpdbConnection.class).inTransaction()) {
          connection.rollback();
        }
      }
    }
    requireAnswer(keeper);
    try (Statement statement = keeper.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS after_calls (a INTEGER PRIMARY KEY)");
      statement.executeUpdate("INSERT INTO after_calls VALUES (1)");
    }
  }

  private static void requireAnswer(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT 40 + 2")) {
      if (!rows.next() || rows.getInt(1) != 42 || rows.next()) {
        throw new SQLException("a wrong answer");
      }
    }
  }

  private synchronized void closeAll() throws SQLException {
    for (Connection connection : connections) {
      connection.close();
    }
  }
}
