package io.gpdb.bench.calls;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Reader;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.Date;
import java.sql.JDBCType;
import java.sql.SQLException;
import java.sql.SQLType;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Calendar;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Arguments that nobody should pass, among some that are sensible. */
final class OddValues {
  private static final List<String> TEXTS =
      List.of(
          "SELECT id, i, l, d, r, f, c, v, b, t, s, o FROM all_types",
          "SELECT i + 1, l - 1, d * 10, v FROM all_types WHERE id = 1",
          "SELECT i + 1 FROM all_types",
          "SELECT * FROM all_types WHERE id = ? AND v > ?",
          "SELECT ?, CAST(? AS DATE), ? + 1",
          "SELECT a, count(*) FROM pairs GROUP BY a ORDER BY 2",
          "SELECT p.a, q.b FROM pairs p JOIN pairs q ON p.b = q.a",
          "INSERT INTO pairs VALUES (?, ?)",
          "INSERT INTO all_types VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          "INSERT INTO pairs VALUES (1, 2), (3, 4)",
          "UPDATE pairs SET b = b + 1 WHERE a < ?",
          "UPDATE all_types SET i = i + 1 WHERE id = 2",
          "DELETE FROM pairs WHERE a = 3; SELECT count(*) FROM pairs",
          "BEGIN",
          "COMMIT",
          "ROLLBACK",
          "SAVEPOINT s",
          "ROLLBACK TO SAVEPOINT s",
          "SET autocommit = on",
          "SHOW ALL",
          "CREATE TABLE made (a INTEGER)",
          "DROP TABLE made",
          "TRUNCATE TABLE pairs",
          "VACUUM pairs",
          "EXPLAIN SELECT * FROM pairs",
          "COPY pairs FROM '/no/such/file' (FORMAT CSV)",
          "{call nothing(?)}",
          "SELEC 1",
          "",
          ";",
          "?",
          "'",
          "\0",
          "%",
          "\\",
          "PAIRS",
          "ALL_TYPES",
          "id",
          "V",
          "PUBLIC",
          "2001-02-03",
          "12:34:56",
          "99999999999999999999",
          "1e400",
          "1e-1000",
          "NaN",
          "👍x",
          "\ud83d",
          "x".repeat(5000));

  private static final List<JDBCType> TYPES = List.of(JDBCType.values());

  private static final int[] INTS = {
    Integer.MIN_VALUE, -1000, -1, 0, 9, 12, 13, 100, 2000, 4096, Integer.MAX_VALUE
  };
  private static final long[] LONGS = {
    Long.MIN_VALUE, -1, 0, 1, 2, 7, 1L << 31, 1L << 40, Long.MAX_VALUE, Long.MAX_VALUE / 1000
  };
  private static final double[] DOUBLES = {
    0, -0.0, 1.5, -1e300, 1e300, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE
  };
  private static final List<String> USUAL =
      List.of("createStatement", "prepareStatement", "getMetaData", "setSavepoint");

  private OddValues() {}

