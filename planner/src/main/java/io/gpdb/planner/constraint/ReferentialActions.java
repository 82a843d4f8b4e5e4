package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ForeignKeyDef.Action;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.TableWriter;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a foreign key does to the children of parents that were deleted or have other keys. */
final class ReferentialActions {
  private final Reference reference;
  private final Execution x;
  private final Transaction transaction;
  private final ColumnDefaults defaults;
  private final Recomputation recomputation;

  ReferentialActions(
      Reference reference, Execution x, ColumnDefaults defaults, Recomputation recomputation) {
    this.reference = reference;
    this.x = x;
    this.transaction = x.transaction();
    this.defaults = defaults;
    this.recomputation = recomputation;
  }

  /** Keys by the numbers of the old ones, part after part, and what is NULL of them. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record NewKeys(long[] values, boolean[] nulls) {}

  /**
   * Changes the children of these keys.
   *
   * @param newKeys for CASCADE of an update the keys that they get
   */
  void apply(Action action, KeyTable keys, @Nullable NewKeys newKeys) {
    ChildRows children = ChildRows.of(reference, keys, transaction);
    if (children.count() == 0) {
      return;
    }
    if (action == Action.CASCADE && newKeys == null) {
      delete(children);
      return;
    }
    Values values =
        switch (action) {
          case CASCADE -> cascaded(Objects.requireNonNull(newKeys));
          case SET_NULL -> missing();
          case SET_DEFAULT -> defaulted();
          case NO_ACTION, RESTRICT -> throw new IllegalArgumentException(action.name());
        };
    update(children, values);
  }

  /** The new value of a part of the foreign key, by the number of the old key. */
  private interface Values {
    boolean isNull(int part, int keyNumber);

    long raw(int part, int keyNumber);
  }

  private Values cascaded(NewKeys newKeys) {
    int width = reference.width();
    return new Values() {
      @Override
      public boolean isNull(int part, int keyNumber) {
        return newKeys.nulls()[keyNumber * width + part];
      }

      @Override
      public long raw(int part, int keyNumber) {
        return inRange(part, newKeys.values()[keyNumber * width + part]);
      }
    };
  }

  /** A parent's values may be wider than the child's column. */
  private long inRange(int part, long raw) {
    ColumnDef column = reference.child().column(reference.columns()[part]);
    SqlTypeSpec type = column.type();
    if (!fits(type, raw, reference.columns()[part])) {
      throw new GpdbException(
          type.kind().isCharacter() || type.kind() == SqlTypeSpec.Kind.VARBINARY
              ? SqlCondition.STRING_TOO_LONG
              : ErrorCode.NUMERIC_OUT_OF_RANGE,
          "foreign key "
              + reference.key().name()
              + " carries a value to column "
              + column.name()
              + " of table "
              + reference.child().name()
              + " that is too wide for "
              + type);
    }
    return raw;
  }

  private boolean fits(SqlTypeSpec type, long raw, int column) {
    return switch (type.kind()) {
      case TINYINT -> raw == (byte) raw;
      case SMALLINT -> raw == (short) raw;
      case INTEGER -> raw == (int) raw;
      case DECIMAL, WIDE_DECIMAL ->
          ((BigDecimal) value(type, raw, column)).precision() <= type.precision();
      case VARCHAR -> {
        String text = (String) value(type, raw, column);
        yield type.precision() == SqlTypeSpec.UNBOUNDED
            || text.codePointCount(0, text.length()) <= type.precision();
      }
      case VARBINARY ->
          type.precision() == SqlTypeSpec.UNBOUNDED
              || ((byte[]) value(type, raw, column)).length <= type.precision();
      case BOOLEAN,
          BIGINT,
          REAL,
          DOUBLE,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_TZ,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          CHAR,
          UUID ->
          true;
    };
  }

  private Object value(SqlTypeSpec type, long raw, int column) {
    CodedStrings strings = transaction.reader(reference.child().tableId()).strings(column);
    return strings == null
        ? HostValue.ofRaw(type, raw)
        : HostValue.ofBytes(type, strings.bytes((int) raw));
  }

  private Values missing() {
    return new Values() {
      @Override
      public boolean isNull(int part, int keyNumber) {
        return true;
      }

      @Override
      public long raw(int part, int keyNumber) {
        return 0;
      }
    };
  }

