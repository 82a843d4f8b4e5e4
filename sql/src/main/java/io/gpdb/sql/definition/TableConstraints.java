package io.gpdb.sql.definition;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlLimits;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Adds constraints to definitions of tables; those of one table have different names. */
public final class TableConstraints {
  private TableConstraints() {}

  /** The table with one more CHECK, which is numbered where it has no name. */
  public static TableDef withCheck(
      TableDef table, @Nullable String name, String condition, Deferrability deferrability) {
    requireRoom(table);
    List<CheckDef> checks = new ArrayList<>(table.checks());
    checks.add(new CheckDef(name == null ? freeForCheck(table) : name, condition, deferrability));
    return table.withChecks(checks);
  }

  public static TableDef withForeignKey(TableDef table, ForeignKeyDef key) {
    requireRoom(table);
    List<ForeignKeyDef> keys = new ArrayList<>(table.foreignKeys());
    keys.add(key);
    return table.withForeignKeys(keys);
  }

  private static void requireRoom(TableDef table) {
    int count = table.checks().size() + table.foreignKeys().size();
    if (count >= SqlLimits.CONSTRAINTS_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "table "
              + table.name()
              + " has too many constraints: CHECK and FOREIGN KEY="
              + count
              + ", limit="
              + SqlLimits.CONSTRAINTS_MAX);
    }
  }

  /** Throws 42000 where two constraints of the table have one name. */
  public static void requireDistinctNames(TableDef table) {
    Set<String> seen = new HashSet<>();
    for (String name : all(table)) {
      if (!seen.add(name)) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT,
            "table " + table.name() + " has two constraints named " + name);
      }
    }
  }

  /** The names of the table's constraints. */
  public static Set<String> names(TableDef table) {
    return new HashSet<>(all(table));
  }

  private static List<String> all(TableDef table) {
    List<String> names = new ArrayList<>();
    table.keyConstraints().forEach(key -> names.add(key.name()));
    table.checks().forEach(check -> names.add(check.name()));
    table.foreignKeys().forEach(key -> names.add(key.name()));
    for (ColumnDef column : table.columns()) {
      String name = column.notNullName();
      if (name != null) {
        names.add(name);
      }
    }
    return names;
  }

  private static String freeForCheck(TableDef table) {
    Set<String> taken = names(table);
    int number = 1;
    while (taken.contains(table.name() + "_CHECK_" + number)) {
      number++;
    }
    return table.name() + "_CHECK_" + number;
  }
}
