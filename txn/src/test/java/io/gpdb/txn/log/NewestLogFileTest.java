package io.gpdb.txn.log;

import static io.gpdb.txn.SampleDatabase.DEVICE;
import static io.gpdb.txn.SampleDatabase.contents;
import static io.gpdb.txn.SampleDatabase.insert;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener.Act;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.TxnOptions;
import io.gpdb.txn.recovery.LogCheck;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A killed database of several log files of which the newest is damaged: the one before notes it,
 * and opening is refused (W8). What a kill or a loss of power leaves of a file in the making is no
 * damage.
 */
class NewestLogFileTest {
  private static final TxnOptions OPTIONS = TxnOptions.standard().withLogFileBytes(8 << 10);
  private static final int NO_HEADER_BYTES = 4095;
  private static final int ROWS = 10;

  @TempDir Path temp;
  private int copies;
  private int rows;

  private TransactionManager open(StorageDirectory directory) {
    return TransactionManager.open(directory, DEVICE, OPTIONS);
  }

  /** Fills several files; the manager is left open. */
  private TransactionManager fill(StorageDirectory directory, int files, boolean checkpoints) {
    TransactionManager manager = open(directory);
    Transaction tx = manager.begin();
    tx.createTable(SampleDatabase.TABLE, SampleDatabase.shape());
    tx.commit();
    manager.checkpoint();
    rows = 0;
    while (WalLayout.number(newest(directory)) < files) {
      tx = manager.begin();
      insert(tx, rows, ROWS, id -> id);
      tx.commit();
      rows += ROWS;
      if (checkpoints && rows % (7 * ROWS) == 0) {
        manager.checkpoint();
      }
    }
    return manager;
  }

  private static String newest(StorageDirectory directory) {
    List<String> names = directory.names().stream().filter(WalLayout::isFileName).toList();
    return names.isEmpty() ? WalLayout.fileName(0) : names.getLast();
  }

  private Map<String, byte[]> killed() throws IOException {
    return killed(false);
  }

  /** With a checkpoint in the newest file the others are there to be used again. */
  private Map<String, byte[]> killed(boolean checkpoint) throws IOException {
    Path db = Files.createDirectory(temp.resolve("db"));
    try (StorageDirectory directory = FileDirectory.open(db, true)) {
      TransactionManager manager = fill(directory, 3, false);
      if (checkpoint) {
        manager.checkpoint();
        Transaction tx = manager.begin();
        insert(tx, rows, ROWS, id -> id);
        tx.commit();
        rows += ROWS;
      }
      manager.abandon();
    }
    return files(db);
  }

