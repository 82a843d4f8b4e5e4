package io.gpdb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Foreign keys in DatabaseMetaData, as H2 and HSQLDB show them. */
class ForeignKeyMetaDataTest {
  private static final String[] COLUMNS = {
    "PKTABLE_SCHEM",
    "PKTABLE_NAME",
    "PKCOLUMN_NAME",
    "FKTABLE_SCHEM",
    "FKTABLE_NAME",
    "FKCOLUMN_NAME",
    "KEY_SEQ",
    "UPDATE_RULE",
    "DELETE_RULE",
    "FK_NAME",
    "PK_NAME"
  };

  private static final String[] ACTIONS = {"", "CASCADE", "SET NULL", "SET DEFAULT", "NO ACTION"};

  @Test
  void importedAndExportedKeysAreThoseOfOtherDatabases() throws SQLException {
    long seed = Long.getLong("gpdb.seed", 5);
    System.out.println("ForeignKeyMetaDataTest: seed " + seed);
    List<String> statements = statements(new Random(seed));
    List<List<String>> all = new ArrayList<>();
    for (String url :
        List.of("jdbc:gpdb:mem:fkmeta", "jdbc:h2:mem:fkmeta", "jdbc:hsqldb:mem:fkmeta")) {
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        for (String sql : statements) {
          statement.execute(sql);
        }
        all.add(described(connection.getMetaData()));
      }
    }
    assertThat(all.getFirst()).hasSizeGreaterThan(30);
    assertThat(all.getFirst()).isEqualTo(all.get(1));
    assertThat(all.getFirst()).isEqualTo(all.get(2));
  }

  private static List<String> statements(Random random) {
    List<String> statements = new ArrayList<>();
    for (int t = 0; t < 6; t++) {
      statements.add(
          ("CREATE TABLE T%d (A INTEGER NOT NULL, B INTEGER DEFAULT 1 NOT NULL, C INTEGER DEFAULT 2,"
                  + " CONSTRAINT P%d PRIMARY KEY (A, B), CONSTRAINT U%d UNIQUE (C))")
              .formatted(t, t, t));
    }
    Set<String> made = new HashSet<>();
    for (int k = 0; k < 14; k++) {
      int child = random.nextInt(6);
      int parent = random.nextInt(6);
      boolean wide = random.nextBoolean();
      if (!made.add(child + " " + parent + wide)) {
        continue; // HSQLDB takes no two over the same columns
      }
      String delete = action(random, wide, " ON DELETE ");
      String update = action(random, wide, " ON UPDATE ");
      statements.add(
          "ALTER TABLE T%d ADD CONSTRAINT F%02d FOREIGN KEY (%s) REFERENCES T%d (%s)%s%s"
              .formatted(
                  child, k, wide ? "B, A" : "C", parent, wide ? "A, B" : "C", update, delete));
    }
    return statements;
  }

  private static String action(Random random, boolean wide, String event) {
    String action = ACTIONS[random.nextInt(ACTIONS.length)];
    return action.isEmpty() || (wide && action.startsWith("SET")) ? "" : event + action;
  }

  private static List<String> described(DatabaseMetaData metaData) throws SQLException {
    List<String> rows = new ArrayList<>();
    for (int t = 0; t < 6; t++) {
      add(rows, "imported", metaData.getImportedKeys(null, "PUBLIC", "T" + t));
      add(rows, "exported", metaData.getExportedKeys(null, null, "T" + t));
      for (int other = 0; other < 6; other++) {
        add(
            rows,
            "cross",
            metaData.getCrossReference(null, "PUBLIC", "T" + t, null, null, "T" + other));
      }
    }
    rows.sort(null); // databases order the keys of one table differently
    return rows;
  }

  private static void add(List<String> rows, String kind, ResultSet keys) throws SQLException {
    try (keys) {
      while (keys.next()) {
        StringBuilder row = new StringBuilder(kind);
        for (String column : COLUMNS) {
          row.append('|').append(rule(column, keys.getString(column)));
        }
        rows.add(row.toString());
      }
    }
  }

  /** What no action is, is RESTRICT in H2. */
  private static String rule(String column, String value) {
    boolean restrict = value.equals("" + DatabaseMetaData.importedKeyRestrict);
    return column.endsWith("_RULE") && restrict ? "" + DatabaseMetaData.importedKeyNoAction : value;
  }
}
