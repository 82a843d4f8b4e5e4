package io.gpdb.sql.validation;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.dialect.SessionNames;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Finds which of the words USER, CURRENT_SCHEMA and their kin name columns in a statement: a column
 * of a table that it names, or a name that it makes with AS or WITH.
 */
public final class ColumnNames extends SqlBasicVisitor<@Nullable Void> {
  private final CatalogSnapshot catalog;
  private final Set<String> asked = new HashSet<>();
  private final Set<String> named = new HashSet<>();
  private final Set<String> declared = new HashSet<>();

  private ColumnNames(CatalogSnapshot catalog) {
    this.catalog = catalog;
  }

  /** Those of the words that are columns in the statement; nearly always none. */
  public static Set<String> in(SqlNode statement, CatalogSnapshot catalog) {
    ColumnNames names = new ColumnNames(catalog);
    statement.accept(names);
    if (names.asked.isEmpty()) {
      return Set.of();
    }
    names.declareColumns();
    names.asked.retainAll(names.declared);
    return names.asked;
  }

  /** Of all tables of a name that is in the statement, in whatever schema. */
  private void declareColumns() {
    for (TableDef table : catalog.tables()) {
      if (named.contains(table.name())) {
        table.columns().forEach(column -> declared.add(column.name()));
      }
    }
  }

  @Override
  public @Nullable Void visit(SqlIdentifier id) {
    String last = id.names.getLast();
    named.add(last);
    if (SessionNames.isWord(last)) {
      asked.add(last);
    }
    return null;
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call.getKind() == SqlKind.AS) {
      List<SqlNode> operands = call.getOperandList();
      operands.subList(1, operands.size()).forEach(this::declare);
    } else if (call instanceof SqlWithItem item && item.columnList != null) {
      declare(item.columnList);
    }
    return super.visit(call);
  }

  private void declare(SqlNode node) {
    if (node instanceof SqlIdentifier id) {
      declared.add(id.names.getLast());
    } else if (node instanceof SqlNodeList list) {
      list.forEach(this::declare);
    }
  }
}
