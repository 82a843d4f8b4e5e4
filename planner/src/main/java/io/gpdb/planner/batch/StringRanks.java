package io.gpdb.planner.batch;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.planner.expression.RunInputs;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.expression.kernel.KernelExpression;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import org.jspecify.annotations.Nullable;

/**
 * Strings of one expression as their positions in the order of all strings of their domain, so that
 * kernels can compare and sort them. Thread-safe; the order is kept until the domain has new
 * strings.
 */
public final class StringRanks implements BatchBinding.Extra {
  private final KernelExpression expression;
  private final LaneInputs.Table table;
  private @Nullable Order last;

  /** The order of a domain as it was: rank by code (also as memory), code by rank. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Order(StringDomain domain, long version, DeviceBuffer ranks, int[] codes) {}

  public StringRanks(LaneInputs inputs, KernelExpression expression) {
    this.expression = expression;
    table = inputs.table("ranks", Element.I32);
  }

  /** The rank of the expression's value. */
  public LaneProgram program() {
    LaneProgram code = expression.program();
    return lane -> {
      LaneValue value = code.emit(lane);
      return new LaneValue(lane.lookUp(table, value.value()), value.present());
    };
  }

  @Override
  public void bind(LaneBindings lane, BatchBinding run) {
    lane.table(table, run.order(this).ranks());
  }

  synchronized Order order(RunInputs run) {
    StringDomain domain = expression.domain(run);
    if (domain == null) {
      throw new IllegalStateException("not a string");
    }
    long version = domain.version(); // before the size: what comes between is noticed next time
    Order known = last;
    if (known != null && known.domain.isSameAs(domain) && known.version == version) {
      return known;
    }
    Order made = sorted(domain, version, domain.size());
    if (!(domain instanceof StringDomain.Made strings && strings.isMany())) {
      last = made; // many strings end with their statement
    }
    return made;
  }

  private static Order sorted(StringDomain domain, long version, int size) {
    int[] codes = StringOrder.of(domain, size);
    HostBuffer ranks = HostBuffer.collected(4L * Math.max(1, size));
    for (int rank = 0; rank < size; rank++) {
      ranks.setInt(codes[rank], rank);
    }
    return new Order(domain, version, MemoryAccount.current().memory().keep(ranks), codes);
  }
}
