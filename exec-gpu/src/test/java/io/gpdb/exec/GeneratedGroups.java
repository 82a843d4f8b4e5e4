package io.gpdb.exec;

import io.gpdb.exec.ir.KernelPrinter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * One generated kernel with several groups: the bindings of each group are those of a {@link
 * GeneratedKernel}. What a grouped launch leaves is what the groups leave when each is launched
 * alone; its trap is the smallest of theirs.
 */
public record GeneratedGroups(long seed, List<GeneratedKernel> groups) {
  private static final int GROUPS_MAX = 6;

  /** What a launch left, group by group. */
  public record Outcome(List<GeneratedKernel.Outcome> groups, String trap) {}

  public static GeneratedGroups fromSeed(long seed) {
    Random random = new Random(seed ^ 0x5DEECE66DL);
    GeneratedKernel first = GeneratedKernels.fromSeed(seed);
    List<GeneratedKernel> groups = new ArrayList<>();
    int count = 1 + random.nextInt(GROUPS_MAX);
    for (int g = 0; g < count; g++) {
      groups.add(g == 0 ? first : first.withValues(random, random.nextInt(first.blocks() + 1)));
    }
    return new GeneratedGroups(seed, groups);
  }

  /** Each group by a launch of its own. */
  public Outcome runAlone(Device device) {
    LoadedKernel loaded = device.load(groups.getFirst().kernel());
    List<GeneratedKernel.Outcome> outcomes = new ArrayList<>();
    KernelTrap smallest = null;
    for (GeneratedKernel group : groups) {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment[] segments = group.segments(arena);
        KernelTrap trap = null;
        try {
          loaded.launch(group.blocks(), group.bind(segments));
        } catch (KernelTrap e) {
          trap = e;
        }
        smallest = smaller(smallest, trap);
        outcomes.add(new GeneratedKernel.Outcome(contents(segments), ""));
      }
    }
    return new Outcome(outcomes, GeneratedKernel.text(smallest));
  }

  private static @Nullable KernelTrap smaller(@Nullable KernelTrap a, @Nullable KernelTrap b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    int order = Long.compare(a.detail(), b.detail());
    return (order == 0 ? Integer.compare(a.code(), b.code()) : order) <= 0 ? a : b;
  }

  /** All groups by one launch. */
  public Outcome runTogether(Device device) {
    LoadedKernel loaded = device.load(groups.getFirst().kernel());
    try (Arena arena = Arena.ofShared()) {
      List<MemorySegment[]> segments = new ArrayList<>();
      List<LaunchGroup> launch = new ArrayList<>();
      for (GeneratedKernel group : groups) {
        MemorySegment[] bound = group.segments(arena);
        segments.add(bound);
        launch.add(new LaunchGroup(group.blocks(), group.bind(bound)));
      }
      KernelTrap trap = null;
      try {
        loaded.launch(launch);
      } catch (KernelTrap e) {
        trap = e;
      }
      return new Outcome(
          segments.stream().map(s -> new GeneratedKernel.Outcome(contents(s), "")).toList(),
          GeneratedKernel.text(trap));
    }
  }

  private static List<byte[]> contents(MemorySegment[] segments) {
    return Arrays.stream(segments).map(s -> s.toArray(ValueLayout.JAVA_BYTE)).toList();
  }

  /** Where two outcomes differ, or the empty string. */
  public String difference(Outcome expected, Outcome actual) {
    if (!expected.trap().equals(actual.trap())) {
      return "expected '" + expected.trap() + "', was '" + actual.trap() + "'";
    }
    for (int g = 0; g < groups.size(); g++) {
      String difference =
          groups.get(g).difference(expected.groups().get(g), actual.groups().get(g));
      if (!difference.isEmpty()) {
        return "group " + g + ": " + difference;
      }
    }
    return "";
  }

  @Override
  public String toString() {
    return "-Dgpdb.seed="
        + seed
        + ", blocks="
        + groups.stream().map(GeneratedKernel::blocks).toList()
        + "\n"
        + KernelPrinter.print(groups.getFirst().kernel());
  }
}
