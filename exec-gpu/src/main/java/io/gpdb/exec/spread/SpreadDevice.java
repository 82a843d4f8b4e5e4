package io.gpdb.exec.spread;

import io.gpdb.exec.Device;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.Stream;
import io.gpdb.exec.emulated.common.ImmediateStream;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.storage.memory.DeviceMemory;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/**
 * Several devices as one. The chunks of a table's tablets are in the memories of its members by
 * turns, and a launch's groups run on the member that has what they write, or else what they read
 * ({@link SpreadKernel}). The first member has all that is not a tablet's.
 *
 * <p>Kernels of each member reach the memory of all, and the same memory of the host.
 *
 * <ul>
 *   <li><b>D1</b> Work of one member's memory alone keeps the order in which that member was given
 *       it, as without the others.
 *   <li><b>D2</b> Work that uses the memory of several members begins when what the others were
 *       given before has ended, and is waited for.
 *   <li><b>D3</b> Two members write no bytes that the other uses in the same launch: where groups
 *       share what they write, one member runs them all.
 *   <li><b>D4</b> No result depends on which member ran what.
 * </ul>
 */
public final class SpreadDevice implements Device {
  private final List<Device> members;
  private final SpreadMemory memory;

  /**
   * @param members at least one, all of one kind; closed with this
   */
  public SpreadDevice(List<? extends Device> members) {
    this.members = List.copyOf(members);
    memory = new SpreadMemory(this.members);
  }

  @Override
  public String name() {
    List<String> names = members.stream().map(Device::name).distinct().toList();
    return names.size() == 1
        ? members.size() + " x " + names.getFirst()
        : String.join("; ", members.stream().map(Device::name).toList());
  }

  @Override
  public LoadedKernel load(Kernel kernel) {
    return new SpreadKernel(
        kernel, members, memory, members.stream().map(member -> member.load(kernel)).toList());
  }

  @Override
  public long hostRows() {
    return members.getFirst().hostRows();
  }

  @Override
  public DeviceMemory memory() {
    return memory;
  }

  @Override
  public Stream stream() {
    return new ImmediateStream();
  }

  @Override
  public void finish() {
    members.forEach(Device::finish);
  }

  /** Those of the first member: whoever wants the figures of all asks for them apart. */
  @Override
  public ExecutionCounters counters() {
    return members.getFirst().counters();
  }

  /** The members run one after the other, each on the calling thread, whose work is counted. */
  @Override
  public <T> T counted(ExecutionCounters counters, Supplier<T> work) {
    Supplier<T> all = () -> ScopedValue.where(SpreadKernel.COUNTED, true).call(work::get);
    for (Device member : members) {
      Supplier<T> inner = all;
      all = () -> member.counted(counters, inner);
    }
    return all.get();
  }

  @Override
  public void share(int pieces, IntConsumer piece) {
    members.getFirst().share(pieces, piece);
  }

  @Override
  public void expectScans() {
    members.getFirst().expectScans();
  }

  @Override
  public void close() {
    close(members);
  }

  private static void close(List<Device> left) {
    if (!left.isEmpty()) {
      try (Device _ = left.getFirst()) {
        close(left.subList(1, left.size()));
      }
    }
  }
}
