package io.gpdb.jdbc.copy;

import io.gpdb.sql.ColumnDef;
import io.gpdb.sql.CopyFormat;
import io.gpdb.sql.KeyDef;
import io.gpdb.sql.TableDef;
import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import io.gpdb.txn.ColumnData;
import io.gpdb.txn.KeyViolation;
import io.gpdb.txn.TableWriter;
import io.gpdb.txn.Transaction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * COPY … FROM: reads a CSV file into a table inside the caller's transaction. One thread reads and
 * decompresses ahead; this one parses into columns and inserts a batch at a time. When it throws,
 * batches may have been inserted: the caller rolls them back.
 */
public final class CopyIn {
  static final int BATCH_ROWS = 65_536;

  private final TableDef table;
  private final int[] columns;
  private final CopyFormat format;
  private final byte[] nullText;
  private final String file;
  private final CopyProgress progress;
  private final BooleanSupplier cancelled;

  /** Where field i of a record goes: a loader, or null when the file's column is not known. */
  private @Nullable FieldLoader[] loaders = new FieldLoader[0];

  private int[] targets = new int[0];
  private final long[] lines = new long[BATCH_ROWS];
  private long rows;

  /** The value of a column that the file does not give; raw bits, codes for strings. */
  public record Absent(long raw, boolean isNull) {
    public static final Absent NULL = new Absent(0, true);
  }

  /** Gives the default of a column, evaluated once for the whole COPY. */
  public interface Defaults {
    Absent of(int column);
  }

  /**
   * {@code columns} are the table's columns that the file gives, in the file's order; when the
   * format has a header, its names decide the order instead.
   */
  public CopyIn(
      TableDef table,
      int[] columns,
      CopyFormat format,
      String file,
      CopyProgress progress,
      BooleanSupplier cancelled) {
    this.table = table;
    this.columns = columns.clone();
    this.format = format;
    this.nullText = format.nullText().getBytes(StandardCharsets.UTF_8);
    this.file = file;
    this.progress = progress;
    this.cancelled = cancelled;
  }

  /** Gives the number of rows inserted. */
  public long run(Transaction transaction, Defaults defaults) {
    try (CopySource source = CopySource.open(file);
        ReadAhead input = new ReadAhead(source.stream());
        Arena arena = Arena.ofShared()) {
      CsvTokenizer records = new CsvTokenizer(input, format);
      TableWriter writer = transaction.writer(table.tableId());
      ColumnBuffer[] buffers = new ColumnBuffer[table.columns().size()];
      for (int i = 0; i < buffers.length; i++) {
        buffers[i] = new ColumnBuffer(arena, table.column(i).type().element(), BATCH_ROWS);
      }
      try {
        prepare(records, buffers, transaction, defaults);
        copy(source, records, buffers, writer);
      } catch (CsvTokenizer.CsvSyntaxError e) {
        throw bad(ErrorCode.BAD_CSV, e.line(), e.column(), e.getMessage());
      }
      writer.finishStatement();
      return rows;
    } catch (IOException e) {
      throw new GpdbException(
          ErrorCode.BAD_CSV,
          file + ": cannot be read after " + rows + " rows: " + e.getMessage(),
          e);
    }
  }

  private void prepare(
      CsvTokenizer records, ColumnBuffer[] buffers, Transaction transaction, Defaults defaults)
      throws IOException {
    targets = columns;
    if (format.header()) {
      if (!records.next()) {
        throw new GpdbException(
            ErrorCode.BAD_CSV, file + " is empty and has no header line with the columns' names");
      }
      targets = headerTargets(records);
    }
    boolean[] given = new boolean[buffers.length];
    loaders = new FieldLoader[targets.length];
    for (int i = 0; i < targets.length; i++) {
      int column = targets[i];
      given[column] = true;
      loaders[i] =
          FieldLoader.of(
              table.column(column).type(),
              buffers[column],
              transaction.reader(table.tableId()).store().dictionary(column));
    }
    for (int column = 0; column < buffers.length; column++) {
      if (!given[column]) {
        fillAbsent(buffers[column], column, defaults.of(column));
      }
    }
  }

  private void fillAbsent(ColumnBuffer buffer, int column, Absent absent) {
    ColumnDef definition = table.column(column);
    if (absent.isNull() && !definition.nullable()) {
      throw new GpdbException(
          ErrorCode.NOT_NULL_VIOLATION,
          "column "
              + definition.name()
              + " of "
              + table.name()
              + " is NOT NULL, has no default and is not in "
              + file);
    }
    for (int row = 0; row < BATCH_ROWS; row++) {
      if (absent.isNull()) {
        buffer.setNull(row);
      } else {
        buffer.setRaw(row, absent.raw());
      }
    }
  }

