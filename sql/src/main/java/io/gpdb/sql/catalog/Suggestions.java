package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Finds the name that was probably meant. */
public final class Suggestions {
  private Suggestions() {}

  /** A clause that names the most similar table, or nothing. */
  public static String table(String name, CatalogSnapshot catalog) {
    List<String> names = new ArrayList<>();
    for (TableDef table : catalog.visibleTables()) {
      names.add(table.name());
    }
    for (ViewDef view : catalog.views()) {
      names.add(view.name());
    }
    return nearest(name, names);
  }

  /** A clause that names the most similar column of the tables that the statement mentions. */
  public static String column(String name, String sql, CatalogSnapshot catalog) {
    List<String> names = new ArrayList<>();
    for (TableDef table : catalog.visibleTables()) {
      if (mentions(sql, table.name())) {
        for (ColumnDef column : table.columns()) {
          names.add(column.name());
        }
      }
    }
    for (ViewDef view : catalog.views()) {
      if (mentions(sql, view.name())) {
        view.columns().forEach(column -> names.add(column.name()));
      }
    }
    return nearest(name, names);
  }

  /** Whether the statement has that name as a word, in any case. */
  public static boolean mentions(String sql, String name) {
    String upper = sql.toUpperCase(Locale.ROOT);
    String wanted = name.toUpperCase(Locale.ROOT);
    for (int at = upper.indexOf(wanted); at >= 0; at = upper.indexOf(wanted, at + 1)) {
      int end = at + wanted.length();
      if ((at == 0 || !Character.isJavaIdentifierPart(upper.charAt(at - 1)))
          && (end == upper.length() || !Character.isJavaIdentifierPart(upper.charAt(end)))) {
        return true;
      }
    }
    return false;
  }

  private static String nearest(String name, List<String> candidates) {
    String best = "";
    int bestDistance = name.length() < 3 ? 0 : 1 + name.length() / 3;
    for (String candidate : candidates) {
      if (candidate.equals(name)) {
        continue; // of another table
      }
      int distance =
          candidate.equalsIgnoreCase(name)
              ? 0
              : distance(name.toUpperCase(Locale.ROOT), candidate.toUpperCase(Locale.ROOT));
      if (distance < bestDistance || (distance == bestDistance && best.isEmpty())) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return best.isEmpty() ? "" : "; did you mean " + quotedIfNeeded(best) + "?";
  }

  private static String quotedIfNeeded(String name) {
    return name.matches("[A-Z_][A-Z0-9_$]*") ? name : '"' + name + '"';
  }

  /** Insertions, deletions and replacements that turn one word into the other (Levenshtein). */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
