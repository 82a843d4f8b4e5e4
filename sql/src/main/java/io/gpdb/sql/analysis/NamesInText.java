package io.gpdb.sql.analysis;

import io.gpdb.sql.text.SqlText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.HashSet;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * The names in the text of a view's query or of an expression, whatever they name: what the text
 * does not name it does not read.
 */
public final class NamesInText extends SqlBasicVisitor<@Nullable Void> {
  private final Set<String> names = new HashSet<>();
  private boolean allColumns;
  private boolean natural;

  private NamesInText() {}

  /** The names in the query of a view. */
  public static NamesInText ofQuery(String query) {
    NamesInText found = new NamesInText();
    try {
      var _ = new SqlText(query).statement().accept(found);
    } catch (SqlParseException e) {
      throw new GpdbException(ErrorCode.CORRUPTION, "the query of a view cannot be read", e);
    }
    return found;
  }

  /** The names in an expression, such as the condition of a CHECK. */
  public static NamesInText ofExpression(String expression) {
    return ofQuery("VALUES (" + expression + "\n)");
  }

  public boolean contains(String name) {
    return names.contains(name);
  }

  /** Whether a query in it reads whatever columns there are. */
  public boolean readsAllColumns() {
    return allColumns;
  }

  /** Whether it joins by whatever columns two tables share. */
  public boolean joinsByName() {
    return natural;
  }

  @Override
  public @Nullable Void visit(SqlIdentifier id) {
    names.addAll(id.names);
    return null;
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call instanceof SqlSelect select) {
      for (SqlNode item : select.getSelectList()) {
        allColumns |= item instanceof SqlIdentifier id && id.isStar();
      }
    }
    allColumns |= call.getKind() == SqlKind.EXPLICIT_TABLE;
    natural |= call instanceof SqlJoin join && join.isNatural();
    return super.visit(call);
  }
}
