package io.gpdb.jdbc;

import io.gpdb.jdbc.value.ColumnReader;
import io.gpdb.jdbc.value.DriverCondition;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The table whose rows an updatable result set shows: it changes them by their primary key, each
 * with a statement of SQL, so that all that holds for SQL holds for these changes.
 */
final class RowTable {
  private final ConnectionState connection;
  private final String name;
  private final List<String> columns;
  private final SqlTypeSpec[] types;

  /** Where the columns of the primary key are among those of the result. */
  private final int[] key;

  private RowTable(
      ConnectionState connection,
      String name,
      List<String> columns,
      SqlTypeSpec[] types,
      int[] key) {
    this.connection = connection;
    this.name = name;
    this.columns = columns;
    this.types = types;
    this.key = key;
  }

  /**
   * The table of a result whose rows are rows of one table with their primary key, all columns the
   * table's own; else null.
   */
  static @Nullable RowTable of(
      ConnectionState connection, List<OutputColumn> columns, SqlTypeSpec[] types)
      throws SQLException {
    List<String> names = new ArrayList<>();
    for (OutputColumn column : columns) {
      String own = column.column();
      if (!column.isOfRow() || own == null || names.contains(own)) {
        return null;
      }
      names.add(own);
    }
    TableDef table = table(connection.catalog(), columns.getFirst());
    int[] key = table == null ? null : key(table, names);
    return table == null || key == null
        ? null
        : new RowTable(
            connection,
            quoted(table.schema()) + "." + quoted(table.name()),
            names.stream().map(RowTable::quoted).toList(),
            types,
            key);
  }

  private static @Nullable TableDef table(CatalogSnapshot catalog, OutputColumn column) {
    String schema = column.schema();
    String table = column.table();
    return schema == null || table == null ? null : catalog.table(new ObjectName(schema, table));
  }

  private static int @Nullable [] key(TableDef table, List<String> names) {
    for (KeyDef key : table.keys()) {
      if (key.primary()) {
        int[] at =
            Arrays.stream(key.columns())
                .map(column -> names.indexOf(table.column(column).name()))
                .toArray();
        return Arrays.stream(at).anyMatch(i -> i < 0) ? null : at;
      }
    }
    return null;
  }

  private static String quoted(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  private String whereKey() {
    return Arrays.stream(key)
        .mapToObj(at -> columns.get(at) + " = ?")
        .collect(Collectors.joining(" AND ", " WHERE ", ""));
  }

  /** Changes the row to be as the pending one is. */
  void update(RowSet row, PendingRow pending) throws SQLException {
    int[] set = pending.columns();
    String assignments =
        Arrays.stream(set)
            .mapToObj(at -> columns.get(at) + " = ?")
            .collect(Collectors.joining(", "));
    String sql = "UPDATE " + name + " SET " + assignments + whereKey();
    try (PreparedStatement update = prepared(sql)) {
      bind(update, 0, pending, set);
      bind(update, set.length, row, key);
      requireOne(update.executeLargeUpdate());
    }
  }

  void delete(RowSet row) throws SQLException {
    try (PreparedStatement delete = prepared("DELETE FROM " + name + whereKey())) {
      bind(delete, 0, row, key);
      requireOne(delete.executeLargeUpdate());
    }
  }

  /** Inserts the row; columns that were not set take their defaults. */
  void insert(PendingRow pending) throws SQLException {
    int[] set = pending.columns();
    String values =
        set.length == 0
            ? " DEFAULT VALUES"
            : IntStream.of(set).mapToObj(columns::get).collect(Collectors.joining(", ", " (", ")"))
                + IntStream.of(set)
                    .mapToObj(_ -> "?")
                    .collect(Collectors.joining(", ", " VALUES (", ")"));
    try (PreparedStatement insert = prepared("INSERT INTO " + name + values)) {
      bind(insert, 0, pending, set);
      insert.executeLargeUpdate();
    }
  }

  /** What is done with a row. */
  interface Use {
    void of(RowSet row);
  }

  /** Reads the row with the key of the given one, as it now is; false when there is none. */
  boolean read(RowSet row, Use use) throws SQLException {
    String sql = "SELECT " + String.join(", ", columns) + " FROM " + name + whereKey();
    try (PreparedStatement select = prepared(sql)) {
      bind(select, 0, row, key);
      ColumnGetters found = (ColumnGetters) select.executeQuery();
      if (!Arrays.equals(found.types, types)) {
        throw SqlErrors.of(
            ErrorCode.INVALID_ARGUMENT, "the table " + name + " has changed; run the query again");
      }
      if (!found.next()) {
        return false;
      }
      use.of(found.rowWith(1));
      return true;
    }
  }

  private PreparedStatement prepared(String sql) throws SQLException {
    return connection.asJdbc().prepareStatement(sql);
  }

  /** Binds columns of a row to the parameters after the first ones. */
  private void bind(PreparedStatement statement, int after, RowSet row, int[] at)
      throws SQLException {
    for (int i = 0; i < at.length; i++) {
      int parameter = after + i + 1;
      SqlTypeSpec type = types[at[i]];
      if (row.isNull(at[i])) {
        statement.setNull(parameter, java.sql.Types.NULL);
        continue;
      }
      switch (type.kind()) {
        case CHAR, VARCHAR -> statement.setString(parameter, row.string(at[i]));
        case VARBINARY -> statement.setBytes(parameter, row.bytes(at[i]));
        case TIME -> statement.setObject(parameter, ColumnReader.time(type, row, at[i]));
        case TIMESTAMP -> statement.setObject(parameter, ColumnReader.timestamp(type, row, at[i]));
        default -> statement.setObject(parameter, ColumnReader.natural(type, row, at[i]));
      }
    }
  }

  private void requireOne(long rows) throws SQLException {
    if (rows != 1) {
      throw gone();
    }
  }

  SQLException gone() {
    return SqlErrors.of(
        DriverCondition.ROW_GONE, "the row is no longer in " + name + ", or its key has changed");
  }
}
