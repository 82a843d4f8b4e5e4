package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.text.SqlText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * The text of a view's query with columns in the place of each star over named tables and views: it
 * goes on to mean these columns when the tables get others. Where tables are derived, or joined by
 * the names of their columns, or there is a WITH, stars stay.
 */
final class WrittenColumns extends SqlBasicVisitor<@Nullable Void> {
  private final CatalogSnapshot catalog;
  private final Map<SqlParserPos, String> columns = new HashMap<>();
  private boolean hasWith;

  private WrittenColumns(CatalogSnapshot catalog) {
    this.catalog = catalog;
  }

  /** Of a query as it was parsed. */
  static String of(SqlNode query, SqlParserPos whole, SqlText text, CatalogSnapshot catalog) {
    WrittenColumns written = new WrittenColumns(catalog);
    query.accept(written);
    return text.replaced(whole, written.hasWith ? Map.of() : written.columns).strip();
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    hasWith |= call instanceof SqlWith;
    if (call instanceof SqlSelect select && select.getFrom() != null) {
      Map<String, List<String>> tables = new LinkedHashMap<>();
      if (addTables(select.getFrom(), tables)) {
        select.getSelectList().forEach(item -> write(item, tables));
      }
    }
    return super.visit(call);
  }

  private void write(SqlNode item, Map<String, List<String>> tables) {
    if (!(item instanceof SqlIdentifier star) || !star.isStar()) {
      return;
    }
    List<String> written = new ArrayList<>();
    if (star.names.size() == 1) {
      tables.forEach(
          (alias, names) ->
              names.forEach(
                  name ->
                      written.add((tables.size() == 1 ? "" : quoted(alias) + ".") + quoted(name))));
    } else {
      String alias = star.names.get(star.names.size() - 2);
      List<String> names = tables.get(alias);
      if (star.names.size() > 2 || names == null) {
        return;
      }
      names.forEach(name -> written.add(quoted(alias) + "." + quoted(name)));
    }
    columns.put(star.getParserPosition(), written.stream().collect(Collectors.joining(", ")));
  }

  private static String quoted(String name) {
    return "\"" + name.replace("\"", "\"\"") + "\"";
  }

  /** By the names that they have in the query, their columns; false where not all are known. */
  private boolean addTables(@Nullable SqlNode from, Map<String, List<String>> tables) {
    return switch (from) {
      case SqlIdentifier name -> add(name, name.names.getLast(), tables);
      case SqlJoin join ->
          !join.isNatural()
              && join.getConditionType() != JoinConditionType.USING
              && addTables(join.getLeft(), tables)
              && addTables(join.getRight(), tables);
      case SqlCall as
          when as.getKind() == SqlKind.AS
              && as.operandCount() == 2
              && as.operand(0) instanceof SqlIdentifier name ->
          add(name, ((SqlIdentifier) as.operand(1)).getSimple(), tables);
      case null, default -> false;
    };
  }

  private boolean add(SqlIdentifier name, String alias, Map<String, List<String>> tables) {
    if (name.names.size() > 2) {
      return false;
    }
    ObjectName found =
        name.names.size() == 1
            ? catalog.resolve(name.getSimple())
            : new ObjectName(name.names.getFirst(), name.names.getLast());
    TableDef table = catalog.table(found);
    ViewDef view = catalog.view(found);
    List<ColumnDef> of = List.of();
    if (table != null) {
      of = table.columns();
    } else if (view != null) {
      of = view.columns();
    }
    return !of.isEmpty() && tables.put(alias, of.stream().map(ColumnDef::name).toList()) == null;
  }
}