  private static Map<String, byte[]> files(Path dir) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.list(dir)) {
      for (Path file : all.filter(f -> !f.endsWith("gpdb.lock")).toList()) {
        files.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    }
    return files;
  }

  private Path copy(Map<String, byte[]> files) throws IOException {
    Path dir = Files.createDirectory(temp.resolve("copy" + copies++));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Files.write(dir.resolve(file.getKey()), file.getValue());
    }
    return dir;
  }

  private void assertRefused(Map<String, byte[]> damaged, String what) throws IOException {
    Path db = copy(damaged);
    try (StorageDirectory directory = FileDirectory.open(db, false)) {
      assertThatThrownBy(() -> open(directory).abandon())
          .as(what)
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
      assertThat(LogCheck.run(directory)).as(what).isNotEmpty();
    }
    Map<String, byte[]> after = files(db);
    assertThat(after.keySet()).as(what).isEqualTo(damaged.keySet());
    damaged.forEach((name, bytes) -> assertThat(after.get(name)).as(what).isEqualTo(bytes));
  }

  @Test
  void aNewestFileWithoutItsHeaderIsRefused() throws IOException {
    Map<String, byte[]> whole = killed();
    String newest = WalLayout.fileName(3);
    int size = Objects.requireNonNull(whole.get(newest)).length;
    for (int cut : new int[] {0, 1, 512, NO_HEADER_BYTES, 4096, size - 1}) {
      assertRefused(with(whole, newest, cut(whole.get(newest), cut)), "cut to " + cut);
    }
    assertRefused(with(whole, newest, new byte[size]), "zeros");
    byte[] random = new byte[size];
    new Random(1).nextBytes(random);
    assertRefused(with(whole, newest, random), "random bytes");
    byte[] headless = Objects.requireNonNull(whole.get(newest)).clone();
    Arrays.fill(headless, 0, WalLayout.SEGMENT_RECORDS_AT, (byte) 0);
    assertRefused(with(whole, newest, headless), "records without a header");
  }

  @Test
  void aNewestFileWithTheCheckpointInItIsMissedWithoutANote() throws IOException {
    Map<String, byte[]> whole = killed(true);
    assertOpens(whole);
    String newest = WalLayout.fileName(3);
    String before = WalLayout.fileName(2);
    byte[] unnoted = Objects.requireNonNull(whole.get(before)).clone();
    Arrays.fill(unnoted, WalLayout.NEXT_MAGIC_AT, WalLayout.SEGMENT_RECORDS_AT, (byte) 0);
    Map<String, byte[]> damaged = with(whole, before, unnoted);
    for (int cut : new int[] {0, NO_HEADER_BYTES}) {
      assertRefused(with(damaged, newest, cut(whole.get(newest), cut)), "cut to " + cut);
    }
    damaged.remove(newest);
    assertRefused(damaged, "without the newest file");
  }

  @Test
  void aNewestFileWithTheHeaderOfAnotherIsRefused() throws IOException {
    Map<String, byte[]> whole = killed();
    String newest = WalLayout.fileName(3);
    for (int number : new int[] {1, 2}) {
      byte[] other = whole.get(WalLayout.fileName(number));
      assertRefused(with(whole, newest, other), "file " + number + " in its place");
    }
  }

  private static Map<String, byte[]> with(Map<String, byte[]> files, String name, byte[] bytes) {
    Map<String, byte[]> changed = new TreeMap<>(files);
    changed.put(name, bytes);
    return changed;
  }

  private static byte[] cut(byte[] bytes, int length) {
    return Arrays.copyOf(bytes, length);
  }

  @Test
  void aFileInTheMakingThatNothingNotesIsNoDamage() throws IOException {
    Map<String, byte[]> whole = killed();
    String next = WalLayout.fileName(4);
    for (byte[] made : List.of(new byte[0], new byte[512], new byte[8 << 10])) {
      assertOpens(with(whole, next, made));
    }
    byte[] spare = Objects.requireNonNull(whole.get(WalLayout.fileName(1)));
    assertOpens(with(whole, next, spare)); // renamed, with the header of its life before
  }

  /** A header as version 3 stored it, before the size of the file was durable. */
  private static byte[] header(byte[] file, int version, long number) {
    byte[] earlier = file.clone();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocate(WalLayout.SEGMENT_HEADER_BYTES, 8);
      header.copyFrom(MemorySegment.ofArray(earlier).asSlice(0, header.byteSize()));
      header.set(JAVA_INT, WalLayout.SEGMENT_VERSION_AT, version);
      header.set(JAVA_LONG, WalLayout.SEGMENT_NUMBER_AT, number);
      header.set(JAVA_INT, WalLayout.SEGMENT_CRC_AT, 0);
      header.set(JAVA_INT, WalLayout.SEGMENT_CRC_AT, Crc.of(header, 0, header.byteSize()));
      MemorySegment.ofArray(earlier).asSlice(0, header.byteSize()).copyFrom(header);
    }
    return earlier;
  }

  @Test
  void aHeaderThatAnEarlierVersionLeftInAShorterFileIsNoDamage() throws IOException {
    Map<String, byte[]> whole = killed();
    byte[] newest = Objects.requireNonNull(whole.get(WalLayout.fileName(3)));
    byte[] made = new byte[newest.length];
    System.arraycopy(newest, 0, made, 0, WalLayout.SEGMENT_HEADER_BYTES);
    String next = WalLayout.fileName(4);
    for (int bytes : new int[] {56, 512, 4096, 4608, 4160, made.length - 1}) {
      byte[] earlier = header(made, WalLayout.SEGMENT_VERSION_BEFORE_SIZE, 4);
      assertOpens(with(whole, next, cut(earlier, bytes)));
    }
    byte[] now = header(made, WalLayout.SEGMENT_VERSION, 4);
    assertRefused(with(whole, next, cut(now, 4608)), "its size was durable");
  }

  @Test
  void aShorterFileOfAnEarlierVersionThatWasInUseIsRefused() throws IOException {
    Map<String, byte[]> whole = killed();
    String newest = WalLayout.fileName(3);
    String before = WalLayout.fileName(2);
    byte[] file =
        header(Objects.requireNonNull(whole.get(newest)), WalLayout.SEGMENT_VERSION_BEFORE_SIZE, 3);
    for (int bytes : new int[] {512, 4096, 4608, file.length - 1}) {
      assertRefused(with(whole, newest, cut(file, bytes)), "noted, cut to " + bytes);
    }
    byte[] unnoted = Objects.requireNonNull(whole.get(before)).clone();
    Arrays.fill(unnoted, WalLayout.NEXT_MAGIC_AT, WalLayout.SEGMENT_RECORDS_AT, (byte) 0);
    Map<String, byte[]> damaged = with(whole, before, unnoted);
    for (int bytes : new int[] {4608, file.length - 1}) {
      assertRefused(with(damaged, newest, cut(file, bytes)), "with records, cut to " + bytes);
    }
  }

  private void assertOpens(Map<String, byte[]> files) throws IOException {
    try (StorageDirectory directory = FileDirectory.open(copy(files), false)) {
      assertThat(LogCheck.run(directory)).isEmpty();
      try (TransactionManager manager = open(directory)) {
        assertThat(contents(manager)).hasSize(rows);
      }
    }
  }

  @Test
  void noCrashWhileFilesFollowEachOtherLooksLikeDamage() {
    int[] acts = {0};
    try (CrashableDirectory directory = new CrashableDirectory()) {
      directory.listener(
          (act, memory, offset, bytes) -> {
            acts[0]++;
            List<CrashChoice> choices =
                List.of(
                    CrashChoice.keepNothing(),
                    CrashChoice.keepAll(),
                    CrashChoice.random(acts[0]),
                    CrashChoice.random(-acts[0]));
            for (CrashChoice choice : choices) {
              try (CrashableDirectory left = directory.crash(choice)) {
                String place = "before act " + acts[0] + " " + act + " " + memory + ":" + offset;
                assertThat(LogCheck.run(left)).as(place).isEmpty();
                open(left).abandon();
              }
            }
          });
      fill(directory, 6, true).close();
    }
    assertThat(acts[0]).isGreaterThan(100);
  }

  @Test
  void aFileIsNotedOnlyWhenItsHeaderAndNameAreDurable() {
    int[] notes = {0};
    try (CrashableDirectory directory = new CrashableDirectory()) {
      directory.listener(
          (act, memory, offset, bytes) -> {
            if (act == Act.STORE && offset == WalLayout.NEXT_MAGIC_AT) {
              notes[0]++;
              String next = newest(directory);
              try (CrashableDirectory left = directory.crash(CrashChoice.keepNothing())) {
                assertThat(WalLayout.number(next)).isGreaterThan(WalLayout.number(memory));
                assertThat(left.exists(next)).isTrue();
                assertThat(WalSegment.read(left, next, null)).isNotNull();
              }
            }
          });
      fill(directory, 8, true).abandon();
    }
    assertThat(notes[0]).isEqualTo(7);
  }
}
