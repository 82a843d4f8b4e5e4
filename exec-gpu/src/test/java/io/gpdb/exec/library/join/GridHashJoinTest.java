package io.gpdb.exec.library.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.TestBuffers;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.exec.library.join.GridHashJoin.Kind;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GridHashJoinTest {
  private final LaneInputs build = new LaneInputs();
  private final LaneInputs.Column buildKey = build.column("k", Element.I32);
  private final LaneInputs.Column buildWide = build.column("w", Element.I64);
  private final LaneInputs probe = new LaneInputs();
  private final LaneInputs.Column probeKey = probe.column("k", Element.I32);
  private final LaneInputs.Column probeWide = probe.column("w", Element.I64);

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void pairsAreThoseOfAPlainLoop(Mode mode, int rows, boolean nulls) {
    int distinct = Math.max(1, rows / 3);
    for (Kind kind : rows < 2000 ? Kind.values() : new Kind[] {Kind.LEFT}) {
      check(mode, kind, keys(rows, distinct, nulls, 1), keys(rows, distinct * 2, nulls, 2), 1);
    }
    check(
        mode,
        Kind.INNER,
        keys(rows, distinct, nulls, 3),
        keys(Math.min(rows, 500), 9, nulls, 4),
        2);
    check(mode, Kind.LEFT, keys(Math.min(rows, 1), 1, nulls, 3), keys(rows, 5, nulls, 4), 2);
  }

  private static TestColumn keys(int rows, int distinct, boolean nulls, long seed) {
    long[] raw = new Random(seed).ints(rows, 0, distinct).asLongStream().toArray();
    return new TestColumn(Element.I32, raw, nulls ? TestColumn.randomBits(rows, 90, seed) : null);
  }

  private static TestColumn wides(TestColumn keys) {
    long[] raw = new long[keys.raw.length];
    for (int i = 0; i < raw.length; i++) {
      raw[i] = keys.raw[i] % 2 << 40;
    }
    return new TestColumn(Element.I64, raw, null);
  }

  private void check(Mode mode, Kind kind, TestColumn left, TestColumn right, int keyCount) {
    List<LaneProgram> buildKeys = List.of(l -> l.column(buildKey), l -> l.column(buildWide));
    List<LaneProgram> probeKeys = List.of(l -> l.column(probeKey), l -> l.column(probeWide));
    GridHashJoin join =
        new GridHashJoin(
            Cases.device(mode),
            "j",
            kind,
            build,
            buildKeys.subList(0, keyCount),
            probe,
            probeKeys.subList(0, keyCount));
    boolean[] buildLive = TestColumn.randomBits(left.raw.length, 90, 8);
    boolean[] probeLive = TestColumn.randomBits(right.raw.length, 90, 9);
    LaneBindings buildBindings =
        new LaneBindings(build)
            .column(buildKey, left.values, left.validity)
            .column(buildWide, wides(left).values, null);
    LaneBindings probeBindings =
        new LaneBindings(probe)
            .column(probeKey, right.values, right.validity)
            .column(probeWide, wides(right).values, null);
    try (JoinBuild built =
        join.build(buildBindings, left.raw.length, TestColumn.bitmap(buildLive))) {
      JoinPairs pairs =
          built.probe(
              probeBindings, right.raw.length, TestColumn.bitmap(probeLive), TestBuffers.COLLECTED);
      List<Long> actual = new ArrayList<>();
      for (int i = 0; i < pairs.count(); i++) {
        actual.add(pair(pairs.probeRows().onHost().intAt(i), pairs.buildRows().onHost().intAt(i)));
      }
      assertThat(actual).isEqualTo(expected(kind, left, buildLive, right, probeLive));
    }
  }

  private static long pair(int probeRow, int buildRow) {
    return ((long) probeRow << 32) + buildRow;
  }

  private static List<Long> expected(
      Kind kind, TestColumn left, boolean[] buildLive, TestColumn right, boolean[] probeLive) {
    Map<Long, List<Integer>> rows = new HashMap<>();
    for (int r = 0; r < left.raw.length; r++) {
      if (buildLive[r] && left.present[r]) {
        rows.computeIfAbsent(left.raw[r], k -> new ArrayList<>()).add(r);
      }
    }
    List<Long> pairs = new ArrayList<>();
    for (int r = 0; r < right.raw.length; r++) {
      if (!probeLive[r]) {
        continue;
      }
      List<Integer> matches =
          right.present[r] ? rows.getOrDefault(right.raw[r], List.of()) : List.of();
      switch (kind) {
        case INNER, LEFT -> {
          for (int match : matches) {
            pairs.add(pair(r, match));
          }
          if (kind == Kind.LEFT && matches.isEmpty()) {
            pairs.add(pair(r, -1));
          }
        }
        case SEMI -> {
          if (!matches.isEmpty()) {
            pairs.add(pair(r, matches.get(0)));
          }
        }
        case ANTI -> {
          if (matches.isEmpty()) {
            pairs.add(pair(r, -1));
          }
        }
      }
    }
    return pairs;
  }
}
