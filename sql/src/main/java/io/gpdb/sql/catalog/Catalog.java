package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.DropBehavior;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.SchemaPath;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.index.IndexBuild;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The tables, views, sequences, schemas, roles, domains and routines of a database, kept in its
 * system table and changed by ordinary transactions: a change is seen by others after its commit
 * and is gone after its rollback. Thread-safe.
 */
public final class Catalog {

  /** Tables, views, sequences, schemas, roles, domains and routines that a database may have. */
  public static final int TABLES_MAX = 10_000;

  private final CatalogVersions versions;
  private final Sequences sequences;
  private int lastTableId;

  private Catalog(CatalogVersions versions, Sequences sequences, int lastTableId) {
    this.versions = versions;
    this.sequences = sequences;
    this.lastTableId = lastTableId;
  }

  /**
   * The catalog of an open database, whose system table is created when the database is new. A
   * reader of a database whose creation ended before that finds no tables.
   *
   * @throws GpdbException CORRUPTION where a table is not stored as the catalog defines it
   */
  public static Catalog open(TransactionManager manager) {
    if (manager.options().readOnly() && isUnborn(manager)) {
      return new Catalog(
          CatalogVersions.none(), new Sequences(manager), SystemTable.FIRST_USER_TABLE_ID - 1);
    }
    bootstrap(manager);
    Sequences sequences = new Sequences(manager);
    Transaction transaction = manager.begin();
    try {
      CatalogVersions versions = CatalogVersions.of(transaction);
      CatalogSnapshot snapshot = versions.snapshot(transaction);
      CatalogCheck.requireStored(manager, snapshot);
      int lastId =
          Math.max(SystemTable.FIRST_USER_TABLE_ID - 1, SystemTable.greatestId(transaction));
      for (SequenceDef sequence : snapshot.sequences()) {
        lastId = Math.max(lastId, sequence.stateId());
      }
      if (!manager.options().readOnly()) {
        sequences.keepOnly(statesOf(snapshot));
      }
      return new Catalog(versions, sequences, lastId);
    } finally {
      transaction.rollback();
    }
  }

  private static Set<Integer> statesOf(CatalogSnapshot snapshot) {
    Set<Integer> states = new HashSet<>();
    snapshot.sequences().forEach(sequence -> states.add(sequence.stateId()));
    return states;
  }

  /** How far the sequences have been taken. */
  public Sequences sequences() {
    return sequences;
  }

  /** Ends the use of the catalog, by nobody from now on; the database is still open. */
  public void close() {
    sequences.close();
  }

  /** Whether nothing was ever committed, not even the system table. */
  private static boolean isUnborn(TransactionManager manager) {
    return manager.tables().isEmpty();
  }

  /** Creates the system table of a new database. */
  public static void bootstrap(TransactionManager manager) {
    if (manager.table(SystemTable.TABLE_ID) == null) {
      Transaction transaction = manager.begin();
      SystemTable.create(transaction);
      transaction.commit();
      // From here on the home image knows that there is a log: one that is missing is found.
      manager.checkpoint();
    }
  }

  /** Holds the catalog's rows against the stored tables; nobody may write meanwhile. */
  public static List<String> check(TransactionManager manager) {
    return isUnborn(manager) ? List.of() : new CatalogCheck(manager).run();
  }

  /** The names of the tables by their numbers, as far as the catalog can be read. */
  public static Map<Integer, String> names(TransactionManager manager) {
    return CatalogCheck.names(manager);
  }

  /**
   * The catalog that the transaction sees, its own changes included, in the path that a session has
   * attached to it.
   */
  public CatalogSnapshot snapshot(Transaction transaction) {
    CatalogSnapshot snapshot = versions.snapshot(transaction);
    return transaction.attachment() instanceof SchemaPath path ? snapshot.in(path) : snapshot;
  }

  /** Creates a table without identity columns and assigns its id. */
  public TableDef createTable(Transaction transaction, TableDef definition) {
    return createTable(transaction, definition, List.of());
  }

  /**
   * Creates the table and assigns its id and those of its sequences.
   *
   * @param identities the sequences of the identity columns, in the order of those
   */
  public TableDef createTable(
      Transaction transaction, TableDef definition, List<SequenceDef> identities) {
    CatalogSnapshot before = snapshot(transaction);
    requireFree(before, definition.fullName());
    if (before.view(definition.fullName()) != null) {
      throw exists("view", definition.fullName());
    }
    changeForOneMore(transaction, before);
    TableDef table = withIdentities(transaction, definition, identities).withTableId(newTableId());
    SystemTable.insertTable(transaction, table);
    transaction.createTable(table.tableId(), table.shape());
    return table;
  }

