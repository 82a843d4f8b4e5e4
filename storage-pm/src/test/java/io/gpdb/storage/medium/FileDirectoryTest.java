package io.gpdb.storage.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.PersistCounters;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.TemporaryFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileDirectoryTest {
  @TempDir Path temp;

  private static void assertFails(ErrorCode code, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(GpdbException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  @Test
  void aProbeThatALossOfPowerHasLeftIsNoFileOfOthers() throws IOException {
    Path db = Files.createDirectory(temp.resolve("probed"));
    Files.write(db.resolve("gpdb.probe"), new byte[4096]);
    FileDirectory.open(db, true).close();
    assertThat(db.resolve("gpdb.probe")).doesNotExist();
  }

  @Test
  void aTemporaryFileHasNoNameAndOneThatAKillHasLeftIsDeleted() throws IOException {
    Path db = Files.createDirectory(temp.resolve("temporary"));
    FileDirectory.open(db, true).close();
    Path left = Files.createFile(db.resolve("gpdb.temporary-7"));
    HostBuffer bytes = HostBuffer.collected(3);
    bytes.setByte(1, (byte) 7);
    try (StorageDirectory dir = FileDirectory.open(db, true)) {
      assertThat(left).doesNotExist();
      try (TemporaryFile file = dir.temporaryFile()) {
        file.write(5000, bytes);
        HostBuffer read = HostBuffer.collected(2);
        file.read(5001, read);
        assertThat(read.byteAt(0)).isEqualTo((byte) 7);
        assertThat(dir.names()).isEmpty();
      }
    }
    try (Stream<Path> files = Files.list(db)) {
      assertThat(files.map(file -> file.getFileName().toString())).containsOnly("gpdb.lock");
    }
  }

  @Test
  void aMissingDirectoryIsMadeOnlyWhenAsked() {
    Path db = temp.resolve("a");
    assertFails(ErrorCode.FILE_NOT_FOUND, db.toString(), () -> FileDirectory.open(db, false));
    assertThat(db).doesNotExist();
    Path deep = temp.resolve("a/b");
    assertFails(ErrorCode.CANNOT_OPEN, "missing=" + db, () -> FileDirectory.open(deep, true));
    assertThat(db).doesNotExist();
    FileDirectory.open(db, true).close();
    assertThat(db).isDirectory();
  }

  @Test
  void whatAKillLeavesOfTheMakingOpensOnlyWhereADatabaseMayBeMade() throws IOException {
    for (List<String> left :
        List.of(
            List.<String>of(),
            List.of("gpdb.lock"),
            List.of("gpdb.lock", "gpdb.probe"),
            List.of("gpdb.lock", "home.gpdb.new"))) {
      Path db = Files.createTempDirectory(temp, "cut");
      for (String name : left) {
        Files.createFile(db.resolve(name));
      }
      assertFails(ErrorCode.FILE_NOT_FOUND, "no database at", () -> FileDirectory.open(db, false));
      assertFails(ErrorCode.FILE_NOT_FOUND, "no database at", () -> openReadOnly(db));
      try (StorageDirectory made = FileDirectory.open(db, true);
          HomeImage home = HomeImage.open(made, false)) {
        assertThat(home.freeBytes()).isNotNegative();
      }
      FileDirectory.open(db, false).close();
    }
  }

  private static void openReadOnly(Path db) {
    FileDirectory.openReadOnly(db).close();
  }

  @Test
  void aDatabaseInsideAnotherIsRefusedAndBothAreNamed() throws IOException {
    Path outer = temp.resolve("outer");
    try (StorageDirectory made = FileDirectory.open(outer, true);
        HomeImage home = HomeImage.open(made, false)) {
      assertThat(home.freeBytes()).isNotNegative();
      Path link = Files.createSymbolicLink(temp.resolve("link"), outer);
      for (Path inner : List.of(outer.resolve("in"), outer.resolve("a/b"), link.resolve("in"))) {
        assertFails(ErrorCode.CANNOT_OPEN, inner.toString(), () -> FileDirectory.open(inner, true));
        assertFails(
            ErrorCode.CANNOT_OPEN,
            "other=" + outer.toRealPath(),
            () -> FileDirectory.open(inner, true));
        assertThat(inner).doesNotExist();
      }
      assertThat(outer.resolve("a")).doesNotExist();
    }
    FileDirectory.open(temp.resolve("outer2"), true).close();
  }

  @Test
  void aPlainFileIsNoDatabase() throws IOException {
    Path file = Files.writeString(temp.resolve("f"), "hello");
    assertFails(ErrorCode.CANNOT_OPEN, "not a directory", () -> FileDirectory.open(file, true));
    assertThat(file).hasContent("hello");
  }

  @Test
  void aForeignDirectoryIsLeftAlone() throws IOException {
    Files.writeString(temp.resolve("notes.txt"), "mine");
    assertFails(ErrorCode.CANNOT_OPEN, "notes.txt", () -> FileDirectory.open(temp, true));
    assertFails(ErrorCode.CANNOT_OPEN, "notes.txt", () -> FileDirectory.open(temp, false));
    try (var files = Files.list(temp)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void aDirectoryWithoutPermissionIsNamed() throws IOException {
    Path db = Files.createDirectory(temp.resolve("db"));
    Files.setPosixFilePermissions(db, PosixFilePermissions.fromString("r-xr-xr-x"));
    Assumptions.assumeFalse(Files.isWritable(db), "the superuser may do everything");
    assertFails(ErrorCode.PERMISSION_DENIED, db.toString(), () -> FileDirectory.open(db, true));
  }

  @Test
  void aSecondOpeningInThisProcessIsRefusedWithItsId() {
    Path db = temp.resolve("db");
    try (StorageDirectory first = FileDirectory.open(db, true)) {
      assertThat(first.description()).isNotEmpty();
      assertFails(
          ErrorCode.DATABASE_IN_USE,
          String.valueOf(ProcessHandle.current().pid()),
          () -> FileDirectory.open(temp.resolve("./db"), true));
    }
    FileDirectory.open(db, true).close();
  }

  /** Opens the database, says so, and holds it until it is killed. */
  public static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws IOException {
      try (StorageDirectory held = FileDirectory.open(Path.of(args[0]), true)) {
        System.out.println("holding " + held.medium());
        System.out.flush();
        while (System.in.read() >= 0) {}
      }
    }
  }

  @Test
  void anotherProcessIsNamedAndItsDeathFreesTheDatabase() throws Exception {
    Path db = temp.resolve("db");
    Process holder = startHolder(db);
    try {
      assertFails(
          ErrorCode.DATABASE_IN_USE,
          String.valueOf(holder.pid()),
          () -> FileDirectory.open(db, true));
      holder.destroyForcibly();
      holder.waitFor();
      FileDirectory.open(db, true).close();
    } finally {
      holder.destroyForcibly();
    }
  }

  private static Process startHolder(Path db) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String classPath = System.getProperty("java.class.path");
    List<String> command =
        List.of(java, "-Xmx64m", "-cp", classPath, Holder.class.getName(), db.toString());
    Process holder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8));
    assertThat(out.readLine()).startsWith("holding");
    return holder;
  }

  @Test
  void aDeadOwnersNameDoesNotHinder() throws IOException {
    Path db = temp.resolve("db");
    FileDirectory.open(db, true).close();
    Files.writeString(db.resolve("gpdb.lock"), "pid=999999999 start=1\n");
    FileDirectory.open(db, true).close();
    Files.writeString(
        db.resolve("gpdb.lock"), "pid=" + ProcessHandle.current().pid() + " start=1\n");
    FileDirectory.open(db, true).close();
    Files.writeString(db.resolve("gpdb.lock"), "what is this?");
    FileDirectory.open(db, true).close();
  }

  @Test
  void anInterruptedThreadOpensAndCloses() throws IOException {
    Path db = temp.resolve("db");
    Thread.currentThread().interrupt();
    FileDirectory.open(db, true).close();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(db.resolve("gpdb.lock")).isEmptyFile();
  }

  @Test
  void badNamesAreRefused() {
    try (StorageDirectory db = FileDirectory.open(temp.resolve("db"), true)) {
      for (String name : List.of("", "../x", "a/b", ".hidden", "gpdb.lock")) {
        assertFails(ErrorCode.INTERNAL, "not a name", () -> db.open(name, 1));
      }
    }
  }

  @Test
  void aFileThatFailedIsPoisonedUntilReopened() throws Exception {
    try (StorageDirectory db = FileDirectory.open(temp.resolve("db"), true)) {
      Path path = temp.resolve("db").resolve("m.gpdb");
      Files.write(path, new byte[4096]);
      var channel =
          java.nio.channels.AsynchronousFileChannel.open(
              path,
              java.util.Set.of(
                  java.nio.file.StandardOpenOption.READ, java.nio.file.StandardOpenOption.WRITE),
              DirectExecutor.INSTANCE);
      FileMemory memory =
          new FileMemory(
              path, PersistenceDomain.POWER, channel, 4096, new PersistCounters(), null, null);
      memory.store(0, java.lang.foreign.MemorySegment.ofArray(new byte[8]));
      channel.close();
      assertFails(
          ErrorCode.IO_ERROR,
          "m.gpdb",
          () -> memory.store(0, java.lang.foreign.MemorySegment.ofArray(new byte[8])));
      assertFails(ErrorCode.POISONED, "until it is reopened", () -> memory.persist(0, 8));
      assertFails(
          ErrorCode.POISONED,
          "until it is reopened",
          () -> memory.load(0, java.lang.foreign.MemorySegment.ofArray(new byte[8])));
      memory.close();
      db.open("m.gpdb", 1).persist(0, 8);
    }
  }
}
