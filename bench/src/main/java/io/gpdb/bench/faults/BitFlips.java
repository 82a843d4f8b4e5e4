package io.gpdb.bench.faults;

import io.gpdb.bench.faults.FaultWorkload.Step;
import io.gpdb.storage.CrashChoice;
import io.gpdb.storage.CrashableDirectory;
import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import io.gpdb.storage.PersistentMemory;
import io.gpdb.txn.Protocol;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One flipped bit anywhere in the files of a database that was closed, or killed with its log in
 * use: opening or a query says that there is damage, or all answers are right. A bit in the last
 * batch of an unfinished log may look like a write that power loss cut short: then the state before
 * that batch is right. Extents that an in-place protocol had open when it was killed have no
 * checksum, so there, and only there, a flipped bit of a value is not found.
 */
final class BitFlips implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = 60;
  private static final String IN_PLACE = "not found in an open in-place extent";

  private final Protocol protocol;
  private final boolean killed;
  private final CrashableDirectory image = new CrashableDirectory();
  private final Map<Long, String> expected;
  private final Map<Long, String> beforeLast;
  private final List<Place> places = new ArrayList<>();

  /** Bytes of a file that are not zero, or lie in a page with one that is not. */
  private record Place(String file, long from, long to) {}

  BitFlips(Protocol protocol, FaultWorkload workload, boolean killed) {
    this.protocol = protocol;
    this.killed = killed;
    FaultyEngine engine = new FaultyEngine(image, protocol);
    List<Step> steps = workload.steps();
    steps.forEach(step -> step.run(engine));
    int last = steps.size() - 1;
    while (steps.get(last).isCheckpoint()) {
      last--;
    }
    expected = steps.get(last).after();
    beforeLast = steps.get(last - 1).after();
    if (killed) {
      engine.manager().abandon();
    } else {
      engine.close();
    }
    for (String file : image.names()) {
      collect(file);
    }
  }

  private void collect(String file) {
    try (PersistentMemory memory = image.open(file, 0)) {
      byte[] page = new byte[4096];
      for (long at = 0; at + page.length <= memory.sizeBytes(); at += page.length) {
        memory.load(at, MemorySegment.ofArray(page));
        int from = 0;
        int to = page.length;
        while (from < to && page[from] == 0) {
          from++;
        }
        while (to > from && page[to - 1] == 0) {
          to--;
        }
        if (from < to) {
          places.add(new Place(file, at + from, at + to));
        }
      }
    }
  }

  /** Flips one bit that the random numbers choose; every file and page as often as another. */
  String flip(Random random, ExecutorService watched) {
    List<String> files = places.stream().map(Place::file).distinct().toList();
    String file = files.get(random.nextInt(files.size()));
    List<Place> inFile = places.stream().filter(p -> p.file.equals(file)).toList();
    Place place = inFile.get(random.nextInt(inFile.size()));
    long offset = place.from + random.nextLong(place.to - place.from);
    int bit = random.nextInt(8);
    String what =
        "protocol=%s, %s, file=%s, offset=%d, bit=%d"
            .formatted(protocol, killed ? "killed" : "closed", file, offset, bit);
    try (CrashableDirectory damaged = image.crash(CrashChoice.keepAll())) {
      damaged.flipBit(file, offset, bit);
      return watched
          .submit(() -> outcome(damaged, file, what))
          .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Violation v ? v : new Violation(what, e.getCause());
    } catch (TimeoutException e) {
      throw new Violation(what + " does not come to an end", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Violation(what, e);
    }
  }

  private String outcome(CrashableDirectory damaged, String file, String what) {
    FaultyEngine engine;
    try {
      engine = new FaultyEngine(damaged, protocol);
    } catch (GpdbException e) {
      return said(e, "refused at opening", file, what);
    }
    try {
      Map<Long, String> found = engine.rows();
      if (found.equals(expected)) {
        return "answered right";
      }
      if (killed && found.equals(beforeLast)) {
        return "as a torn last write";
      }
      if (mayLieInPlace(file)) {
        return IN_PLACE;
      }
      throw new Violation(what + ": wrong answer");
    } catch (GpdbException e) {
      return said(e, "found by a query", file, what);
    } finally {
      engine.manager().abandon();
    }
  }

  /** Whether the bit may be one of an extent without a checksum. */
  private boolean mayLieInPlace(String file) {
    return killed && protocol == Protocol.UNDO && file.equals("home.gpdb");
  }

  private String said(GpdbException e, String outcome, String file, String what) {
    if (e.code() == ErrorCode.CORRUPTION
        || (e.code() == ErrorCode.NOT_SUPPORTED
            && String.valueOf(e.getMessage()).contains("version"))) {
      return outcome;
    }
    if (mayLieInPlace(file)) {
      return IN_PLACE;
    }
    throw new Violation(what, e);
  }

  @Override
  public void close() {
    image.close();
  }
}
