package io.gpdb.session.copy;

import io.gpdb.planner.change.GeneratedColumns;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.CopyFormat;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HeldBlocks;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.TableWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * COPY … FROM: reads a CSV file into a table inside the caller's transaction. One thread reads and
 * decompresses, one parses into columns, and the caller's inserts a batch at a time. When it
 * throws, batches may have been inserted: the caller rolls them back.
 */
public final class CopyIn {
  private final TableDef table;
  private final int[] columns;
  private final List<String> names;
  private final CopyFormat format;
  private final CopyPlace place;
  private final Path path;
  private final CopyProgress progress;
  private final BooleanSupplier cancelled;
  private long rows;

  /** The value of a column that the file lacks; raw bits, codes for strings. */
  public record Absent(long raw, boolean isNull) {
    public static final Absent NULL = new Absent(0, true);
  }

  /** What columns have that the file lacks. */
  public interface Defaults {
    /** The default of a column, evaluated once for the whole COPY. */
    Absent of(int column);

    /** The next n numbers of a column whose rows are numbered; null for any other. */
    long @Nullable [] numbers(int column, int n);

    /** The table's generated columns. */
    GeneratedColumns generated();

    /** Computes the generated columns of n rows, whose other columns are filled. */
    void generate(
        ColumnView[] rows, GeneratedColumns.NewValues into, int n, IntToLongFunction line);

    /** Takes the numbers of rows that were inserted. */
    void stored(long first, int n);
  }

  /**
   * {@code columns} are the table's columns in the file, in the file's order; when the format has a
   * header, it decides the order instead, by {@code names} of the columns.
   */
  public CopyIn(
      TableDef table,
      int[] columns,
      List<String> names,
      CopyFormat format,
      String file,
      Path path,
      CopyProgress progress,
      BooleanSupplier cancelled) {
    this.table = table;
    this.columns = columns.clone();
    this.names = List.copyOf(names);
    this.format = format;
    this.place = new CopyPlace(file);
    this.path = path;
    this.progress = progress;
    this.cancelled = cancelled;
  }

  /** Returns the number of rows inserted. */
  public long run(Transaction transaction, Defaults defaults) {
    try (CopySource source = CopySource.open(place.file(), path);
        ReadAhead input = new ReadAhead(source.stream());
        HeldBlocks memory = new HeldBlocks(MemoryAccount.current())) {
      CopyParser parser =
          new CopyParser(
              table,
              columns,
              names,
              format,
              place,
              input,
              column -> dictionary(transaction, column));
      RowBatch[] batches = new RowBatch[ParseAhead.BATCHES];
      for (int i = 0; i < batches.length; i++) {
        batches[i] = new RowBatch(table, memory);
      }
      List<Integer> numbered = fillAbsent(batches, parser.targets(), defaults);
      try (ParseAhead ahead = new ParseAhead(parser, batches)) {
        insertAll(ahead, source, transaction.writer(table.tableId()), defaults, numbered);
      }
      return rows;
    } catch (IOException e) {
      throw new GpdbException(
          CopyCondition.BAD_CSV, place.file() + " cannot be read to its end: " + e.getMessage(), e);
    }
  }

  private @Nullable CodedStrings dictionary(Transaction transaction, int column) {
    return transaction.reader(table.tableId()).strings(column);
  }

  private void number(RowBatch batch, List<Integer> columns, Defaults defaults) {
    for (int column : columns) {
      long[] numbers = defaults.numbers(column, batch.rows());
      for (int row = 0; numbers != null && row < numbers.length; row++) {
        batch.column(column).setRaw(row, numbers[row]);
      }
    }
  }

  private void generate(RowBatch batch, Defaults defaults) {
    GeneratedColumns generated = defaults.generated();
    if (generated.isEmpty()) {
      return;
    }
    for (int column = 0; column < table.columns().size(); column++) {
      if (generated.computes(column)) {
        batch.column(column).clear();
      }
    }
    defaults.generate(batch.data(), batch, batch.rows(), batch::line);
  }

  /** Fills columns that have one value in all rows; returns those that are numbered. */
  private List<Integer> fillAbsent(RowBatch[] batches, int[] targets, Defaults defaults) {
    List<Integer> numbered = new ArrayList<>();
    boolean[] given = new boolean[table.columns().size()];
    for (int column : targets) {
      given[column] = true;
    }
    for (int column = 0; column < given.length; column++) {
      if (defaults.generated().computes(column)) {
        continue;
      }
      if (!given[column] && defaults.numbers(column, 0) != null) {
        numbered.add(column);
      } else if (!given[column]) {
        Absent absent = defaults.of(column);
        requireNullable(column, absent);
        for (RowBatch batch : batches) {
          fill(batch.column(column), absent);
        }
      }
    }
    return numbered;
  }

  private void requireNullable(int column, Absent absent) {
    ColumnDef definition = table.column(column);
    if (absent.isNull() && !definition.nullable()) {
      throw new GpdbException(
          SqlCondition.NOT_NULL_VIOLATION,
          "column "
              + definition.name()
              + " of "
              + table.name()
              + " is NOT NULL, has no default and is not in "
              + place.file());
    }
  }

  private static void fill(ColumnBuffer column, Absent absent) {
    for (int row = 0; row < RowBatch.ROWS; row++) {
      if (absent.isNull()) {
        column.setNull(row);
      } else {
        column.setRaw(row, absent.raw());
      }
    }
  }

  private void insertAll(
      ParseAhead ahead,
      CopySource source,
      TableWriter writer,
      Defaults defaults,
      List<Integer> numbered)
      throws IOException {
    boolean last = false;
    while (!last) {
      RowBatch batch = ahead.take();
      last = batch.isLast();
      if (batch.rows() > 0) {
        number(batch, numbered, defaults);
        generate(batch, defaults);
        defaults.stored(insert(batch, writer), batch.rows());
        progress.at(rows, source.bytesRead(), source.sizeBytes());
      }
      ahead.giveBack(batch);
      if (cancelled.getAsBoolean()) {
        throw new GpdbException(ErrorCode.CANCELLED, "COPY was cancelled after " + rows + " rows");
      }
    }
    writer.finishStatement();
  }

  /** Returns the number of the first row. */
  private long insert(RowBatch batch, TableWriter writer) {
    try {
      long first = writer.insert(batch.data(), batch.rows());
      rows += batch.rows();
      return first;
    } catch (KeyViolation e) {
      KeyDef key = table.keyOf(e.indexOrdinal());
      StringBuilder names = new StringBuilder();
      for (int column : key.columns()) {
        names.append(names.isEmpty() ? "" : ", ").append(table.column(column).name());
      }
      throw place.bad(
          SqlCondition.DUPLICATE_KEY,
          batch.line((int) e.batchRow()),
          "the key " + key.name() + " (" + names + ") of " + table.name() + " is there already");
    }
  }
}