  /** Numbers and stores the sequences of identity columns that have none yet. */
  private TableDef withIdentities(
      Transaction transaction, TableDef definition, List<SequenceDef> identities) {
    List<ColumnDef> columns = new ArrayList<>(definition.columns());
    int used = 0;
    for (int i = 0; i < columns.size(); i++) {
      IdentityDef identity = columns.get(i).identity();
      if (identity != null && !identity.isNumbered()) {
        SequenceDef sequence = identities.get(used++).withIds(newTableId(), newTableId());
        SystemTable.insertSequence(transaction, sequence);
        columns.set(i, columns.get(i).withIdentity(identity.withSequenceId(sequence.sequenceId())));
      }
    }
    return definition.withColumns(columns);
  }

  /** Creates the sequence and assigns its ids. */
  public void createSequence(Transaction transaction, SequenceDef definition) {
    CatalogSnapshot before = snapshot(transaction);
    before.requireSchema(definition.schema());
    if (before.sequence(definition.fullName()) != null) {
      throw exists("sequence", definition.fullName());
    }
    changeForOneMore(transaction, before);
    SystemTable.insertSequence(transaction, definition.withIds(newTableId(), newTableId()));
  }

  /** Gives a sequence another definition, and another state where that is not numbered. */
  public void redefineSequence(Transaction transaction, SequenceDef sequence) {
    change(transaction);
    SequenceDef numbered =
        sequence.stateId() >= 0 ? sequence : sequence.withIds(sequence.sequenceId(), newTableId());
    SystemTable.redefineSequence(transaction, numbered);
  }

  public void dropSequence(Transaction transaction, SequenceDef sequence) {
    change(transaction);
    SystemTable.deleteSequence(transaction, sequence);
  }

  static void requireFree(CatalogSnapshot before, ObjectName name) {
    before.requireSchema(name.schema());
    if (before.table(name) != null) {
      throw exists("table", name);
    }
  }

  static GpdbException exists(String kind, ObjectName name) {
    return new GpdbException(ErrorCode.TABLE_EXISTS, kind + " " + name + " already exists");
  }

