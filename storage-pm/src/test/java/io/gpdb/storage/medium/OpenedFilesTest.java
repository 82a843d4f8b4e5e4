package io.gpdb.storage.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The files of a directory from their opening to their close. */
@Timeout(60)
class OpenedFilesTest {
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final Path HANDLES = Path.of("/proc/self/fd");

  @TempDir Path temp;

  private static void assertCode(ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(GpdbException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static void load(PersistentMemory memory) {
    memory.load(0, MemorySegment.ofArray(new byte[8]));
  }

  @Test
  void whatIsADatabasesFileIsTold() {
    for (boolean owned : new boolean[] {true, false}) {
      assertThat(FileDirectory.isOfDatabase("home.gpdb", owned)).isTrue();
      assertThat(FileDirectory.isOfDatabase("home.gpdb.backup", owned)).isTrue();
      assertThat(FileDirectory.isOfDatabase("wal-00000001.gpdb", owned)).isEqualTo(owned);
      for (String other : new String[] {"home.gpdb.new", "gpdb.lock", "notes.txt", "a-wal-1"}) {
        assertThat(FileDirectory.isOfDatabase(other, owned)).as(other).isFalse();
      }
    }
  }

  @Test
  void aClosedDirectoryHasClosedItsFilesAndDoesNothingMore() {
    StorageDirectory db = FileDirectory.open(temp.resolve("db"), true);
    List<PersistentMemory> files = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      files.add(db.open(name, 8192));
    }
    db.close();
    files.forEach(file -> assertCode(ErrorCode.CLOSED, () -> load(file)));
    assertCode(ErrorCode.CLOSED, db::syncNames);
    assertCode(ErrorCode.CLOSED, db::names);
    assertCode(ErrorCode.CLOSED, () -> db.exists("a"));
    assertCode(ErrorCode.CLOSED, () -> db.open("a", 1));
    assertCode(ErrorCode.CLOSED, () -> db.delete("a"));
    assertCode(ErrorCode.CLOSED, () -> db.rename("a", "d"));
    try (StorageDirectory again = FileDirectory.open(temp.resolve("db"), false)) {
      db.close(); // a second time: it is another's now
      assertCode(
          ErrorCode.DATABASE_IN_USE, () -> FileDirectory.open(temp.resolve("db"), false).close());
      load(again.open("b", 0));
    } catch (GpdbException e) {
      assertThat(e.code()).as("files of no database").isEqualTo(ErrorCode.FILE_NOT_FOUND);
    }
  }

  @Test
  void whoClosesTwiceTakesNothingFromTheNextOwner() throws IOException {
    Path dir = temp.resolve("db");
    StorageDirectory first = FileDirectory.open(dir, true);
    first.open("home.gpdb", 8192);
    first.close();
    try (StorageDirectory second = FileDirectory.open(dir, false)) {
      PersistentMemory home = second.open("home.gpdb", 0);
      first.close();
      load(home);
      assertCode(ErrorCode.DATABASE_IN_USE, () -> FileDirectory.open(dir, false).close());
      assertThat(second.names()).containsExactly("home.gpdb");
    }
    FileDirectory.open(dir, false).close();
  }

  @Test
  void aRenamedFileReplacesAnotherThatIsClosed() {
    try (StorageDirectory db = FileDirectory.open(temp.resolve("db"), true)) {
      PersistentMemory a = db.open("a", 4096);
      PersistentMemory b = db.open("b", 8192);
      a.store(0, MemorySegment.ofArray(new byte[] {1, 2, 3}));
      db.rename("a", "b");
      assertCode(ErrorCode.CLOSED, () -> load(b));
      assertThat(a.name()).isEqualTo("b");
      assertThat(db.open("b", 0)).isSameAs(a);
      assertThat(db.names()).containsExactly("b");
      a.persist(0, 3);
      assertThat(db.exists("a")).isFalse();
      db.delete("b");
      assertCode(ErrorCode.CLOSED, () -> load(a));
      assertThat(db.names()).isEmpty();
      assertThat(db.open("b", 4096)).isNotSameAs(a);
    }
  }

  private static List<String> handlesInto(Path dir) throws IOException {
    List<String> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(HANDLES)) {
      for (Path handle : all) {
        try {
          String target = Files.readSymbolicLink(handle).toString();
          if (target.startsWith(dir.toString())) {
            found.add(target);
          }
        } catch (IOException e) {
          continue; // closed meanwhile
        }
      }
    }
    return found;
  }