  /** The table's column for each name of the header, which may be written in any case. */
  private int[] headerTargets(CsvTokenizer records) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < records.fieldCount(); i++) {
      String name =
          new String(
              records.buffer(),
              records.start(i),
              records.end(i) - records.start(i),
              StandardCharsets.UTF_8);
      int column = column(name.strip());
      if (column < 0) {
        throw bad(
            ErrorCode.COLUMN_NOT_FOUND,
            records.line(),
            i,
            "the header's column '" + name + "' is not a column to fill of " + table.name());
      }
      if (found.contains(column)) {
        throw bad(ErrorCode.BAD_CSV, records.line(), i, "the header names '" + name + "' twice");
      }
      found.add(column);
    }
    return found.stream().mapToInt(Integer::intValue).toArray();
  }

  private int column(String name) {
    for (int column : columns) {
      if (table.column(column).name().equals(name)) {
        return column;
      }
    }
    String folded = name.toUpperCase(Locale.ROOT);
    for (int column : columns) {
      if (table.column(column).name().toUpperCase(Locale.ROOT).equals(folded)) {
        return column;
      }
    }
    return -1;
  }

  private void copy(
      CopySource source, CsvTokenizer records, ColumnBuffer[] buffers, TableWriter writer)
      throws IOException {
    int n = 0;
    while (records.next()) {
      if (records.isBlank() && targets.length > 1) {
        continue;
      }
      load(records, buffers, n);
      lines[n++] = records.line();
      if (n == BATCH_ROWS) {
        insert(buffers, writer, n);
        progress.at(rows, source.bytesRead(), source.sizeBytes());
        n = 0;
        if (cancelled.getAsBoolean()) {
          throw new GpdbException(
              ErrorCode.CANCELLED, "COPY was cancelled after " + rows + " rows");
        }
      }
    }
    insert(buffers, writer, n);
    progress.at(rows, source.bytesRead(), source.sizeBytes());
  }

  private void load(CsvTokenizer records, ColumnBuffer[] buffers, int row) {
    int fields = records.fieldCount();
    if (fields != targets.length) {
      throw bad(
          ErrorCode.BAD_CSV,
          records.line(),
          -1,
          fields + " fields where " + targets.length + " are wanted");
    }
    byte[] buffer = records.buffer();
    for (int i = 0; i < fields; i++) {
      int start = records.start(i);
      int end = records.end(i);
      if (isNull(records, i, buffer, start, end)) {
        loadNull(records, buffers, i, row);
      } else {
        try {
          loaders[i].load(buffer, start, end, row);
        } catch (FieldError e) {
          throw bad(e.code(), records.line(), i, e.getMessage());
        }
      }
    }
  }

  private boolean isNull(CsvTokenizer records, int field, byte[] buffer, int start, int end) {
    int length = end - start;
    if (length != nullText.length || records.isQuoted(field)) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (buffer[start + i] != nullText[i]) {
        return false;
      }
    }
    return true;
  }

  private void loadNull(CsvTokenizer records, ColumnBuffer[] buffers, int field, int row) {
    int column = targets[field];
    if (!table.column(column).nullable()) {
      throw bad(ErrorCode.NOT_NULL_VIOLATION, records.line(), field, "the column is NOT NULL");
    }
    buffers[column].setNull(row);
  }

  private void insert(ColumnBuffer[] buffers, TableWriter writer, int n) {
    if (n == 0) {
      return;
    }
    ColumnData[] data = new ColumnData[buffers.length];
    for (int i = 0; i < data.length; i++) {
      data[i] = new ColumnData(buffers[i].type(), buffers[i].values(), buffers[i].validity());
    }
    try {
      writer.insert(data, n);
    } catch (KeyViolation e) {
      throw duplicate(e);
    }
    rows += n;
    for (int column : targets) {
      buffers[column].clear();
    }
  }

  private GpdbException duplicate(KeyViolation violation) {
    KeyDef key = table.keys().get(violation.indexOrdinal());
    StringBuilder names = new StringBuilder();
    for (int column : key.columns()) {
      names.append(names.isEmpty() ? "" : ", ").append(table.column(column).name());
    }
    return bad(
        ErrorCode.DUPLICATE_KEY,
        lines[(int) violation.batchRow()],
        -1,
        "the key " + key.name() + " (" + names + ") of " + table.name() + " is there already");
  }

  /** Says the place: file, line and, unless the field is -1, column by number and name. */
  private GpdbException bad(ErrorCode code, long line, int field, @Nullable String message) {
    StringBuilder place = new StringBuilder(file).append(": line ").append(line);
    if (field >= 0) {
      place.append(", column ").append(field + 1);
      if (field < targets.length && loaders.length > 0) {
        place.append(" (").append(table.column(targets[field]).name()).append(')');
      }
    }
    return new GpdbException(code, place + ": " + message);
  }
}