  /** The tables that the texts name. */
  static void tables(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE all_types (id INTEGER PRIMARY KEY, i INTEGER, l BIGINT, d DECIMAL(18, 2),"
              + " r REAL, f DOUBLE, c CHAR(3), v VARCHAR(100), b BOOLEAN, t DATE, s TIMESTAMP,"
              + " o TIME)");
      statement.execute("CREATE TABLE pairs (a INTEGER, b INTEGER)");
      statement.execute(
          "INSERT INTO all_types VALUES (1, 2147483647, -9223372036854775807,"
              + " 9999999999999999.99, 1.5, -2.5e300, 'abc', '12', TRUE, DATE '2001-02-03',"
              + " TIMESTAMP '2001-02-03 04:05:06.789', TIME '04:05:06'),"
              + " (2, 7, 7, 7, 7, 7, '7', '7', FALSE, DATE '0001-01-01',"
              + " TIMESTAMP '9999-12-31 23:59:59', TIME '23:59:59'),"
              + " (3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)");
      statement.execute("INSERT INTO pairs VALUES (1, 1), (1, 2), (2, 3), (3, NULL)");
    }
  }

  /** A method that leads to more objects. */
  static Method usual(List<Method> methods, Random random) {
    String name = USUAL.get(random.nextInt(USUAL.size()));
    List<Method> named = methods.stream().filter(m -> m.getName().equals(name)).toList();
    return named.isEmpty()
        ? methods.get(random.nextInt(methods.size()))
        : named.get(random.nextInt(named.size()));
  }

  static @Nullable Object[] arguments(Method method, Random random) {
    Class<?>[] types = method.getParameterTypes();
    @Nullable Object[] arguments = new @Nullable Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] =
          types[i].isPrimitive() ? primitive(types[i], random) : object(types[i], random);
    }
    return arguments;
  }

  private static Object primitive(Class<?> type, Random random) {
    if (type == boolean.class) {
      return random.nextBoolean();
    } else if (type == byte.class) {
      return (byte) random.nextInt();
    } else if (type == short.class) {
      return (short) random.nextInt();
    } else if (type == int.class) {
      return anInt(random);
    } else if (type == long.class) {
      return aLong(random);
    } else if (type == float.class) {
      return (float) DOUBLES[random.nextInt(DOUBLES.length)];
    }
    return DOUBLES[random.nextInt(DOUBLES.length)];
  }

  private static int anInt(Random random) {
    return random.nextInt(3) > 0 ? 1 + random.nextInt(6) : INTS[random.nextInt(INTS.length)];
  }

  private static long aLong(Random random) {
    return LONGS[random.nextInt(LONGS.length)];
  }

  private static @Nullable Object object(Class<?> type, Random random) {
    if (random.nextInt(8) == 0) {
      return null;
    }
    if (type == Object.class) {
      return anything(random);
    }
    if (type == String.class) {
      return TEXTS.get(random.nextInt(TEXTS.size()));
    } else if (type == BigDecimal.class) {
      return decimal(random);
    } else if (type == Date.class) {
      return new Date(aLong(random));
    } else if (type == Time.class) {
      return new Time(aLong(random));
    } else if (type == Timestamp.class) {
      return new Timestamp(aLong(random));
    } else if (type == Calendar.class) {
      return OddObjects.calendar(random);
    } else if (type == Class.class) {
      return OddObjects.aClass(random);
    } else if (type == Map.class) {
      return random.nextBoolean() ? Map.of() : Map.of("T", String.class);
    } else if (type == InputStream.class) {
      return OddObjects.stream(random);
    } else if (type == Reader.class) {
      return OddObjects.reader(random);
    }
    return further(type, random);
  }

  private static @Nullable Object further(Class<?> type, Random random) {
    if (type == Executor.class) {
      return executor(random);
    } else if (type == Properties.class) {
      Properties properties = new Properties();
      properties.setProperty("ApplicationName", "calls");
      properties.put("x", new Object());
      return properties;
    } else if (type == SQLType.class) {
      return TYPES.get(random.nextInt(TYPES.size()));
    } else if (type == PrintWriter.class) {
      return new PrintWriter(java.io.Writer.nullWriter());
    } else if (type == byte[].class) {
      return new byte[random.nextInt(5)];
    } else if (type == int[].class) {
      return new int[] {anInt(random)};
    } else if (type == String[].class) {
      return new @Nullable String[] {"TABLE", random.nextBoolean() ? null : "A"};
    } else if (type == Object[].class) {
      return new Object[] {1, "x"};
    } else if (type.isInterface()) {
      return foreign(type, random.nextInt(4));
    }
    return null;
  }

  private static Executor executor(Random random) {
    return switch (random.nextInt(3)) {
      case 0 ->
          task -> {
            throw new RejectedExecutionException("no more tasks");
          };
      default -> Runnable::run;
    };
  }

  private static BigDecimal decimal(Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> new BigDecimal("1e1000000");
      case 1 -> new BigDecimal(BigInteger.ONE, Integer.MAX_VALUE);
      case 2 -> new BigDecimal("-12345678901234567890.123456789");
      default -> new BigDecimal("12.5");
    };
  }

  @SuppressWarnings("JavaUtilDate") // what is odd is wanted
  private static @Nullable Object anything(Random random) {
    return switch (random.nextInt(16)) {
      case 0 -> LocalDate.MAX;
      case 1 -> LocalDateTime.MIN;
      case 2 -> LocalTime.MAX;
      case 3 -> Instant.MAX;
      case 4 -> OffsetDateTime.MIN;
      case 5 -> new java.util.Date(aLong(random));
      case 6 -> new Object();
      case 7 -> new int[] {1};
      case 8 -> UUID.nameUUIDFromBytes(new byte[2]);
      case 9 -> BigInteger.ONE.shiftLeft(200);
      case 10 -> OddObjects.stream(random);
      case 11 -> foreign(java.sql.Clob.class, random.nextInt(4));
      case 12 -> aLong(random);
      case 13 -> anInt(random);
      case 14 -> DOUBLES[random.nextInt(DOUBLES.length)];
      default -> decimal(random);
    };
  }

  /** An object of another driver, which answers nothing or fails. */
  @SuppressWarnings("ReferenceEquality") // a proxy equals itself
  private static Object foreign(Class<?> type, int way) {
    return Proxy.newProxyInstance(
        OddValues.class.getClassLoader(),
        new Class<?>[] {type},
        (self, method, arguments) -> {
          if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
              case "hashCode" -> 1;
              case "equals" -> arguments != null && self == arguments[0];
              default -> "foreign " + type.getSimpleName();
            };
          }
          if (way == 0) {
            throw new SQLException("the foreign object failed", "58000");
          } else if (way == 1) {
            throw new IllegalStateException("the foreign object broke");
          }
          Class<?> result = method.getReturnType();
          return result.isPrimitive() && result != void.class
              ? primitive(result, new Random(way))
              : null;
        });
  }
}