  @Test
  void noHandleOfAFileIsLeftOpen() throws Exception {
    Assumptions.assumeTrue(Files.isDirectory(HANDLES));
    Path dir = temp.toRealPath().resolve("db");
    StorageDirectory db = FileDirectory.open(dir, true);
    PersistentMemory one = db.open("home.gpdb", 8192);
    List<Thread> syncing = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      syncing.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int n = 0; n < 20; n++) {
                      one.persist(0, 64);
                    }
                  }));
    }
    for (Thread thread : syncing) {
      thread.join();
    }
    db.open("second", 4096).close();
    db.open("third", 4096);
    db.rename("third", "fourth");
    assertThat(handlesInto(dir)).isNotEmpty();
    db.close();
    assertThat(handlesInto(dir)).isEmpty();
    StorageDirectory reader = FileDirectory.openReadOnly(dir);
    load(reader.open("home.gpdb", 0));
    assertCode(ErrorCode.READ_ONLY, () -> reader.delete("home.gpdb"));
    assertCode(ErrorCode.FILE_NOT_FOUND, () -> reader.open("none", 1));
    reader.close();
    assertThat(handlesInto(dir)).isEmpty();
  }

  @Test
  void aDirectoryInMemoryKeepsNothingOfAPowerLoss() throws IOException {
    Assumptions.assumeTrue(
        Files.isWritable(SHARED_MEMORY)
            && Files.getFileStore(SHARED_MEMORY).type().equals("tmpfs"));
    Path dir = Files.createTempDirectory(SHARED_MEMORY, "gpdb-test");
    try (StorageDirectory db = new RemovedAtClose(FileDirectory.open(dir, true), dir)) {
      assertThat(db.medium()).isEqualTo(Medium.TMPFS);
      assertThat(db.domain()).isEqualTo(PersistenceDomain.PROCESS);
    }
    try (StorageDirectory db = FileDirectory.open(temp.resolve("db"), true)) {
      boolean inMemory = Files.getFileStore(temp).type().equals("tmpfs");
      assertThat(db.medium() == Medium.TMPFS).isEqualTo(inMemory);
    }
  }

  /** A5. Each has a channel of its own; one more waits for one of them. */
  @Test
  void soManySyncsOfAFileAreUnderWayAndNoMore() throws Exception {
    Path file = Files.write(temp.resolve("f"), new byte[4096]);
    try (var channel = FileChannels.open(file, false)) {
      SyncChannels syncs = new SyncChannels(channel);
      Semaphore goOn = new Semaphore(0);
      CountDownLatch begun = new CountDownLatch(SyncChannels.SYNCS_MAX);
      AtomicInteger underWay = new AtomicInteger();
      Set<Throwable> failures = ConcurrentHashMap.newKeySet();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < SyncChannels.SYNCS_MAX + 3; i++) {
        threads.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        syncs.sync(
                            file,
                            Long.MAX_VALUE,
                            () -> {
                              underWay.incrementAndGet();
                              begun.countDown();
                              goOn.acquireUninterruptibly();
                              return Long.MAX_VALUE;
                            },
                            failures::add);
                      } catch (IOException e) {
                        failures.add(e);
                      }
                    }));
      }
      assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
      for (Thread thread : threads) {
        while (thread.getState() == Thread.State.RUNNABLE) {
          Thread.onSpinWait();
        }
      }
      assertThat(underWay.get()).isEqualTo(SyncChannels.SYNCS_MAX);
      goOn.release(1000);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failures).isEmpty();
      assertThat(underWay.get()).as("the others' syncs did for the rest").isEqualTo(4);
      syncs.close();
    }
  }
}
