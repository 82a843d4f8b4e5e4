package io.gpdb.exec.library;

import io.gpdb.exec.ir.Kernel;
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
            GroupSamples.of(lanes),
            JoinSamples.of(lanes),
            SortSamples.of(lanes),
            ChangeSamples.of(lanes))
        .flatMap(List::stream)
        .toList();
  }
}
