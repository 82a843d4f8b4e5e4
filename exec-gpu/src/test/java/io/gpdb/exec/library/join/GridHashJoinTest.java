package io.gpdb.exec.library.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.SelectedRows;
import io.gpdb.exec.library.base.TestBuffers;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.exec.library.join.GridHashJoin.Kind;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.scan.GridFilterProject;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GridHashJoinTest {
  /** So many that keys have ranks however far apart the tests' are. */
  private static final long PROBES_MANY = 1 << 20;

  private static final int SECOND_BATCH = 10_000_000;

  /** Pairs that come in pieces of a few; what is behind them comes in pieces of several blocks. */
  private static final int SMALL_PIECES_PAIRS = 700;

  private static final int LARGE_PIECE = 5000;

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
      for (int step : new int[] {1, 1_000_003}) {
        TestColumn build = keys(rows, distinct, nulls, step, 1);
        check(mode, kind, build, keys(rows, distinct * 2, nulls, step, 2), 1);
        check(mode, kind, distinctKeys(rows, nulls, step), build, 1);
      }
    }
    int few = Math.min(rows, 500);
    check(mode, Kind.INNER, keys(rows, distinct, nulls, 1, 3), keys(few, 9, nulls, 1, 4), 2);
    check(mode, Kind.LEFT, keys(Math.min(rows, 1), 1, nulls, 1, 3), keys(rows, 5, nulls, 1, 4), 2);
    check(mode, Kind.INNER, keys(0, 1, nulls, 1, 3), keys(rows, 5, nulls, 1, 4), 1);
    check(mode, Kind.LEFT, keys(0, 1, nulls, 1, 3), keys(few, 5, nulls, 1, 4), 2);
  }

  /** Keys that ascend with the rows, where the row follows from the key, and what looks like it. */
  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void ascendingKeysAreTheirRows(Mode mode, int rows, boolean nulls) {
    if ((rows != 33 && rows != 1025) || nulls) {
      return; // these have the end of a warp and of a block inside
    }
    TestColumn probed = keys(Math.min(rows, 700), 2 * rows, true, 1, 11);
    for (int step : new int[] {1, 2, 100}) {
      long[] keys = LongStream.range(0, rows).map(i -> 5 + i * step).toArray();
      check(mode, Kind.LEFT, column(keys, false, 0), all(rows), probed, 1);
      check(mode, Kind.ANTI, column(keys, false, 0), all(rows), probed, 1);
      for (int odd : new int[] {0, rows / 2, rows - 1}) {
        boolean[] oneIsGone = all(rows);
        oneIsGone[odd] = false;
        check(mode, Kind.INNER, column(keys, false, 0), oneIsGone, probed, 1);
        long[] oneIsTwice = keys.clone();
        oneIsTwice[odd] = keys[odd == 0 ? 1 : odd - 1];
        check(mode, Kind.INNER, column(oneIsTwice, false, 0), all(rows), probed, 1);
        long[] oneIsEarlier = keys.clone();
        oneIsEarlier[odd] = keys[rows - 1 - odd];
        oneIsEarlier[rows - 1 - odd] = keys[odd];
        check(mode, Kind.INNER, column(oneIsEarlier, false, 0), all(rows), probed, 1);
      }
    }
  }

  @Test
  void fewKeysFarApartHaveRanksWhereManyRowsAreLookedUp() {
    long[] keys = {70_000, 5, 40_000};
    long[] wide = {1, 1, 1};
    for (long probes : new long[] {0, 4000, 6000, Long.MAX_VALUE}) {
      try (JoinBuild built = pairs(Mode.INTERPRETED, keys, wide, probes)) {
        assertThat(built.form().lookup())
            .isEqualTo(probes < 5000 ? KeyLook.Lookup.HASH : KeyLook.Lookup.RANKS);
      }
    }
  }

  /** Two key columns: the places of both together ascend, or only those of the first do. */
  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void ascendingPairsOfKeysAreTheirRows(Mode mode, int rows, boolean nulls) {
    if ((rows != 33 && rows != 1025) || nulls) {
      return; // these have the end of a warp and of a block inside
    }
    int pairs = rows / 2 * 2;
    for (int swapped = 0; swapped < 3; swapped++) { // nothing, two rows of a key, rows of two keys
      long[] keys = LongStream.range(0, pairs).map(i -> i / 2).toArray();
      long[] wide = LongStream.range(0, pairs).map(i -> 7 + i % 2).toArray();
      if (swapped > 0) {
        swap(keys, pairs - 1 - swapped);
        swap(wide, pairs - 1 - swapped);
      }
      try (JoinBuild built = pairs(mode, keys, wide, 0);
          JoinMatches matches =
              built
                  .start()
                  .add(bindings(probe, probeKey, probeWide, keys, wide), pairs, null)
                  .finish()) {
        List<Long> expected =
            LongStream.range(0, pairs).map(i -> pair((int) i, (int) i)).boxed().toList();
        assertThat(found(Kind.INNER, matches, List.of(numbers(pairs, 0)), numbers(pairs, 0)))
            .isEqualTo(expected);
      }
    }
  }

  private static void swap(long[] values, int at) {
    long value = values[at];
    values[at] = values[at + 1];
    values[at + 1] = value;
  }

  private JoinBuild pairs(Mode mode, long[] keys, long[] wide, long probes) {
    return new GridHashJoin(
            Cases.device(mode),
            "j",
            Kind.INNER,
            build,
            List.of(l -> l.column(buildKey), l -> l.column(buildWide)),
            probe,
            List.of(l -> l.column(probeKey), l -> l.column(probeWide)))
        .build(bindings(build, buildKey, buildWide, keys, wide), keys.length, null, probes);
  }

  private static LaneBindings bindings(
      LaneInputs inputs,
      LaneInputs.Column narrow,
      LaneInputs.Column wide,
      long[] keys,
      long[] other) {
    return new LaneBindings(inputs)
        .column(narrow, column(keys, false, 0).values, null)
        .column(wide, new TestColumn(Element.I64, other, null).values, null);
  }

  private static boolean[] all(int rows) {
    boolean[] all = new boolean[rows];
    Arrays.fill(all, true);
    return all;
  }

  /** Three key columns, of which the ranks' space is made, or a hash table where one is wide. */
  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void severalKeysNarrowAndWide(Mode mode, int rows, boolean nulls) {
    if (rows > 1023) {
      return; // the same as 1023
    }
    int few = Math.min(rows, 700);
    check(mode, Kind.LEFT, keys(few, 40, nulls, 1, 5), keys(few, 60, nulls, 1, 6), 3);
    check(mode, Kind.ANTI, distinctKeys(few, nulls, 1), keys(few, 60, nulls, 1, 6), 3);
    check(mode, Kind.SEMI, keys(few, 40, nulls, 1, 5), keys(few, 60, nulls, 1, 6), 2);
  }

  private static TestColumn keys(int rows, int distinct, boolean nulls, int step, long seed) {
    long[] raw =
        new Random(seed).ints(rows, 0, distinct).map(k -> k * step).asLongStream().toArray();
    return column(raw, nulls, seed);
  }

  private static TestColumn distinctKeys(int rows, boolean nulls, int step) {
    long[] raw = new long[rows];
    for (int i = 0; i < rows; i++) {
      raw[i] = (rows / 4 - i) * step; // some negative, from the last to the first
    }
    return column(raw, nulls, 7);
  }

  private static TestColumn column(long[] raw, boolean nulls, long seed) {
    return new TestColumn(
        Element.I32, raw, nulls ? TestColumn.randomBits(raw.length, 90, seed) : null);
  }

  private static TestColumn derived(TestColumn keys, int shift) {
    long[] raw = new long[keys.raw.length];
    for (int i = 0; i < raw.length; i++) {
      raw[i] = keys.raw[i] % 2 << shift;
    }
    return new TestColumn(Element.I64, raw, null);
  }

  private static TestColumn numbers(int rows, int first) {
    return new TestColumn(Element.I32, LongStream.range(first, first + rows).toArray(), null);
  }

  /** With three keys the wide one is narrow, and the first comes again. */
  private void check(Mode mode, Kind kind, TestColumn left, TestColumn right, int keyCount) {
    check(mode, kind, left, TestColumn.randomBits(left.raw.length, 90, 8), right, keyCount);
  }

  private void check(
      Mode mode, Kind kind, TestColumn left, boolean[] buildLive, TestColumn right, int keyCount) {
    for (long probes : new long[] {0, PROBES_MANY}) {
      check(mode, kind, left, buildLive, right, keyCount, probes);
    }
  }

  private void check(
      Mode mode,
      Kind kind,
      TestColumn left,
      boolean[] buildLive,
      TestColumn right,
      int keyCount,
      long probes) {
    List<LaneProgram> buildKeys =
        List.of(l -> l.column(buildKey), l -> l.column(buildWide), l -> l.column(buildKey));
    List<LaneProgram> probeKeys =
        List.of(l -> l.column(probeKey), l -> l.column(probeWide), l -> l.column(probeKey));
    GridHashJoin join =
        new GridHashJoin(
            Cases.device(mode),
            "j",
            kind,
            build,
            buildKeys.subList(0, keyCount),
            probe,
            probeKeys.subList(0, keyCount));
    int shift = keyCount == 3 ? 0 : 40;
    boolean[] firstLive = TestColumn.randomBits(right.raw.length, 60, 9);
    boolean[] secondLive = TestColumn.randomBits(right.raw.length, 60, 10);
    LaneBindings buildBindings =
        new LaneBindings(build)
            .column(buildKey, left.values, left.validity)
            .column(buildWide, derived(left, shift).values, null);
    LaneBindings probeBindings =
        new LaneBindings(probe)
            .column(probeKey, right.values, right.validity)
            .column(probeWide, derived(right, shift).values, null);
    int rows = right.raw.length;
    try (JoinBuild built =
            join.build(buildBindings, left.raw.length, TestColumn.bitmap(buildLive), probes);
        JoinMatches matches =
            built
                .start()
                .add(probeBindings, rows, TestColumn.bitmap(firstLive))
                .add(probeBindings, 0, null)
                .add(probeBindings, rows, TestColumn.bitmap(secondLive))
                .finish()) {
      List<TestColumn> batches =
          List.of(numbers(rows, 0), numbers(0, 0), numbers(rows, SECOND_BATCH));
      List<Long> expected = new ArrayList<>();
      expected.addAll(expected(kind, left, buildLive, right, firstLive, 0));
      expected.addAll(expected(kind, left, buildLive, right, secondLive, SECOND_BATCH));
      TestColumn buildNumbers = numbers(left.raw.length, 0);
      assertThat(found(kind, matches, batches, buildNumbers)).isEqualTo(expected);
      assertThat(built.canBeFused())
          .isEqualTo(matches.areSingle() && built.form().lookup() != KeyLook.Lookup.HASH);
      if (built.canBeFused()) {
        Fused fused = new Fused(mode, kind, built, probeBindings, buildNumbers);
        List<Long> pairs = fused.pairs(numbers(rows, 0), firstLive);
        pairs.addAll(fused.pairs(numbers(rows, SECOND_BATCH), secondLive));
        assertThat(pairs).isEqualTo(expected);
      }
    }
  }

  /** A projection whose kernel looks the pairs up. */
  private record Fused(
      Mode mode, Kind kind, JoinBuild built, LaneBindings keys, TestColumn buildNumbers) {
    List<Long> pairs(TestColumn probeNumbers, boolean[] live) {
      LaneInputs inputs = new LaneInputs();
      LaneInputs.Column probeRow = inputs.column("probe_row", Element.I32);
      LaneInputs.Column buildRow = inputs.column("build_row", Element.I32);
      BitSet ofBuild = new BitSet();
      ofBuild.set(buildRow.number());
      List<GridFilterProject.Output> outputs =
          List.of(
              new GridFilterProject.Output(Element.I32, l -> l.column(probeRow)),
              new GridFilterProject.Output(Element.I32, l -> l.column(buildRow)));
      boolean both = kind == Kind.INNER || kind == Kind.LEFT;
      LaneBindings bindings =
          new LaneBindings(inputs)
              .column(probeRow, probeNumbers.values, null)
              .column(buildRow, buildNumbers.values, null)
              .match(new FusedProbe(built, keys, ofBuild));
      SelectedRows rows =
          new GridFilterProject(
                  Cases.device(mode),
                  "fused",
                  inputs,
                  null,
                  both ? outputs : outputs.subList(0, 1),
                  false)
              .run(
                  bindings,
                  probeNumbers.raw.length,
                  TestColumn.bitmap(live),
                  TestBuffers.COLLECTED);
      HostBuffer probeRows = rows.columns().getFirst().values().onHost();
      List<Long> pairs = new ArrayList<>();
      for (int i = 0; i < rows.count(); i++) {
        pairs.add(pair(probeRows.intAt(i), both ? number(rows.columns().getLast(), i) : -1));
      }
      return pairs;
    }
  }

  /** The pairs, found by the numbers of rows that are columns of both sides. */
  private static List<Long> found(
      Kind kind, JoinMatches matches, List<TestColumn> batches, TestColumn buildNumbers) {
    JoinMatches.Columns columns = matches.columns(TestBuffers.COLLECTED);
    HostBuffer probeRows =
        columns
            .probe(batches.stream().map(c -> new DenseColumn(Element.I32, c.values, null)).toList())
            .values()
            .onHost();
    boolean direct = matches.areSingle() && (kind == Kind.INNER || kind == Kind.LEFT);
    DenseColumn buildRows =
        direct
            ? columns.build(
                new DenseColumn(Element.I32, buildNumbers.values, null), kind == Kind.LEFT)
            : null;
    columns.launch();
    List<Long> found = new ArrayList<>();
    if (matches.areSingle()) {
      for (int i = 0; i < matches.count(); i++) {
        found.add(pair(probeRows.intAt(i), buildRows == null ? -1 : number(buildRows, i)));
      }
      return found;
    }
    JoinPairs pairs = matches.pairs();
    for (int most = 7; ; most = nextPiece(found.size())) {
      JoinPairs.Piece piece = pairs.next(most, TestBuffers.COLLECTED);
      if (piece == null) {
        break;
      }
      assertThat(piece.count()).isBetween(1, most);
      for (int i = 0; i < piece.count(); i++) {
        int probeRow = probeRows.intAt(piece.probeRows().onHost().intAt(i));
        found.add(pair(probeRow, piece.buildRows().onHost().intAt(i)));
      }
    }
    assertThat(pairs.total()).isEqualTo(found.size());
    return found;
  }

  private static int nextPiece(int found) {
    return (found < SMALL_PIECES_PAIRS ? 1 : LARGE_PIECE) + found % 7;
  }

  private static int number(DenseColumn rows, int i) {
    DeviceBuffer validity = rows.validity();
    return validity == null || Bitmaps.test(validity.onHost(), i)
        ? rows.values().onHost().intAt(i)
        : -1;
  }

  private static long pair(int probeRow, int buildRow) {
    return ((long) probeRow << 32) + buildRow;
  }

  private static List<Long> expected(
      Kind kind,
      TestColumn left,
      boolean[] buildLive,
      TestColumn right,
      boolean[] probeLive,
      int firstRow) {
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
            pairs.add(pair(firstRow + r, match));
          }
          if (kind == Kind.LEFT && matches.isEmpty()) {
            pairs.add(pair(firstRow + r, -1));
          }
        }
        case SEMI -> {
          if (!matches.isEmpty()) {
            pairs.add(pair(firstRow + r, -1));
          }
        }
        case ANTI -> {
          if (matches.isEmpty()) {
            pairs.add(pair(firstRow + r, -1));
          }
        }
      }
    }
    return pairs;
  }
}
