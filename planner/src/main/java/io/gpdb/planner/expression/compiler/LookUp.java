package io.gpdb.planner.expression.compiler;

import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs.Table;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.RunInputs;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A function of one string column, evaluated on the host once for each string of the column's
 * domain: tables that a kernel indexes by code + 1, entry 0 being the function of NULL. The state
 * table says whether the value is present, NULL, or an error to raise if a row meets it, and what a
 * boolean is: of others, values have a table of their own.
 */
final class LookUp {
  /** States: those of values that are present are odd. */
  static final byte NULL = 0;

  static final byte PRESENT = 1;
  static final byte ERROR = 2;
  static final byte TRUE = 3;

  /** So many entries are a piece of work for one thread, and so many pieces are shared at once. */
  private static final int PIECE = 1024;

  private static final int TOGETHER = 256;

  private final int column;
  private final SqlTypeSpec columnType;
  private final SqlTypeSpec type;
  private final HostExpression function;
  private final boolean usesParameters;
  private final @Nullable Table values;
  private final Table states;
  private @Nullable Built last;

  /** Those with so many strings that they end with the statement. */
  private final Map<RunInputs, Built> ofRuns = new WeakHashMap<>();

  private @Nullable GpdbException failure;

  /** Tables for one domain as it was. */
  private record Built(
      StringDomain domain,
      long version,
      @Nullable DeviceBuffer values,
      DeviceBuffer states,
      StringDomain.@Nullable Made strings,
      @Nullable GpdbException failure) {
    boolean areOf(StringDomain other, long otherVersion) {
      return domain.isSameAs(other) && version == otherVersion;
    }
  }

  LookUp(
      int column,
      SqlTypeSpec columnType,
      SqlTypeSpec type,
      HostExpression function,
      boolean usesParameters,
      @Nullable Table values,
      Table states) {
    this.column = column;
    this.columnType = columnType;
    this.type = type;
    this.function = function;
    this.usesParameters = usesParameters;
    this.values = values;
    this.states = states;
  }

  void bind(LaneBindings bindings, RunInputs run) {
    Built built = built(run);
    if (values != null && built.values != null) {
      bindings.table(values, built.values);
    }
    bindings.table(states, built.states);
  }

  StringDomain strings(RunInputs run) {
    StringDomain.Made made = built(run).strings;
    if (made == null) {
      throw new IllegalStateException("not a string function");
    }
    return made;
  }

  synchronized @Nullable GpdbException failure() {
    return failure;
  }

  private synchronized Built built(RunInputs run) {
    StringDomain domain = run.domain(column);
    if (domain == null) {
      throw new IllegalStateException("column " + column + " has no strings");
    }
    long version = domain.version(); // before the size: what comes between is noticed next time
    Built known = ofRuns.getOrDefault(run, last);
    if (known != null && !usesParameters && known.areOf(domain, version)) {
      failure = known.failure;
      return known;
    }
    Built built = new Builder(domain, version, run).build();
    failure = built.failure;
    if (built.strings != null && built.strings.isMany()) {
      ofRuns.put(run, built);
    } else {
      last = built;
    }
    return built;
  }

  /** Fills the tables for one state of a domain. */
  private final class Builder {
    private final StringDomain domain;
    private final long version;
    private final RunInputs run;

    /** Of tables, which have one more entry than the domain has strings. */
    private final int entries;

    private final HostBuffer table;
    private final HostBuffer state;

    Builder(StringDomain domain, long version, RunInputs run) {
      this.domain = domain;
      this.version = version;
      this.run = run;
      entries = domain.size() + 1;
      table = HostBuffer.collected(values == null ? 0 : (long) entries * type.element().bytes());
      state = HostBuffer.collected(entries);
    }

    Built build() {
      StringDomain.Made made = type.kind().isString() ? new StringDomain.Made() : null;
      @Nullable GpdbException failure = null;
      for (int from = 0; from < entries; from += TOGETHER * PIECE) {
        int end = (int) Math.min(entries, from + (long) TOGETHER * PIECE);
        Piece[] pieces = pieces(from, end, made != null);
        run.share(pieces.length, i -> pieces[i].run());
        for (Piece piece : pieces) {
          if (made != null) {
            piece.intern(made);
          }
          failure = failure == null ? piece.failure : failure;
        }
      }
      DeviceMemory memory = MemoryAccount.current().memory();
      DeviceBuffer kept = values == null ? null : memory.keep(table);
      return new Built(domain, version, kept, memory.keep(state), made, failure);
    }

    private Piece[] pieces(int from, int end, boolean strings) {
      Piece[] pieces = new Piece[(end - from + PIECE - 1) / PIECE];
      for (int i = 0; i < pieces.length; i++) {
        int first = from + i * PIECE;
        pieces[i] = new Piece(this, first, Math.min(end, first + PIECE), strings);
      }
      return pieces;
    }
  }

  /** Entries that one thread computes, and the row that the function sees. */
  private final class Piece implements HostRow {
    private final Builder of;
    private final int from;
    private final int end;

    /** What the function makes of strings, which get their codes in the order of the entries. */
    private final byte @Nullable [] @Nullable [] strings;

    private @Nullable Object current;
    private @Nullable GpdbException failure;

    Piece(Builder of, int from, int end, boolean makesStrings) {
      this.of = of;
      this.from = from;
      this.end = end;
      strings = makesStrings ? new byte[end - from][] : null;
    }

    void run() {
      for (int at = from; at < end; at++) {
        StopSignal.poll();
        current = at == 0 ? null : HostValue.ofBytes(columnType, of.domain.bytes(at - 1));
        compute(at);
      }
    }

    private void compute(int at) {
      try {
        Object value = function.evaluate(this);
        if (value == null) {
          return;
        }
        if (strings != null) {
          strings[at - from] = HostValue.bytes(type, value);
          of.state.setByte(at, PRESENT);
        } else if (values == null) {
          of.state.setByte(at, HostValue.raw(type, value) == 0 ? PRESENT : TRUE);
        } else {
          type.element().setRawAt(of.table, at, HostValue.raw(type, value));
          of.state.setByte(at, PRESENT);
        }
      } catch (GpdbException e) {
        if (e.code() == ErrorCode.CANCELLED) {
          throw e;
        }
        of.state.setByte(at, ERROR);
        failure = failure == null ? e : failure;
      }
    }

    void intern(StringDomain.Made made) {
      for (int i = 0; strings != null && i < strings.length; i++) {
        byte[] bytes = strings[i];
        if (bytes != null) {
          type.element().setRawAt(of.table, from + i, made.intern(bytes));
        }
      }
    }

    @Override
    public @Nullable Object column(int index) {
      return current;
    }

    @Override
    public ParameterValues parameters() {
      return of.run.parameters();
    }
  }
}
