package io.gpdb.exec.library;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.change.ChangeSamples;
import io.gpdb.exec.library.group.GroupSamples;
import io.gpdb.exec.library.group.accumulator.AccumulatorSamples;
import io.gpdb.exec.library.join.JoinSamples;
import io.gpdb.exec.library.key.KeySamples;
import io.gpdb.exec.library.lane.SampleLanes;
import io.gpdb.exec.library.move.MoveSamples;
import io.gpdb.exec.library.reduce.ReduceSamples;
import io.gpdb.exec.library.scan.ScanSamples;
import io.gpdb.exec.library.sort.SortSamples;
import java.util.List;
import java.util.stream.Stream;

/** At least one instance of every kernel and variant of the library, as texts. */
public final class LibrarySamples {
  private LibrarySamples() {}

  public static List<Kernel> all() {
    SampleLanes lanes = new SampleLanes();
    return Stream.of(
            MoveSamples.of(),
            ScanSamples.of(lanes),
            ReduceSamples.of(lanes),
            GroupSamples.of(lanes),
            AccumulatorSamples.of(),
            KeySamples.of(),
            JoinSamples.of(lanes),
            SortSamples.of(lanes),
            ChangeSamples.of(lanes))
        .flatMap(List::stream)
        .toList();
  }
}
