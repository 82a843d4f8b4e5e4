package io.gpdb.planner.expression;

import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs.Table;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
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

  private final int column;
  private final SqlTypeSpec columnType;
  private final SqlTypeSpec type;
  private final HostExpression function;
  private final boolean usesParameters;
  private final @Nullable Table values;
  private final Table states;
  private @Nullable Built last;

  /** Tables for one domain as it was. */
  private record Built(
      StringDomain domain,
      long version,
      @Nullable DeviceBuffer values,
      DeviceBuffer states,
      StringDomain.@Nullable Made strings,
      @Nullable GpdbException failure) {}

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
    return last == null ? null : last.failure;
  }

  private synchronized Built built(RunInputs run) {
    StringDomain domain = run.domain(column);
    if (domain == null) {
      throw new IllegalStateException("column " + column + " has no strings");
    }
    long version = domain.version(); // before the size: what comes between is noticed next time
    Built known = last;
    if (known != null
        && !usesParameters
        && known.domain.isSameAs(domain)
        && known.version == version) {
      return known;
    }
    Built built = new Builder(domain, version, run.parameters()).build();
    last = built;
    return built;
  }

  /** Fills the tables for one state of a domain. */
  private final class Builder implements HostRow {
    private final StringDomain domain;
    private final long version;
    private final int size;
    private final ParameterValues parameters;
    private final StringDomain.@Nullable Made made;
    private @Nullable Object current;
    private @Nullable GpdbException failure;

    Builder(StringDomain domain, long version, ParameterValues parameters) {
      this.domain = domain;
      this.version = version;
      this.size = domain.size();
      this.parameters = parameters;
      made = type.kind().isString() ? new StringDomain.Made() : null;
    }

    Built build() {
      ElementType element = type.element();
      long bytes = values == null ? 0 : (size + 1L) * element.bytes();
      HostBuffer table = HostBuffer.collected(bytes);
      HostBuffer state = HostBuffer.collected(size + 1L);
      for (int code = -1; code < size; code++) {
        StopSignal.poll();
        current = code < 0 ? null : HostValue.ofBytes(columnType, domain.bytes(code));
        entry(table, state, element, code + 1);
      }
      DeviceMemory memory = MemoryAccount.current().memory();
      DeviceBuffer kept = values == null ? null : memory.keep(table);
      return new Built(domain, version, kept, memory.keep(state), made, failure);
    }

    private void entry(HostBuffer table, HostBuffer state, ElementType element, int at) {
      try {
        Object value = function.evaluate(this);
        if (value == null) {
          return;
        }
        long raw =
            made == null ? HostValue.raw(type, value) : made.intern(HostValue.bytes(type, value));
        if (values == null) {
          state.setByte(at, raw == 0 ? PRESENT : TRUE);
        } else {
          state.setByte(at, PRESENT);
          element.setRawAt(table, at, raw);
        }
      } catch (GpdbException e) {
        if (e.code() == ErrorCode.CANCELLED) {
          throw e;
        }
        state.setByte(at, ERROR);
        failure = failure == null ? e : failure;
      }
    }

    @Override
    public @Nullable Object column(int index) {
      return current;
    }

    @Override
    public ParameterValues parameters() {
      return parameters;
    }
  }
}
