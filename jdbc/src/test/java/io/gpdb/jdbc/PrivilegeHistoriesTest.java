package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random GRANT and REVOKE, of privileges and roles, beside changes of what they are on, rollbacks
 * and reopening: INFORMATION_SCHEMA shows what a model of single grants says.
 */
class PrivilegeHistoriesTest {
  private static final List<String> ACTIONS =
      List.of("SELECT", "INSERT", "UPDATE", "DELETE", "REFERENCES", "TRIGGER");
  private static final int STATEMENTS = 90;

  private final long seed = Long.getLong("gpdb.seed", 7);
  private final Random random = new Random(seed);
  private Model model = new Model();

  /** What was granted on the table (column empty) and on columns, by its words, and with what. */
  private static final class Model {
    final Map<String, Boolean> granted = new HashMap<>();
    final Map<String, Boolean> members = new HashMap<>();
    final Map<String, Boolean> usage = new HashMap<>(); // of the domain, by grantee
    final TreeSet<String> roles = new TreeSet<>();
    List<String> columns = new ArrayList<>(List.of("A", "B"));

    Model copy() {
      Model copy = new Model();
      copy.granted.putAll(granted);
      copy.members.putAll(members);
      copy.usage.putAll(usage);
      copy.roles.addAll(roles);
      copy.columns = new ArrayList<>(columns);
      return copy;
    }

    private static String key(String grantee, String action, String column) {
      return grantee + "|" + action + "|" + column;
    }

    private static void put(Map<String, Boolean> map, String key, boolean option) {
      map.merge(key, option, (a, b) -> a || b);
    }

    void grant(String grantee, String action, String column, boolean option) {
      put(granted, key(grantee, action, column), option);
    }

    void revoke(String grantee, String action, String column, boolean optionOnly) {
      List<String> hit = new ArrayList<>(List.of(key(grantee, action, column)));
      if (column.isEmpty()) {
        columns.forEach(each -> hit.add(key(grantee, action, each)));
      }
      hit.forEach(each -> granted.computeIfPresent(each, (k, v) -> optionOnly ? false : null));
    }

    void dropRole(String role) {
      roles.remove(role);
      usage.remove(role);
      granted.keySet().removeIf(key -> key.startsWith(role + "|"));
      members.keySet().removeIf(key -> List.of(key.split(">", -1)).contains(role));
    }

    void renameColumn(String from, String to) {
      columns.set(columns.indexOf(from), to);
      Map<String, Boolean> moved = new HashMap<>();
      granted.forEach((k, v) -> moved.put(k.endsWith("|" + from) ? stem(k) + to : k, v));
      granted.clear();
      granted.putAll(moved);
    }

    void dropColumn(String column) {
      columns.remove(column);
      granted.keySet().removeIf(key -> key.endsWith("|" + column));
    }

    private static String stem(String key) {
      return key.substring(0, key.lastIndexOf('|') + 1);
    }

    List<String> tableRows() {
      return granted.entrySet().stream()
          .filter(e -> e.getKey().endsWith("|"))
          .map(e -> e.getKey() + yes(e.getValue()))
          .sorted()
          .toList();
    }

    List<String> columnRows() {
      Map<String, Boolean> all = new HashMap<>();
      granted.forEach(
          (key, option) -> {
            if (!key.endsWith("|")) {
              put(all, key, option);
            } else if (!key.contains("|DELETE|") && !key.contains("|TRIGGER|")) {
              columns.forEach(column -> put(all, key + column, option));
            }
          });
      return all.entrySet().stream()
          .map(e -> e.getKey() + "|" + yes(e.getValue()))
          .sorted()
          .toList();
    }

    List<String> usageRows() {
      return usage.entrySet().stream()
          .map(e -> e.getKey() + "|USAGE|" + yes(e.getValue()))
          .sorted()
          .toList();
    }

