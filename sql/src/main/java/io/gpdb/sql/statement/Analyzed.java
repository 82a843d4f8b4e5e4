package io.gpdb.sql.statement;

import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.DropBehavior;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.PrivilegeDef;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.txn.api.IsolationLevel;
import java.util.List;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rex.RexNode;
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
   *
   * @param numbered columns that are not among them and whose rows take numbers
   * @param generated columns that are computed of the others as they are stored; what the source
   *     has for them counts for nothing
   */
  record Insert(
      TableDef table,
      int[] columns,
      InsertSource source,
      List<NumberedColumn> numbered,
      List<GeneratedColumn> generated,
      List<ParameterDef> params)
      implements Analyzed {
    public Insert {
      numbered = List.copyOf(numbered);
      generated = List.copyOf(generated);
    }

    /** One whose numbers, if there are any, are among the source's values. */
    public Insert(TableDef table, int[] columns, InsertSource source, List<ParameterDef> params) {
      this(table, columns, source, List.of(), List.of(), params);
    }
  }

  /** UPDATE: the source's fields are _ROWID and one value for each column in {@code setColumns}. */
  record Update(TableDef table, int[] setColumns, RelRoot source, List<ParameterDef> params)
      implements Analyzed {}

  /** A change made through views, whose rows these may restrict. */
  record ChangeOfView(Analyzed change, TableDef table, List<ViewCheck> checks) implements Analyzed {
    public ChangeOfView {
      checks = List.copyOf(checks);
    }

    @Override
    public List<ParameterDef> params() {
      return change.params();
    }
  }

  /** CREATE DOMAIN or CREATE TYPE. */
  record CreateDomain(DomainDef def) implements Analyzed {}

  /** ALTER DOMAIN, and what it does to the tables whose columns are declared with the domain. */
  record AlterDomain(DomainDef before, DomainDef after, List<AlterTable> tables)
      implements Analyzed {
    public AlterDomain {
      tables = List.copyOf(tables);
    }
  }

  /** DROP DOMAIN, or DROP TYPE, as {@code kind} says. */
  record DropDomain(String kind, ObjectName name, boolean ifExists, DropBehavior behavior)
      implements Analyzed {}

  /** CREATE FUNCTION or CREATE PROCEDURE. */
  record CreateRoutine(RoutineDef def) implements Analyzed {}

  /** DROP of a routine; null where there is none of the name, and IF EXISTS. */
  record DropRoutine(@Nullable RoutineDef routine, DropBehavior behavior) implements Analyzed {}

  /**
   * CALL of a procedure.
   *
   * @param arguments a query for one row, the values of the parameters that take one, in their
   *     order; null where there are none
   * @param marks for each parameter the index of the statement's parameter that is its argument; -1
   *     where that is none
   */
  record Call(
      RoutineDef procedure,
      @Nullable Query arguments,
      List<ProcedureStep> steps,
      List<Integer> marks,
      List<ParameterDef> params)
      implements Analyzed {
    public Call {
      steps = List.copyOf(steps);
      marks = List.copyOf(marks);
    }

    /** What the parameters that return a value are as columns of a row. */
    public List<OutputColumn> returned() {
      return procedure.parameters().stream()
          .filter(RoutineParameter::returnsValue)
          .map(parameter -> new OutputColumn(parameter.name(), parameter.type(), true))
          .toList();
    }
  }

  /** CREATE ROLE. */
  record CreateRole(String name) implements Analyzed {}

  /** DROP ROLE. */
  record DropRole(String name, boolean ifExists) implements Analyzed {}

  /** GRANT or REVOKE of roles. */
  record GrantRoles(List<String> roles, List<String> grantees, GrantKind kind) implements Analyzed {
    public GrantRoles {
      roles = List.copyOf(roles);
      grantees = List.copyOf(grantees);
    }
  }

  /** GRANT or REVOKE of privileges on a table or view, a routine or a domain. */
  record Grant(
      ObjectName on, PrivilegeDef.Target target, List<PrivilegeDef> privileges, GrantKind kind)
      implements Analyzed {
    public Grant {
      privileges = List.copyOf(privileges);
    }
  }

  /** ALTER VIEW … RENAME TO. */
  record RenameView(ObjectName name, boolean ifExists, String to) implements Analyzed {}

  /** DELETE: the source's only field is _ROWID. */
  record Delete(TableDef table, RelRoot source, List<ParameterDef> params) implements Analyzed {}

  /** INSERT, UPDATE or DELETE with RETURNING: a list of expressions over the table's rows. */
  record Returning(Analyzed change, RelRoot list, List<OutputColumn> output) implements Analyzed {
    @Override
    public List<ParameterDef> params() {
      return change.params();
    }
  }

  /** INSERT that does not fail at a key that exists. */
  record Upsert(Insert insert, ConflictAction action, List<ParameterDef> params)
      implements Analyzed {}

  /**
   * MERGE: the source's fields are the target's _ROWID or NULL, the number of the branch that takes
   * the row or -1, and the values of all branches.
   */
  record Merge(
      TableDef table, List<MergeBranch> branches, RelRoot source, List<ParameterDef> params)
      implements Analyzed {
    public Merge {
      branches = List.copyOf(branches);
    }
  }

  /**
   * SELECT … FOR UPDATE. The query's last fields, one for each of the tables, are their row ids.
   *
   * @param skips whether rows that others hold are left out; offset and fetch count the others
   * @param waitMillis how long it waits, where it says so itself
   */
  record LockingQuery(
      Query query,
      List<TableDef> tables,
      boolean skips,
      @Nullable Long waitMillis,
      @Nullable RexNode offset,
      @Nullable RexNode fetch)
      implements Analyzed {
    public LockingQuery {
      tables = List.copyOf(tables);
    }

    @Override
    public List<ParameterDef> params() {
      return query.params();
    }
  }

  /**
   * DECLARE CURSOR.
   *
   * @param sql a statement that declares it again
   * @param query the query; the last field of its rows is the row id in {@code table}, where there
   *     is one
   * @param table whose rows may be changed at the cursor's place; null for none
   * @param columns those that may be changed
   */
  record DeclareCursor(
      String name,
      boolean scroll,
      boolean hold,
      String sql,
      Query query,
      @Nullable TableDef table,
      List<String> columns)
      implements Analyzed {
    public DeclareCursor {
      columns = List.copyOf(columns);
    }
  }

  /** OPEN of a cursor. */
  record OpenCursor(String name) implements Analyzed {}

  /** CLOSE of a cursor. */
  record CloseCursor(String name) implements Analyzed {}

  /** Which row FETCH goes to. */
  enum Orientation {
    NEXT,
    PRIOR,
    FIRST,
    LAST,
    ABSOLUTE,
    RELATIVE
  }

  /** FETCH; {@code row} is the number behind ABSOLUTE or RELATIVE. */
  record Fetch(String name, Orientation orientation, int row) implements Analyzed {}

  /**
   * UPDATE or DELETE … WHERE CURRENT OF.
   *
   * @param sql the statement before WHERE
   * @param alias what its table is called in it
   * @param change the same change of all rows
   */
  record Positioned(String cursor, String sql, String alias, Analyzed change) implements Analyzed {
    @Override
    public List<ParameterDef> params() {
      return change.params();
    }
  }

  /** LOCK TABLE; {@code alone} where nobody else may write to the tables. */
  record LockTables(List<TableDef> tables, boolean alone, @Nullable Long waitMillis)
      implements Analyzed {
    public LockTables {
      tables = List.copyOf(tables);
    }
  }

  /** TRUNCATE TABLE; {@code restart} begins identity columns anew. */
  record Truncate(List<TableDef> tables, boolean restart) implements Analyzed {
    public Truncate {
      tables = List.copyOf(tables);
    }
  }

  /** VACUUM of one table, or of all tables of the catalog. */
  record Vacuum(List<TableDef> tables) implements Analyzed {
    public Vacuum {
      tables = List.copyOf(tables);
    }
  }

  /** ANALYZE of one table, or of all tables of the catalog. */
  record Analyze(List<TableDef> tables) implements Analyzed {
    public Analyze {
      tables = List.copyOf(tables);
    }
  }

  /**
   * CREATE TABLE; the table id of {@code def} is not yet assigned.
   *
   * @param identities the sequences of the identity columns, in the order of those
   * @param defaults a row of the columns' defaults, to be tried and not to be inserted; null where
   *     no column has one
   */
  record CreateTable(
      TableDef def,
      List<SequenceDef> identities,
      boolean ifNotExists,
      @Nullable Query asSelect,
      @Nullable Insert defaults)
      implements Analyzed {
    public CreateTable {
      identities = List.copyOf(identities);
    }

    @Override
    public List<ParameterDef> params() {
      return asSelect == null ? List.of() : asSelect.params();
    }
  }

  /** DROP TABLE, of one or several. */
  record DropTable(List<ObjectName> names, boolean ifExists, DropBehavior behavior)
      implements Analyzed {
    public DropTable {
      names = List.copyOf(names);
    }
  }

  /** ALTER TABLE: its actions, one after the other, all of them or none. */
  record AlterTable(ObjectName name, boolean ifExists, List<AlterAction> actions)
      implements Analyzed {
    public AlterTable {
      actions = List.copyOf(actions);
    }
  }

  /** CREATE SEQUENCE; the ids of {@code def} are not yet given. */
  record CreateSequence(SequenceDef def, boolean ifNotExists) implements Analyzed {}

  /** ALTER SEQUENCE to another definition; null where there is none of the name, and IF EXISTS. */
  record AlterSequence(@Nullable SequenceDef changed) implements Analyzed {}

  /** DROP SEQUENCE; null where there is none of the name, and IF EXISTS. */
  record DropSequence(@Nullable SequenceDef sequence) implements Analyzed {}

  /** CREATE INDEX; the name is null where none is given. */
  record CreateIndex(
      @Nullable String name,
      ObjectName table,
      boolean unique,
      boolean ifNotExists,
      IndexKind kind,
      List<String> columns,
      boolean[] descending)
      implements Analyzed {
    public CreateIndex {
      columns = List.copyOf(columns);
    }
  }

  /** DROP INDEX; the table is null where none is named. */
  record DropIndex(ObjectName name, boolean ifExists, @Nullable ObjectName table)
      implements Analyzed {}

  /** ALTER INDEX … RENAME TO. */
  record RenameIndex(ObjectName name, boolean ifExists, String to) implements Analyzed {}

  /** CREATE VIEW; the id of {@code def} is not yet given. */
  record CreateView(ViewDef def, boolean orReplace, boolean ifNotExists) implements Analyzed {}

  /** DROP VIEW, of one or several. */
  record DropView(List<ObjectName> names, boolean ifExists, DropBehavior behavior)
      implements Analyzed {
    public DropView {
      names = List.copyOf(names);
    }
  }

  /** CREATE SCHEMA. */
  record CreateSchema(String name, boolean ifNotExists) implements Analyzed {}

  /** CREATE SCHEMA with statements that create what is in it, in their order. */
  record CreateFullSchema(String name, boolean ifNotExists, List<SchemaElement> elements)
      implements Analyzed {
    public CreateFullSchema {
      elements = List.copyOf(elements);
    }
  }

  /** DROP SCHEMA; {@code cascade} drops all that it has too. */
  record DropSchema(String name, boolean ifExists, boolean cascade) implements Analyzed {}

  /** COMMENT ON TABLE, VIEW or, with the name of a column, COLUMN of either. */
  record Comment(ObjectName name, @Nullable String column, boolean view, @Nullable String text)
      implements Analyzed {}

  /** COMMENT ON SCHEMA. */
  record CommentOnSchema(String name, @Nullable String text) implements Analyzed {}

  /** BEGIN or START TRANSACTION, with modes of its own or the session's. */
  record Begin(@Nullable IsolationLevel isolation, @Nullable Boolean readOnly)
      implements Analyzed {}

  /** COMMIT; with {@code chain} the next transaction begins at once, with the same modes. */
  record Commit(boolean chain) implements Analyzed {}

  /** ROLLBACK of the whole transaction, with {@code chain} as for COMMIT. */
  record Rollback(boolean chain) implements Analyzed {}

  /** SAVEPOINT. */
  record Savepoint(String name) implements Analyzed {}

  /** ROLLBACK TO SAVEPOINT. */
  record RollbackTo(String name) implements Analyzed {}

  /** RELEASE SAVEPOINT. */
  record Release(String name) implements Analyzed {}

  /** SET name = value; the value is the text of the literal or word, null for DEFAULT. */
  record SetOption(String name, @Nullable String value) implements Analyzed {}

  /** SET TRANSACTION, or SET SESSION CHARACTERISTICS AS TRANSACTION. */
  record SetTransaction(@Nullable IsolationLevel level, @Nullable Boolean readOnly, boolean session)
      implements Analyzed {}

  /** SET CONSTRAINTS of those names, or of all where there is none. */
  record SetConstraints(List<String> names, boolean deferred) implements Analyzed {
    public SetConstraints {
      names = List.copyOf(names);
    }
  }

  /** SHOW name; ALL shows everything. */
  record Show(String name) implements Analyzed {}

  /** EXPLAIN of another statement. */
  record Explain(Analyzed inner, ExplainKind kind) implements Analyzed {
    @Override
    public List<ParameterDef> params() {
      return inner.params();
    }
  }

  /**
   * COPY table FROM 'file'.
   *
   * @param names what the columns are called in the statement and in the file
   * @param numbered columns of the table whose rows take numbers where the file lacks them
   * @param checks of views, where the statement names one
   */
  record CopyFrom(
      TableDef table,
      int[] columns,
      List<String> names,
      String file,
      CopyFormat format,
      List<NumberedColumn> numbered,
      List<ViewCheck> checks)
      implements Analyzed {
    public CopyFrom {
      names = List.copyOf(names);
      numbered = List.copyOf(numbered);
      checks = List.copyOf(checks);
    }
  }

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
    ANALYZE,

    /** What ANALYZE shows, and what warps did, which takes longer. */
    ANALYZE_KERNEL
  }
}
