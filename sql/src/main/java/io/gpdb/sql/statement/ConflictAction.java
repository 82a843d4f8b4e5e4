package io.gpdb.sql.statement;

import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.GpTypes;
import java.util.List;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** What an INSERT does with a row of which a key exists. */
public sealed interface ConflictAction {
  /** The keys that are looked up. */
  List<KeyDef> keys();

  /** The row is left out. */
  record Nothing(List<KeyDef> keys) implements ConflictAction {
    public Nothing {
      keys = List.copyOf(keys);
    }
  }

  /** The rows that have one of the keys are deleted, and the row is inserted. */
  record Replace(List<KeyDef> keys) implements ConflictAction {
    public Replace {
      keys = List.copyOf(keys);
    }
  }

  /**
   * The row that has the key is updated. Values and condition are expressions over its columns, its
   * row id, and the columns of the row that was not inserted.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Update(KeyDef key, int[] columns, List<RexNode> values, @Nullable RexNode where)
      implements ConflictAction {
    public Update {
      values = List.copyOf(values);
    }

    @Override
    public List<KeyDef> keys() {
      return List.of(key);
    }
  }

  /** A column of the row that has the key. */
  static RexNode existing(TableDef table, int column) {
    return new RexInputRef(
        column, GpTypes.relType(table.column(column).type(), table.column(column).nullable()));
  }

  /** A column of the row that was not inserted. */
  static RexNode excluded(TableDef table, int column) {
    return new RexInputRef(
        table.columns().size() + 1 + column,
        GpTypes.relType(table.column(column).type(), table.column(column).nullable()));
  }
}
