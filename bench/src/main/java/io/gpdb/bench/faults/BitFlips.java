package io.gpdb.bench.faults;

import io.gpdb.bench.faults.KnownDatabase.Damage;
import io.gpdb.session.database.DatabaseProblems;
import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.memory.PersistentMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One flipped bit anywhere in the files of a database that was closed, or killed with its log in
 * use. A bit in the last batch of an unfinished log may look like a write that power loss cut
 * short: then the state before that batch is right. Extents that an in-place protocol had open when
 * it was killed have no checksum, so there, and only there, a flipped bit of a value is not found.
 */
final class BitFlips implements AutoCloseable {
  private final CrashableDirectory image = new CrashableDirectory();
  private final KnownDatabase database;
  private final List<Place> places = new ArrayList<>();

  /** Bytes of a file that are not zero, or are in a page with one that is not. */
  private record Place(String file, long from, long to) {}

  BitFlips(FaultSetting setting, FaultWorkload workload, boolean killed) {
    database = KnownDatabase.leave(image, setting, workload, killed);
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
  String flip(Random random) {
    List<String> files = places.stream().map(Place::file).distinct().toList();
    String file = files.get(random.nextInt(files.size()));
    List<Place> inFile = places.stream().filter(p -> p.file.equals(file)).toList();
    Place place = inFile.get(random.nextInt(inFile.size()));
    long offset = place.from + random.nextLong(place.to - place.from);
    int bit = random.nextInt(8);
    String what =
        "%s, %s, file=%s, offset=%d, bit=%d"
            .formatted(database.setting(), database.when(), file, offset, bit);
    boolean killed = database.killed();
    boolean inPlace = killed && database.setting().writesInPlace() && file.equals("home.gpdb");
    try (CrashableDirectory damaged = image.crash(CrashChoice.keepAll())) {
      damaged.flipBit(file, offset, bit);
      List<String> problems = DatabaseProblems.of(damaged);
      return database.outcome(damaged, new Damage(what, killed, inPlace), problems);
    } catch (RuntimeException e) {
      throw e instanceof Violation v ? v : new Violation(what, e);
    }
  }

  @Override
  public void close() {
    image.close();
  }
}
