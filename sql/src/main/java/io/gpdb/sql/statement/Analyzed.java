package io.gpdb.sql.statement;

import io.gpdb.sql.catalog.TableDef;
import io.gpdb.sql.catalog.ViewDef;
import io.gpdb.txn.api.IsolationLevel;
import java.util.List;
import org.apache.calcite.rel.RelRoot;
import org.jspecify.annotations.Nullable;

/** A statement after parsing and validation: what is to be done, with all names resolved. */
@SuppressWarnings("ArrayRecordComponent") // statements are never compared
public sealed interface Analyzed {
  /** Parameters of the statement in the order of their question marks. */
  default List<ParameterDef> params() {
    return List.of();
  }

  /** SELECT, VALUES, TABLE, WITH. */
  record Query(RelRoot root, List<ParameterDef> params, List<OutputColumn> output)
      implements Analyzed {}

  /**
   * INSERT. {@code columns} are the columns named or defaulted, in the order of the source's
   * values; every other column becomes NULL. The values have their natural types: the sink assigns
   * them (rounding, range, length, NOT NULL).
   */
  record Insert(TableDef table, int[] columns, InsertSource source, List<ParameterDef> params)
      implements Analyzed {}

  /** UPDATE: the source's fields are _ROWID and one value for each column in {@code setColumns}. */
  record Update(TableDef table, int[] setColumns, RelRoot source, List<ParameterDef> params)
      implements Analyzed {}

  /** DELETE: the source's only field is _ROWID. */
  record Delete(TableDef table, RelRoot source, List<ParameterDef> params) implements Analyzed {}

  /** TRUNCATE TABLE. */
  record Truncate(TableDef table) implements Analyzed {}

  /** VACUUM of one table, or of all tables of the catalog. */
  record Vacuum(List<TableDef> tables) implements Analyzed {
    public Vacuum {
      tables = List.copyOf(tables);
    }
  }

  /**
   * CREATE TABLE; the table id of {@code def} is not yet assigned.
   *
   * @param defaults a row of the columns' defaults, to be tried and not to be inserted; null where
   *     no column has one
   */
  record CreateTable(
      TableDef def, boolean ifNotExists, @Nullable Query asSelect, @Nullable Insert defaults)
      implements Analyzed {
    @Override
    public List<ParameterDef> params() {
      return asSelect == null ? List.of() : asSelect.params();
    }
  }

  /** DROP TABLE; {@code cascade} drops the views that read it too. */
  record DropTable(String name, boolean ifExists, boolean cascade) implements Analyzed {}

  /** ALTER TABLE: its actions, one after the other, all of them or none. */
  record AlterTable(String name, boolean ifExists, List<AlterAction> actions) implements Analyzed {
    public AlterTable {
      actions = List.copyOf(actions);
    }
  }

  /** CREATE VIEW; the id of {@code def} is not yet given. */
  record CreateView(ViewDef def, boolean orReplace, boolean ifNotExists) implements Analyzed {}

  /** DROP VIEW; {@code cascade} drops the views that read it too. */
  record DropView(String name, boolean ifExists, boolean cascade) implements Analyzed {}

  /** BEGIN or START TRANSACTION, with a level of its own or the session's. */
  record Begin(@Nullable IsolationLevel isolation) implements Analyzed {}

  /** COMMIT. */
  record Commit() implements Analyzed {}

  /** ROLLBACK of the whole transaction. */
  record Rollback() implements Analyzed {}

  /** SAVEPOINT. */
  record Savepoint(String name) implements Analyzed {}

  /** ROLLBACK TO SAVEPOINT. */
  record RollbackTo(String name) implements Analyzed {}

  /** RELEASE SAVEPOINT. */
  record Release(String name) implements Analyzed {}

  /** SET name = value; the value is the text of the literal or word, null for DEFAULT. */
  record SetOption(String name, @Nullable String value) implements Analyzed {}

  /** SET TRANSACTION, or SET SESSION CHARACTERISTICS AS TRANSACTION. */
  record SetIsolation(IsolationLevel level, boolean session) implements Analyzed {}

  /** SHOW name; ALL shows everything. */
  record Show(String name) implements Analyzed {}

  /** EXPLAIN of another statement. */
  record Explain(Analyzed inner, ExplainKind kind) implements Analyzed {
    @Override
    public List<ParameterDef> params() {
      return inner.params();
    }
  }

  /** COPY table FROM 'file'. */
  record CopyFrom(TableDef table, int[] columns, String file, CopyFormat format)
      implements Analyzed {}

  /** COPY table TO 'file' or COPY (query) TO 'file'. */
  record CopyTo(Query query, String file, CopyFormat format) implements Analyzed {
    @Override
    public List<ParameterDef> params() {
      return query.params();
    }
  }

  /** CHECKPOINT. */
  record Checkpoint() implements Analyzed {}

  /** BACKUP TO 'directory'. */
  record Backup(String directory) implements Analyzed {}

  /** What EXPLAIN shows. */
  enum ExplainKind {
    PLAN,
    KERNEL,
    ANALYZE
  }
}
