package io.gpdb.bench.faults;

import io.gpdb.storage.FaultyDirectory.Fault;
import io.gpdb.txn.Protocol;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** A campaign: so many faults, the same ones for the same seed. */
final class FaultsRun {
  private static final int STEPS = 10;
  private static final int SORTS = 4;
  private static final Set<Fault> GROWTH = Set.of(Fault.GROW);
  private static final Set<Fault> WRITES = Set.of(Fault.STORE, Fault.DRAIN);

  private final long seed;
  private final Map<String, FaultTally> tallies = new LinkedHashMap<>();

  FaultsRun(long seed) {
    this.seed = seed;
  }

  Map<String, FaultTally> tallies() {
    return tallies;
  }

  /** The protocols that promise atomicity. */
  static List<Protocol> protocols() {
    return Stream.of(Protocol.values()).filter(p -> !p.isBaseline() && p != Protocol.AUTO).toList();
  }

  void run(int count) {
    int each = Math.max(1, count / (SORTS * protocols().size()));
    for (Protocol protocol : protocols()) {
      FaultWorkload workload = new FaultWorkload(seed, STEPS);
      WriteFaults faults = new WriteFaults(protocol, workload);
      String name = protocol.word();
      int growths = faults.acts(GROWTH);
      inject(
          name + ", disk full",
          each,
          i -> faults.diskFull(i % growths, i / growths % 3 == 0 ? 0 : i / growths));
      int writes = faults.acts(WRITES);
      int step = Math.max(1, writes / each);
      inject(
          name + ", write or sync fails",
          each,
          i -> faults.ioError((i * step + i * step / writes) % writes, i % 3));
      flips(name, protocol, workload, false, each);
      flips(name, protocol, workload, true, each);
    }
  }

  private void flips(
      String name, Protocol protocol, FaultWorkload workload, boolean killed, int each) {
    Random random = new Random(seed + (killed ? 1 : 0));
    try (ExecutorService watched =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
        BitFlips flips = new BitFlips(protocol, workload, killed)) {
      inject(
          name + (killed ? ", bit flipped after a kill" : ", bit flipped after a close"),
          each,
          i -> flips.flip(random, watched));
    }
  }

  private void inject(String name, int count, IntFunction<String> fault) {
    FaultTally tally = tallies.computeIfAbsent(name, n -> new FaultTally());
    for (int i = 0; i < count; i++) {
      tally.count(fault.apply(i));
    }
  }
}
