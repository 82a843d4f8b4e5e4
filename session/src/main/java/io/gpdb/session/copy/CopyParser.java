package io.gpdb.session.copy;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.CopyFormat;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.error.ErrorCondition;
import io.gpdb.storage.error.GpdbException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Turns the records of a CSV file into rows of batches. For one thread. */
final class CopyParser {
  private final TableDef table;
  private final CopyPlace place;
  private final CsvTokenizer records;
  private final boolean exact;
  private final byte[] nullText;

  /** The table's column of each field. */
  private int[] targets;

  /** Loaders of each batch that has been filled, in the order of the fields. */
  private final IdentityHashMap<RowBatch, FieldLoader[]> loaders = new IdentityHashMap<>();

  private final @Nullable StringCodes[] codes;

  CopyParser(
      TableDef table,
      int[] columns,
      List<String> names,
      CopyFormat format,
      CopyPlace place,
      ReadAhead input,
      IntFunction<@Nullable CodedStrings> dictionaries)
      throws IOException {
    this.table = table;
    this.place = place;
    this.records = new CsvTokenizer(input, format);
    this.exact = format.exact();
    this.nullText = format.nullText().getBytes(StandardCharsets.UTF_8);
    this.targets = columns;
    if (format.header()) {
      this.targets = header(columns, names);
    }
    this.codes = new StringCodes[targets.length];
    for (int i = 0; i < targets.length; i++) {
      CodedStrings dictionary = dictionaries.apply(targets[i]);
      if (dictionary != null) {
        codes[i] = new StringCodes(dictionary);
      }
    }
  }

  int[] targets() {
    return targets.clone();
  }

  private int[] header(int[] columns, List<String> names) throws IOException {
    if (!next()) {
      throw new GpdbException(
          CopyCondition.BAD_CSV,
          place.file() + " is empty and has no header line with the columns' names");
    }
    int[] found = new int[records.fieldCount()];
    for (int i = 0; i < found.length; i++) {
      String name =
          new String(
              records.buffer(),
              records.start(i),
              records.end(i) - records.start(i),
              StandardCharsets.UTF_8);
      found[i] = column(name.strip(), columns, names);
      if (found[i] < 0) {
        throw place.bad(
            SqlCondition.COLUMN_NOT_FOUND,
            records.line(),
            i,
            null,
            "the header's '" + name + "' is not a column to fill of " + table.name());
      }
      for (int earlier = 0; earlier < i; earlier++) {
        if (found[earlier] == found[i]) {
          throw place.bad(
              CopyCondition.BAD_CSV, records.line(), i, name, "the header names the column twice");
        }
      }
    }
    return found;
  }

  /** A name of the header means the column of that name, else the one that differs in case. */
  private static int column(String name, int[] columns, List<String> names) {
    int folded = -1;
    for (int i = 0; i < columns.length; i++) {
      String known = names.get(i);
      if (known.equals(name)) {
        return columns[i];
      }
      if (folded < 0 && known.toUpperCase(Locale.ROOT).equals(name.toUpperCase(Locale.ROOT))) {
        folded = columns[i];
      }
    }
    return folded;
  }

  private boolean next() throws IOException {
    try {
      return records.next();
    } catch (CsvTokenizer.CsvSyntaxError e) {
      String column = e.column() < targets.length ? table.column(targets[e.column()]).name() : null;
      throw place.bad(
          CopyCondition.BAD_CSV, e.line(), e.column(), column, String.valueOf(e.getMessage()));
    }
  }

  /** Fills the batch with the next rows and marks it when there are no more. */
  void fill(RowBatch batch) throws IOException {
    FieldLoader[] into = loaders(batch);
    while (!batch.isFull()) {
      if (!next()) {
        batch.markLast();
        return;
      }
      if (!records.isBlank() || targets.length == 1) {
        load(into, batch);
        batch.endRow(records.line());
      }
    }
  }

  private FieldLoader[] loaders(RowBatch batch) {
    return loaders.computeIfAbsent(
        batch,
        absent -> {
          FieldLoader[] made = new FieldLoader[targets.length];
          for (int i = 0; i < made.length; i++) {
            made[i] =
                FieldLoader.of(
                    table.column(targets[i]).type(), batch.column(targets[i]), codes[i], exact);
          }
          return made;
        });
  }

  private void load(FieldLoader[] into, RowBatch batch) {
    int fields = records.fieldCount();
    if (fields != into.length) {
      throw place.bad(
          CopyCondition.BAD_CSV,
          records.line(),
          fields + (fields == 1 ? " field where " : " fields where ") + into.length + " belong");
    }
    byte[] buffer = records.buffer();
    int row = batch.rows();
    for (int i = 0; i < fields; i++) {
      int start = records.start(i);
      int end = records.end(i);
      if (isNull(i, buffer, start, end)) {
        loadNull(batch, i, row);
      } else {
        try {
          into[i].load(buffer, start, end, row);
        } catch (FieldError e) {
          throw bad(e.code(), i, String.valueOf(e.getMessage()));
        }
      }
    }
  }

  private boolean isNull(int field, byte[] buffer, int start, int end) {
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

  private void loadNull(RowBatch batch, int field, int row) {
    ColumnDef column = table.column(targets[field]);
    if (!column.nullable()) {
      String name = column.notNullName();
      throw bad(
          SqlCondition.NOT_NULL_VIOLATION,
          field,
          "NULL in a column that is NOT NULL" + (name == null ? "" : " (" + name + ")"));
    }
    batch.column(targets[field]).setNull(row);
  }

  private GpdbException bad(ErrorCondition code, int field, String message) {
    return place.bad(code, records.line(), field, table.column(targets[field]).name(), message);
  }
}
