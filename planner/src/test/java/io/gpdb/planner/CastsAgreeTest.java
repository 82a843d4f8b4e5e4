package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A cast has one outcome, whoever evaluates it: kernels, the host, Calcite, or the planner. Rows
 * and constants with a value are cast in one query for each pair of types; Calcite, which compiles
 * each query, gets a third of them, drawn by {@code -Dgpdb.seed=S}, and all with {@code
 * -Dgpdb.fuzz=2}.
 */
class CastsAgreeTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final boolean ALL = Integer.getInteger("gpdb.fuzz", 1) > 1;
  private static final Map<String, List<String>> VALUES = new LinkedHashMap<>();

  static {
    VALUES.put("BOOLEAN", List.of("TRUE", "FALSE"));
    VALUES.put("SMALLINT", List.of("0", "-32768", "32767"));
    VALUES.put("INTEGER", List.of("0", "-2147483648", "2147483647"));
    VALUES.put("BIGINT", List.of("1", "9223372036854775807"));
    VALUES.put("REAL", List.of("0.5", "-1.5", "3.4E38", "1E-40", "16777216"));
    VALUES.put("DOUBLE", List.of("2.5", "-0.0", "1E300", "0.1", "9.3E18"));
    VALUES.put("DECIMAL(8, 2)", List.of("0.00", "-999999.99", "0.50", "1.50"));
    VALUES.put("DECIMAL(18, 0)", List.of("999999999999999999", "-1"));
    VALUES.put(
        "DECIMAL(30, 8)",
        List.of("0.00", "-9999999999999999999999.99999999", "0.50", "32767.50", "1.5"));
    VALUES.put("DECIMAL(38, 0)", List.of("99999999999999999999999999999999999999", "-1"));
    VALUES.put("DATE", List.of("DATE '2020-02-29'", "DATE '0001-01-01'", "DATE '9999-12-31'"));
    VALUES.put("TIME", List.of("TIME '00:00:00'", "TIME '23:59:59.999999'"));
    VALUES.put(
        "TIMESTAMP",
        List.of("TIMESTAMP '1969-12-31 23:59:59.5'", "TIMESTAMP '9999-12-31 23:59:59.999999'"));
    VALUES.put("CHAR(6)", List.of("'ab'", "''", "'12'", "'1.50'", "'true'"));
    VALUES.put(
        "VARCHAR(40)",
        List.of(
            "''",
            "' 7 '",
            "'1e3'",
            "'1e400'",
            "'-0.005'",
            "'99999999999999999999'",
            "'no'",
            "'👍é'",
            "'2020-02-29'",
            "'550e8400e29b41d4a71644665544000'",
            "'2021-02-29'",
            "'23:59:59.9999999'",
            "'2020-02-29 10:00:00.1235Z'",
            "'2020-02-29 10:00:00.123'",
            "'-3'",
            "'1 02:03:04.56'"));
    VALUES.put(
        "TIMESTAMP WITH TIME ZONE",
        List.of(
            "TIMESTAMP WITH TIME ZONE '1969-12-31 23:59:59.5Z'",
            "TIMESTAMP '2020-06-01 12:00:00.1235+14:00'"));
    VALUES.put("INTERVAL HOUR(4)", List.of("INTERVAL '5' HOUR", "INTERVAL '-1000' HOUR"));
    VALUES.put(
        "INTERVAL SECOND(5)", List.of("INTERVAL '-0.000002' SECOND", "INTERVAL '99999.5' SECOND"));
    VALUES.put("INTERVAL YEAR(4) TO MONTH", List.of("INTERVAL '-1000-11' YEAR TO MONTH"));
    VALUES.put("UUID", List.of("UUID '550e8400-e29b-41d4-a716-446655440000'"));
    VALUES.put("VARBINARY", List.of("X''", "X'00ff'", "X'3132'"));
  }

  private static final String[] TARGETS = {
    "BOOLEAN",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "REAL",
    "DOUBLE",
    "DECIMAL(8, 2)",
    "DECIMAL(18, 0)",
    "DECIMAL(18, 10)",
    "DECIMAL(20, 2)",
    "DECIMAL(38, 0)",
    "DECIMAL(38, 38)",
    "DATE",
    "TIME",
    "TIME(0)",
    "TIMESTAMP",
    "TIMESTAMP(3)",
    "CHAR(3)",
    "CHAR(30)",
    "VARCHAR(3)",
    "VARCHAR(30)",
    "VARCHAR",
    "VARBINARY",
    "TIMESTAMP WITH TIME ZONE",
    "TIMESTAMP(3) WITH TIME ZONE",
    "INTERVAL HOUR",
    "INTERVAL DAY(6) TO SECOND(1)",
    "INTERVAL SECOND(8, 3)",
    "INTERVAL YEAR",
    "INTERVAL MONTH(8)",
    "UUID"
  };

  private static EndToEnd db;

  @BeforeAll
  static void create() {
    db = new EndToEnd();
    int table = 0;
    for (Map.Entry<String, List<String>> type : VALUES.entrySet()) {
      String name = "t" + table++;
      db.script("CREATE TABLE " + name + " (i INTEGER, a " + type.getKey() + ")");
      for (int i = 0; i < type.getValue().size(); i++) {
        String value = type.getValue().get(i);
        db.script("INSERT INTO " + name + " VALUES (" + i + ", " + value + ")");
      }
    }
  }

  @AfterAll
  static void close() {
    db.close();
  }

  @Test
  void everyCastHasOneOutcome() {
    List<String> differ = new ArrayList<>();
    Random random = new Random(SEED);
    int table = 0;
    for (Map.Entry<String, List<String>> type : VALUES.entrySet()) {
      String name = "t" + table++;
      for (String target : TARGETS) {
        List<String> constants = new ArrayList<>();
        List<String> values = new ArrayList<>();
        List<String> outcomes = outcomes(differ, name, target, type.getValue().size(), random);
        for (int i = 0; i < type.getValue().size(); i++) {
          String read = outcomes.get(i);
          String value = "CAST(" + type.getValue().get(i) + " AS " + type.getKey() + ")";
          String constant = "CAST(" + value + " AS " + target + ")";
          if (read.startsWith("[")) {
            constants.add(constant);
            values.add(read.substring(1, read.length() - 1));
          } else {
            checkConstants(differ, read, constant, random);
          }
        }
        if (!constants.isEmpty()) {
          String row = "[" + String.join("|", values) + "]";
          checkConstants(differ, row, String.join(", ", constants), random);
        }
      }
    }
    assertThat(differ).as("seed %d", SEED).isEmpty();
  }

  /** Of all rows of the table together, or one by one where the cast of some of them fails. */
  private static List<String> outcomes(
      List<String> differ, String table, String type, int rows, Random random) {
    String query = "SELECT CAST(a AS " + type + ") FROM " + table;
    boolean compared = isCompared(random);
    try {
      List<String> all = db.rows(query);
      if (!compared || all.equals(db.bridgeRows(query))) {
        return all.stream().map(value -> "[" + value + "]").toList();
      }
    } catch (GpdbException e) {
      // a row fails: which?
    }
    List<String> outcomes = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      int id = i;
      String one = query + " WHERE i = ?";
      String read = outcome(() -> db.rows(one, id));
      if (compared) {
        check(differ, read, outcome(() -> db.bridgeRows(one, id)), "Calcite: " + one + id);
      }
      outcomes.add(read);
    }
    return outcomes;
  }

  private static void checkConstants(
      List<String> differ, String expected, String constants, Random random) {
    String query = "SELECT " + constants;
    check(differ, expected, outcome(() -> db.rows(query)), query);
    if (isCompared(random)) {
      check(differ, expected, outcome(() -> db.bridgeRows(query)), "Calcite: " + query);
    }
  }

  private static boolean isCompared(Random random) {
    return ALL || random.nextInt(3) == 0;
  }

  private static void check(List<String> differ, String expected, String actual, String what) {
    if (!actual.equals(expected)) {
      differ.add(what + ": " + actual + ", not " + expected);
    }
  }

  private static String outcome(Supplier<List<String>> rows) {
    try {
      return rows.get().toString();
    } catch (GpdbException e) {
      return e.code().sqlState();
    }
  }
}
