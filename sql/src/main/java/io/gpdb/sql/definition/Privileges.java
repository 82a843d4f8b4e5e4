package io.gpdb.sql.definition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists of privileges on one table or view, each at most once, in an order of their own. One on a
 * column is not there beside one on the table that includes it.
 */
public final class Privileges {
  private static final Comparator<PrivilegeDef> ORDER =
      Comparator.comparing(PrivilegeDef::grantee)
          .thenComparing(PrivilegeDef::action)
          .thenComparing(PrivilegeDef::column, Comparator.nullsFirst(Comparator.naturalOrder()));

  private Privileges() {}

  /** Those and the ones granted; what was granted with its option before keeps it. */
  public static List<PrivilegeDef> with(List<PrivilegeDef> before, List<PrivilegeDef> granted) {
    List<PrivilegeDef> all = new ArrayList<>(before);
    for (PrivilegeDef each : granted) {
      boolean grantable = all.stream().anyMatch(old -> old.isOfSame(each) && old.grantable());
      all.removeIf(each::isOfSame);
      all.add(each.withGrantable(each.grantable() || grantable));
    }
    List<PrivilegeDef> tables = all.stream().filter(each -> each.column() == null).toList();
    all.removeIf(each -> tables.stream().anyMatch(table -> table.includes(each)));
    all.sort(ORDER);
    return all;
  }

  /**
   * Those without the ones revoked. A privilege on the whole table takes those on its columns with
   * it.
   *
   * @param optionOnly whether they stay and lose their GRANT OPTION
   */
  public static List<PrivilegeDef> without(
      List<PrivilegeDef> before, List<PrivilegeDef> revoked, boolean optionOnly) {
    List<PrivilegeDef> left = new ArrayList<>();
    for (PrivilegeDef each : before) {
      boolean hit =
          revoked.stream().anyMatch(r -> each.isOfSame(r) || each.withColumn(null).isOfSame(r));
      if (!hit) {
        left.add(each);
      } else if (optionOnly) {
        left.add(each.withGrantable(false));
      }
    }
    return left;
  }

  /** The view that replaces another one, with the privileges on that, but for columns it lacks. */
  public static ViewDef kept(ViewDef before, ViewDef view) {
    List<String> columns = view.columns().stream().map(ColumnDef::name).toList();
    return view.withPrivileges(
        before.privileges().stream()
            .filter(each -> each.column() == null || columns.contains(each.column()))
            .toList());
  }

  /** Those of the table after a column has another name, or none any more. */
  public static List<PrivilegeDef> renamed(
      List<PrivilegeDef> before, String column, @Nullable String to) {
    List<PrivilegeDef> all = new ArrayList<>();
    for (PrivilegeDef each : before) {
      if (!column.equals(each.column())) {
        all.add(each);
      } else if (to != null) {
        all.add(each.withColumn(to));
      }
    }
    all.sort(ORDER);
    return all;
  }
}
