package io.gpdb.sql.change;

import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * Takes the schema from columns that UPDATE and DELETE name with schema and table: their target is
 * read from a hidden schema. Queries within are left alone, since a table of theirs may have the
 * name of the target.
 */
public final class TargetNames extends SqlShuttle {
  private static final int PARTS = 3;

  private final ObjectName table;

  private TargetNames(ObjectName table) {
    this.table = table;
  }

  /** An alias hides the name of the table. */
  static @Nullable SqlNode in(
      @Nullable SqlNode node, TableDef table, @Nullable SqlIdentifier alias) {
    return node == null || alias != null ? node : node.accept(new TargetNames(table.fullName()));
  }

  /** As {@link #in}, of an expression that is there and a table or view by its name. */
  static SqlNode inValue(SqlNode node, ObjectName table) {
    return Objects.requireNonNull(node.accept(new TargetNames(table)));
  }

  @Override
  public @Nullable SqlNode visit(SqlIdentifier id) {
    List<String> names = id.names;
    boolean ofTarget =
        names.size() == PARTS
            && names.get(0).equals(table.schema())
            && names.get(1).equals(table.name());
    return ofTarget ? id.getComponent(1, PARTS) : id;
  }

  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    return call.isA(SqlKind.QUERY) ? call : super.visit(call);
  }
}