  private Values defaulted() {
    ColumnDefaults.Value[] values = new ColumnDefaults.Value[reference.width()];
    for (int i = 0; i < values.length; i++) {
      values[i] = defaults.of(reference.child(), reference.columns()[i], transaction);
    }
    return new Values() {
      @Override
      public boolean isNull(int part, int keyNumber) {
        return values[part].isNull();
      }

      @Override
      public long raw(int part, int keyNumber) {
        return values[part].raw();
      }
    };
  }

  private void delete(ChildRows children) {
    TableWriter writer = transaction.writer(reference.child().tableId());
    int from = 0;
    while (from < children.count()) {
      StopSignal.poll();
      int to = endOfTablet(children, from);
      try (BatchMemory memory = new BatchMemory()) {
        writer.delete(tablet(children, from), numbers(children, from, to, memory), to - from);
      }
      from = to;
    }
  }

  private void update(ChildRows children, Values values) {
    TableWriter writer = transaction.writer(reference.child().tableId());
    try {
      int from = 0;
      while (from < children.count()) {
        StopSignal.poll();
        int to = endOfTablet(children, from);
        try (BatchMemory memory = new BatchMemory()) {
          ColumnView[] columns = new ColumnView[reference.width()];
          for (int i = 0; i < columns.length; i++) {
            columns[i] = column(i, children, from, to, values, memory);
          }
          writer.update(
              tablet(children, from),
              numbers(children, from, to, memory),
              to - from,
              reference.columns(),
              columns);
        }
        from = to;
      }
      writer.finishStatement();
      recompute(children);
    } catch (KeyViolation violation) {
      throw duplicate(violation);
    }
  }

  /** The children's generated columns that are computed of what was changed. */
  private void recompute(ChildRows children) {
    ChosenRows rows = new ChosenRows(reference.child().tableId());
    for (int i = 0; i < children.count(); i++) {
      rows.add(tablet(children, i), (int) (children.row(i) % Tablet.ROWS));
    }
    int[] columns = Arrays.stream(reference.columns()).sorted().toArray();
    recomputation.recompute(x, reference.child(), columns, rows);
  }

  private GpdbException notNull(ColumnDef column) {
    return new GpdbException(
        SqlCondition.NOT_NULL_VIOLATION,
        "foreign key "
            + reference.key().name()
            + " sets column "
            + column.name()
            + " of table "
            + reference.child().name()
            + " to NULL, which is NOT NULL");
  }

  private GpdbException duplicate(KeyViolation violation) {
    return new GpdbException(
        SqlCondition.DUPLICATE_KEY,
        "foreign key "
            + reference.key().name()
            + " changes rows of table "
            + reference.child().name()
            + ", whose key "
            + reference.child().keyOf(violation.indexOrdinal()).name()
            + " would be duplicated",
        violation);
  }

  private ColumnView column(
      int part, ChildRows children, int from, int to, Values values, BatchMemory memory) {
    ColumnDef column = reference.child().column(reference.columns()[part]);
    ElementType element = column.type().element();
    int n = to - from;
    HostBuffer out = memory.pin((long) n * element.bytes());
    HostBuffer validity = memory.bitmap(n);
    boolean hasNulls = false;
    for (int i = 0; i < n; i++) {
      int number = children.keyNumber(from + i);
      boolean isNull = values.isNull(part, number);
      if (isNull && !column.nullable()) {
        throw notNull(column);
      }
      hasNulls |= isNull;
      Bitmaps.set(validity, i, !isNull);
      element.setRawAt(out, i, isNull ? 0 : values.raw(part, number));
    }
    return new ColumnView(element, out, hasNulls ? validity : null);
  }

  private static int tablet(ChildRows children, int i) {
    return (int) (children.row(i) / Tablet.ROWS);
  }

  private static int endOfTablet(ChildRows children, int from) {
    int to = from;
    while (to < children.count() && tablet(children, to) == tablet(children, from)) {
      to++;
    }
    return to;
  }

  private static HostBuffer numbers(ChildRows children, int from, int to, BatchMemory memory) {
    HostBuffer numbers = memory.pin(4L * (to - from));
    for (int i = from; i < to; i++) {
      numbers.setInt(i - from, (int) (children.row(i) % Tablet.ROWS));
    }
    return numbers;
  }
}
