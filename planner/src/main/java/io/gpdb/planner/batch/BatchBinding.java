package io.gpdb.planner.batch;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.planner.expression.RunInputs;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Binds the batches of one execution to the kernels of one operator. What depends on parameters and
 * strings is bound with the first batch and again when a dictionary has new strings.
 */
public class BatchBinding implements RunInputs {
  private final KernelExpressions expressions;
  private final List<SqlTypeSpec> types;
  private final Execution x;
  private final Device device;
  private final LaneBindings lane;
  private final List<Extra> extras = new ArrayList<>();
  private final Map<StringRanks, StringRanks.Order> orders = new HashMap<>();
  private final int[] columns;
  private final @Nullable StringDomain[] domains;
  private final long[] versions;
  private boolean bound;

  /** Something else to bind with parameters and strings. */
  @FunctionalInterface
  interface Extra {
    public void bind(LaneBindings lane, BatchBinding run);
  }

  public BatchBinding(
      KernelExpressions expressions, List<SqlTypeSpec> types, Execution x, Device device) {
    this.expressions = expressions;
    this.types = types;
    this.x = x;
    this.device = device;
    lane = new LaneBindings(expressions.inputs());
    columns = expressions.columnsRead();
    domains = new StringDomain[types.size()];
    versions = new long[types.size()];
  }

  public BatchBinding with(List<? extends Extra> more) {
    extras.addAll(more);
    return this;
  }

  @Override
  public ParameterValues parameters() {
    return x.parameters();
  }

  @Override
  public @Nullable StringDomain domain(int column) {
    return domains[column];
  }

  @Override
  public void share(int pieces, IntConsumer piece) {
    device.share(pieces, piece);
  }

  /**
   * The order of strings, as it was when this execution began: ranks of different orders must not
   * meet. Strings that are added later belong to rows that the execution does not see.
   */
  public StringRanks.Order order(StringRanks ranks) {
    return orders.computeIfAbsent(ranks, r -> r.order(this));
  }

  /** The bindings for a launch over the batch. */
  public LaneBindings bind(Batch batch) {
    boolean grown = !bound;
    for (int column : columns) {
      if (types.get(column).kind().isString()) {
        StringDomain domain = batch.strings(column);
        long version = domain.version();
        StringDomain known = domains[column];
        grown |= known == null || !known.isSameAs(domain) || versions[column] != version;
        domains[column] = domain;
        versions[column] = version;
      }
    }
    if (grown) {
      bindInputs();
    }
    for (int column : columns) {
      lane.column(expressions.laneColumn(column), batch.values(column), batch.validity(column));
    }
    FoundFields found = batch.found();
    return lane.match(found == null ? null : found.match(inputs(found.fields())));
  }

  private void bindInputs() {
    expressions.bind(lane, this);
    extras.forEach(extra -> extra.bind(lane, this));
    bound = true;
  }

  /** The bindings without columns, of expressions that read no strings. */
  public LaneBindings bindParameters() {
    if (!bound) {
      bindInputs();
    }
    return lane;
  }

  private BitSet inputs(BitSet fields) {
    BitSet inputs = new BitSet();
    for (int column : columns) {
      if (fields.get(column)) {
        inputs.set(expressions.laneColumn(column).number());
      }
    }
    return inputs;
  }

  @Override
  public String toString() {
    return "columns " + Arrays.toString(columns);
  }
}
