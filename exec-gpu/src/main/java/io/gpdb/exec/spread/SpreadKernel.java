package io.gpdb.exec.spread;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.KeptLaunch;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.spread.GroupMembers.Placed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A kernel that each member has; its groups run where {@link GroupMembers} places them. */
final class SpreadKernel implements LoadedKernel {
  static final ScopedValue<Boolean> COUNTED = ScopedValue.newInstance();

  private final Kernel kernel;
  private final List<Device> members;
  private final SpreadMemory memory;
  private final List<LoadedKernel> kernels;
  private final GroupMembers places;

  /** Whether each launch is waited for, whatever it uses. */
  private final boolean waits;

  SpreadKernel(
      Kernel kernel, List<Device> members, SpreadMemory memory, List<LoadedKernel> kernels) {
    this.kernel = kernel;
    this.members = members;
    this.memory = memory;
    this.kernels = kernels;
    places = new GroupMembers(kernel, memory);
    waits = Ops.trapsByText(kernel) || !Ops.persistScopes(kernel).isEmpty();
  }

  @Override
  public Kernel kernel() {
    return kernel;
  }

  @Override
  public void launch(List<LaunchGroup> groups) {
    launch(groups, true);
  }

  @Override
  public void enqueue(List<LaunchGroup> groups) {
    launch(groups, false);
  }

  private void launch(List<LaunchGroup> groups, boolean waited) {
    LaunchGroup.blocksOf(kernel, groups); // the limit is that of all groups
    List<Placed> parts = places.of(groups);
    if (parts.size() == 1) {
      launch(parts.getFirst(), waited);
      return;
    }
    @Nullable KernelTrap[] traps = new KernelTrap[parts.size()];
    boolean takesTurns = COUNTED.isBound() || !(waited || waits || anyWaits(parts));
    if (takesTurns) {
      for (int i = 0; i < traps.length; i++) {
        traps[i] = trap(parts.get(i), waited);
      }
    } else {
      members.getFirst().share(traps.length, i -> traps[i] = trap(parts.get(i), waited));
    }
    Stream.of(traps)
        .filter(Objects::nonNull)
        .min(Comparator.comparingLong(KernelTrap::detail).thenComparingInt(KernelTrap::code))
        .ifPresent(
            trap -> {
              throw trap;
            });
  }

  /** Whoever waits keeps the next member's launch waiting, unless another thread gives that. */
  private static boolean anyWaits(List<Placed> parts) {
    return parts.stream().anyMatch(part -> part.usesHost() || !part.others().isEmpty());
  }

  private @Nullable KernelTrap trap(Placed part, boolean waited) {
    try {
      launch(part, waited);
      return null;
    } catch (KernelTrap trap) {
      return trap;
    }
  }

  private void launch(Placed part, boolean waited) {
    LoadedKernel own = kernels.get(part.member());
    List<LaunchGroup> reached = new ArrayList<>(part.groups().size());
    for (LaunchGroup group : part.groups()) {
      reached.add(
          new LaunchGroup(group.blocks(), on(part.member(), group.arguments()), group.rows()));
    }
    part.others().forEach(other -> members.get(other).finish());
    if (waited || !part.others().isEmpty()) {
      own.launch(reached);
    } else {
      own.enqueue(reached);
    }
  }

  private Arguments on(int member, Arguments given) {
    return given.as(buffer -> memory.on(member, buffer));
  }

  /** Groups of one member, which use its memory alone. */
  @Override
  public @Nullable KeptLaunch keep(List<LaunchGroup> groups) {
    List<Placed> parts = places.of(groups);
    Placed part = parts.getFirst();
    if (parts.size() > 1 || !part.others().isEmpty()) {
      return null;
    }
    List<LaunchGroup> reached =
        groups.stream()
            .map(g -> new LaunchGroup(g.blocks(), on(part.member(), g.arguments()), g.rows()))
            .toList();
    KeptLaunch kept = kernels.get(part.member()).keep(reached);
    return kept == null ? null : new Kept(part.member(), kept);
  }

  /** Kept groups of one member. */
  private final class Kept implements KeptLaunch {
    private final int member;
    private final KeptLaunch kept;

    Kept(int member, KeptLaunch kept) {
      this.member = member;
      this.kept = kept;
    }

    @Override
    public boolean enqueue(Arguments first) {
      return places.isOf(member, first) && kept.enqueue(on(member, first));
    }

    @Override
    public boolean isCurrent() {
      return kept.isCurrent();
    }
  }
}