    List<String> roleRows() {
      List<String> rows = new ArrayList<>();
      roles.forEach(role -> rows.add(role + "|gpdb|YES"));
      members.forEach((k, v) -> rows.add(k.replace('>', '|') + "|" + yes(v)));
      rows.sort(null);
      return rows;
    }

    private static String yes(boolean claim) {
      return claim ? "YES" : "NO";
    }
  }

  private <T> T any(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  @Test
  void grantsAreThoseOfTheModel(@TempDir Path path) throws SQLException {
    System.out.println("PrivilegeHistoriesTest: seed " + seed);
    String url = "jdbc:gpdb:" + path;
    for (int opened = 0; opened < 3; opened++) {
      try (Connection connection = DriverManager.getConnection(url)) {
        if (opened == 0) {
          TestDatabase.execute(connection, "CREATE TABLE t (a INT, b INT)");
          TestDatabase.execute(connection, "CREATE DOMAIN d AS INT");
        }
        compare(connection);
        for (int i = 0; i < STATEMENTS / 3; i++) {
          transaction(connection);
        }
        compare(connection);
        assertThat(connection.unwrap(GpdbConnection.class).check()).isEmpty();
      }
    }
  }

  /** One statement or two, which are rolled back sometimes. */
  private void transaction(Connection connection) throws SQLException {
    Model before = model.copy();
    connection.setAutoCommit(false);
    step(connection);
    step(connection);
    if (random.nextInt(4) == 0) {
      connection.rollback();
      model = before;
    } else {
      connection.commit();
    }
    connection.setAutoCommit(true);
    if (random.nextInt(5) == 0) {
      compare(connection);
    }
  }

  private void step(Connection connection) throws SQLException {
    String role = "R" + random.nextInt(3);
    boolean option = random.nextInt(3) == 0;
    switch (random.nextInt(14)) {
      case 0, 1, 2 -> {
        boolean free = !model.roles.contains(role);
        run(connection, "CREATE ROLE " + role, free ? null : "42710");
        model.roles.add(role);
      }
      case 3 -> {
        run(connection, "DROP ROLE " + role, model.roles.contains(role) ? null : "42704");
        model.dropRole(role);
      }
      case 4 -> members(connection, role, "R" + random.nextInt(3), option);
      case 5 -> columns(connection);
      case 12 -> usage(connection, any(List.of(role, "PUBLIC")), option);
      case 13 -> run(connection, "ALTER DOMAIN d SET DEFAULT " + random.nextInt(9), null);
      case 6, 7 -> privileges(connection, any(List.of(role, "PUBLIC")), option, false);
      default -> privileges(connection, any(List.of(role, "PUBLIC")), option, true);
    }
  }

  private void members(Connection connection, String role, String other, boolean option)
      throws SQLException {
    String key = role + ">" + other;
    boolean known = model.roles.contains(role) && model.roles.contains(other);
    if (random.nextInt(3) == 0) {
      run(
          connection,
          "REVOKE " + (option ? "ADMIN OPTION FOR " : "") + role + " FROM " + other,
          known ? null : "42704");
      if (known) {
        model.members.computeIfPresent(key, (k, v) -> option ? false : null);
      }
    } else {
      boolean circle = holds(role, other);
      run(
          connection,
          "GRANT " + role + " TO " + other + (option ? " WITH ADMIN OPTION" : ""),
          !known ? "42704" : circle ? "42000" : null);
      if (known && !circle) {
        Model.put(model.members, key, option);
      }
    }
  }

  /** Whether that role was granted to this one, through others too. */
  private boolean holds(String role, String held) {
    return role.equals(held)
        || model.roles.stream()
            .anyMatch(each -> model.members.containsKey(each + ">" + role) && holds(each, held));
  }

  private void columns(Connection connection) throws SQLException {
    String name = "C" + random.nextInt(1000);
    if (model.columns.contains(name)) {
      return;
    }
    String column = any(model.columns);
    if (model.columns.size() > 2 && random.nextBoolean()) {
      run(connection, "ALTER TABLE t DROP COLUMN " + column, null);
      model.dropColumn(column);
    } else if (random.nextBoolean()) {
      run(connection, "ALTER TABLE t ADD COLUMN " + name + " INT", null);
      model.columns.add(name);
    } else {
      run(connection, "ALTER TABLE t RENAME COLUMN " + column + " TO " + name, null);
      model.renameColumn(column, name);
    }
  }

  private void usage(Connection connection, String grantee, boolean option) throws SQLException {
    boolean known = grantee.equals("PUBLIC") || model.roles.contains(grantee);
    String what = any(List.of("USAGE", "ALL PRIVILEGES")) + " ON DOMAIN d ";
    if (random.nextInt(3) == 0) {
      String of = option ? "GRANT OPTION FOR " : "";
      run(connection, "REVOKE " + of + what + "FROM " + grantee, known ? null : "42704");
      model.usage.computeIfPresent(grantee, (k, v) -> option ? false : null);
    } else {
      String with = option ? " WITH GRANT OPTION" : "";
      run(connection, "GRANT " + what + "TO " + grantee + with, known ? null : "42704");
      if (known) {
        Model.put(model.usage, grantee, option);
      }
    }
  }

  private void privileges(Connection connection, String grantee, boolean option, boolean grant)
      throws SQLException {
    boolean known = grantee.equals("PUBLIC") || model.roles.contains(grantee);
    String action = any(ACTIONS);
    boolean all = random.nextInt(6) == 0;
    String column =
        all || action.equals("DELETE") || action.equals("TRIGGER") || random.nextBoolean()
            ? ""
            : any(model.columns);
    String what = all ? "ALL PRIVILEGES" : action + (column.isEmpty() ? "" : " (" + column + ")");
    run(
        connection,
        grant
            ? "GRANT " + what + " ON t TO " + grantee + (option ? " WITH GRANT OPTION" : "")
            : "REVOKE " + (option ? "GRANT OPTION FOR " : "") + what + " ON t FROM " + grantee,
        known ? null : "42704");
    for (String each : known ? (all ? ACTIONS : List.of(action)) : List.<String>of()) {
      if (grant) {
        model.grant(grantee, each, column, option);
      } else {
        model.revoke(grantee, each, column, option);
      }
    }
  }

  private static void run(Connection connection, String sql, String state) throws SQLException {
    try {
      TestDatabase.execute(connection, sql);
      assertThat(state).as(sql).isNull();
    } catch (SQLException e) {
      if (!e.getSQLState().equals(state)) {
        throw new AssertionError(sql, e);
      }
    }
  }

  private void compare(Connection connection) throws SQLException {
    String from = " FROM INFORMATION_SCHEMA.%s WHERE grantor = 'gpdb'";
    assertThat(
            sorted(
                connection,
                "SELECT grantee, privilege_type, is_grantable"
                    + from.formatted("TABLE_PRIVILEGES")))
        .isEqualTo(model.tableRows());
    assertThat(
            sorted(
                connection,
                "SELECT grantee, privilege_type, column_name, is_grantable"
                    + from.formatted("COLUMN_PRIVILEGES")))
        .isEqualTo(model.columnRows());
    assertThat(
            sorted(
                connection,
                "SELECT role_name, grantee, is_grantable FROM INFORMATION_SCHEMA.APPLICABLE_ROLES"))
        .isEqualTo(model.roleRows());
    assertThat(
            sorted(
                connection,
                "SELECT grantee, privilege_type, is_grantable"
                    + from.formatted("USAGE_PRIVILEGES")))
        .isEqualTo(model.usageRows());
  }

  private static List<String> sorted(Connection connection, String query) throws SQLException {
    List<String> rows = new ArrayList<>(TestDatabase.rows(connection, query));
    rows.sort(null);
    return rows;
  }
}
