package io.gpdb.session;

import io.gpdb.planner.Prepared;
import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.change.GeneratedColumns;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.planner.statement.SequenceNumbers;
import io.gpdb.session.copy.CopyIn;
import io.gpdb.session.database.Database;
import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.NumberedColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableReader;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What COPY stores in columns that its file lacks: their defaults, or numbers of sequences; and
 * which rows it has stored, where views are to judge them.
 */
final class CopyDefaults implements CopyIn.Defaults {
  private final Database database;
  private final Analyzed.CopyFrom copy;
  private final Transaction transaction;
  private final SequenceNumbers numbers;
  private final GeneratedColumns generated;
  private final @Nullable ChosenRows judged;

  CopyDefaults(
      Database database,
      Analyzed.CopyFrom copy,
      Transaction transaction,
      @Nullable ChosenRows judged) {
    this.judged = judged;
    this.database = database;
    this.copy = copy;
    this.transaction = transaction;
    this.generated = GeneratedColumns.of(copy.table());
    this.numbers = SequenceNumbers.of(database.catalog().sequences());
  }

  /** Computed once, as a query. */
  @Override
  public CopyIn.Absent of(int column) {
    TableDef table = copy.table();
    String defaultSql = table.column(column).defaultSql();
    if (defaultSql == null) {
      return CopyIn.Absent.NULL;
    }
    if (SqlFrontEnd.asksSequence(defaultSql)) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "COPY without column %s, whose DEFAULT is another value for each row"
              .formatted(table.column(column).name()));
    }
    SqlTypeSpec type = table.column(column).type();
    Prepared query =
        database.engine().prepare("SELECT CAST((" + defaultSql + ") AS " + type + ")", transaction);
    try (RowSet row = Outcome.rows(query.execute(transaction, Binding.EMPTY))) {
      if (!row.next() || row.isNull(0)) {
        return CopyIn.Absent.NULL;
      }
      if (!type.kind().isString()) {
        return new CopyIn.Absent(row.raw(0), false);
      }
      CodedStrings dictionary =
          Objects.requireNonNull(transaction.reader(table.tableId()).strings(column));
      byte[] bytes = row.bytes(0);
      return new CopyIn.Absent(dictionary.intern(bytes, 0, bytes.length), false);
    }
  }

  @Override
  public GeneratedColumns generated() {
    return generated;
  }

  @Override
  public void generate(
      ColumnView[] rows, GeneratedColumns.NewValues into, int n, IntToLongFunction line) {
    TableReader reader = transaction.reader(copy.table().tableId());
    generated.fill(Binding.EMPTY, reader, rows, into, n, line);
  }

  @Override
  public void stored(long first, int n) {
    if (judged != null) {
      judged.addNew(first, n);
    }
  }

  @Override
  public long @Nullable [] numbers(int column, int n) {
    for (NumberedColumn each : copy.numbered()) {
      if (each.column() == column) {
        ColumnDef definition = copy.table().column(column);
        if (definition.identity() == null && definition.type().kind() != SqlTypeSpec.Kind.BIGINT) {
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED,
              "COPY without column %s, whose DEFAULT is a number of a sequence and not BIGINT"
                  .formatted(definition.name()));
        }
        return numbers.next(each.sequence(), n);
      }
    }
    return null;
  }
}