  void changeForOneMore(Transaction transaction, CatalogSnapshot before) {
    int objects =
        before.tables().size()
            + before.views().size()
            + before.sequences().size()
            + before.schemas().size()
            + before.roles().size()
            + before.domains().size()
            + before.routines().size()
            - 1;
    if (objects >= TABLES_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED, "too many tables: tables=" + objects + ", limit=" + TABLES_MAX);
    }
    change(transaction);
    if (SystemTable.isOvergrown(transaction, objects)) {
      SystemTable.move(transaction, newTableId());
    }
  }

  /** Schemas are created and dropped there. */
  public Schemas schemas() {
    return new Schemas(this);
  }

  /** Roles are created and dropped there, and privileges granted. */
  public Roles roles() {
    return new Roles(this);
  }

  /** Domains are created and dropped there. */
  public Domains domains() {
    return new Domains(this);
  }

  /** Functions and procedures are created and dropped there. */
  public Routines routines() {
    return new Routines(
        new Routines.Changes() {
          @Override
          public CatalogSnapshot snapshot(Transaction transaction) {
            return Catalog.this.snapshot(transaction);
          }

          @Override
          public void change(Transaction transaction) {
            Catalog.this.change(transaction);
          }

          @Override
          public void changeForOneMore(Transaction transaction, CatalogSnapshot before) {
            Catalog.this.changeForOneMore(transaction, before);
          }

          @Override
          public int newId() {
            return newTableId();
          }
        });
  }

  /** Views are created, changed and dropped there. */
  public Views views() {
    return new Views(this);
  }

  /**
   * Gives a table another definition, by which its rows are stored as they are: names, defaults,
   * constraints and comments may differ, the shape of the store may not.
   */
  public void redefineTable(Transaction transaction, TableDef table) {
    redefineTable(transaction, table, List.of());
  }

  /**
   * As {@link #redefineTable(Transaction, TableDef)}. Identity columns that have no sequence yet
   * get those given, in their order; sequences of which no column of the table is left are dropped.
   */
  public TableDef redefineTable(
      Transaction transaction, TableDef definition, List<SequenceDef> identities) {
    CatalogSnapshot before = snapshot(transaction);
    change(transaction);
    TableDef table = withIdentities(transaction, definition, identities);
    SystemTable.redefineTable(transaction, table);
    TableDef old = before.table(definition.tableId());
    if (old != null) {
      dropIdentities(transaction, before, old, table);
    }
    return table;
  }

  /** Drops the sequences of identity columns that the table no longer has. */
  private static void dropIdentities(
      Transaction transaction,
      CatalogSnapshot snapshot,
      TableDef before,
      @Nullable TableDef after) {
    for (ColumnDef column : before.columns()) {
      IdentityDef identity = column.identity();
      if (identity != null && (after == null || !after.hasSequence(identity.sequenceId()))) {
        SystemTable.deleteSequence(transaction, snapshot.sequence(identity));
      }
    }
  }

  /**
   * Gives a table another definition, which has an index more: it gets the keys of the rows that
   * are there.
   *
   * @return {@link IndexBuild#NO_ROW}, or where the index is unique the number of a row with the
   *     key of another: the statement fails
   */
  public long addIndex(Transaction transaction, TableDef definition) {
    transaction.fenceTable(definition.tableId());
    long row = transaction.addIndex(definition.tableId(), definition.shape().indexes().getLast());
    redefineTable(transaction, definition);
    return row;
  }

  /**
   * Gives a table another definition, which has a column more: the rows that are there have one
   * value in it: none, {@code string} in a column of strings, else {@code raw}.
   */
  public void addColumn(
      Transaction transaction,
      TableDef definition,
      long raw,
      byte @Nullable [] string,
      boolean isNull) {
    transaction.fenceTable(definition.tableId());
    transaction.addColumn(
        definition.tableId(), definition.shape().columns().getLast(), raw, string, isNull);
    redefineTable(transaction, definition);
  }

  /**
   * Gives a table another definition and a store of that shape, which {@code fill} fills from the
   * old one: both tables can be read and written by their numbers until it returns, the old one
   * alone by its name. Other transactions do not write to the table meanwhile, nor afterwards
   * unless they see this one's commit.
   *
   * @return the table as it is then
   */
  public TableDef replaceTable(
      Transaction transaction, TableDef before, TableDef definition, Consumer<TableDef> fill) {
    change(transaction);
    transaction.fenceTable(before.tableId());
    TableDef made = definition.withNumberedIndexes().withTableId(newTableId());
    transaction.createTable(made.tableId(), made.shape());
    fill.accept(made);
    CatalogSnapshot snapshot = snapshot(transaction);
    change(transaction); // the catalog has been read since the change above
    SystemTable.replaceTable(transaction, before, made);
    dropIdentities(transaction, snapshot, before, made);
    transaction.dropTable(before.tableId());
    return made;
  }

  /**
   * Drops a table. {@link DropBehavior#CASCADE} drops the views that read it and the foreign keys
   * that refer to it, too; otherwise there may be no such foreign key, and with {@link
   * DropBehavior#RESTRICT} no such view.
   */
  public void dropTable(Transaction transaction, TableDef table, DropBehavior behavior) {
    views().dropReaders(transaction, "table " + table.fullName(), table.fullName(), behavior);
    CatalogSnapshot before = snapshot(transaction);
    dropReferences(transaction, table, behavior == DropBehavior.CASCADE);
    change(transaction);
    SystemTable.deleteTable(transaction, table);
    dropIdentities(transaction, before, table, null);
    transaction.dropTable(table.tableId());
  }

  /** Takes foreign keys of other tables away that refer to the table. */
  private void dropReferences(Transaction transaction, TableDef parent, boolean cascade) {
    for (TableDef child : snapshot(transaction).tables()) {
      List<ForeignKeyDef> kept = new ArrayList<>(child.foreignKeys());
      kept.removeIf(key -> key.parent().equals(parent.fullName()));
      if (child.tableId() == parent.tableId() || kept.size() == child.foreignKeys().size()) {
        continue;
      }
      if (!cascade) {
        throw new GpdbException(
            SqlCondition.OBJECT_IN_USE,
            "table "
                + child.fullName()
                + " has a foreign key that refers to table "
                + parent.fullName()
                + "; CASCADE drops the foreign key too");
      }
      redefineTable(transaction, child.withForeignKeys(kept));
    }
  }

  /**
   * Moves the table's live rows into a store of their own, which frees what the others took. The
   * catalog comes last, so that other changes of it do not wait for the copying.
   *
   * @return the number of rows
   */
  public long rewriteTable(Transaction transaction, TableDef table) {
    int newId = newTableId();
    long rows = transaction.rewriteTable(table.tableId(), newId);
    move(transaction, table, newId);
    return rows;
  }

  /** As {@link #rewriteTable}, giving way to writers of the table. */
  public long rewriteTableUnlessWritten(Transaction transaction, TableDef table) {
    int newId = newTableId();
    long rows = transaction.rewriteTableUnlessWritten(table.tableId(), newId);
    move(transaction, table, newId);
    return rows;
  }

  private void move(Transaction transaction, TableDef table, int newId) {
    change(transaction);
    SystemTable.moveTable(transaction, table, newId);
  }

  synchronized int newTableId() {
    return ++lastTableId;
  }

  /** Marks the catalog as changed by the transaction. */
  void change(Transaction transaction) {
    versions.change(transaction);
  }
}
