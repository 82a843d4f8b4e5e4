package io.gpdb.bench.formats;

import io.gpdb.bench.formats.RootExtents.Named;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The files of a database in memory, and their parts. Offsets are those of
 * docs/internals/file-format.md, written down here a second time.
 */
@SuppressWarnings("ByteBufferBackingArray") // wrapped, whole arrays
final class FormatImage {
  private static final String HOME = "home.gpdb";
  private static final String UNDO = "undo.gpdb";
  private static final int BLOCK = 4096;
  private static final int SUPERBLOCK_SUM_AT = 72;
  private static final int RECORD_MAGIC = magic("gpWR");
  private static final int UNDO_MAGIC = magic("gpWU");
  private static final int RECORD_HEADER = 64;
  private static final int UNDO_HEADER = 128;
  private static final int UNDO_SUMMED = 112;
  private static final int UNDO_ALIGNMENT = 128;
  private static final int PIECE = 1 << 20;
  private static final long MIXER = 0x9e3779b97f4a7c15L;

  private final Map<String, ByteBuffer> files = new TreeMap<>();
  private final List<Part> parts = new ArrayList<>();

  FormatImage(Path directory) throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      for (Path file : all.filter(f -> !f.endsWith("gpdb.lock")).sorted().toList()) {
        byte[] bytes = Files.readAllBytes(file);
        files.put(
            file.getFileName().toString(), ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
      }
    }
    files.forEach(this::addParts);
  }

  private static int magic(String text) {
    return ByteBuffer.wrap(text.getBytes(java.nio.charset.StandardCharsets.US_ASCII))
        .order(ByteOrder.LITTLE_ENDIAN)
        .getInt();
  }

  List<Part> parts() {
    return parts;
  }

  ByteBuffer file(String name) {
    ByteBuffer bytes = files.get(name);
    if (bytes == null) {
      throw new IllegalArgumentException("no file " + name);
    }
    return bytes;
  }

  void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.createFile(directory.resolve("gpdb.lock"));
    for (Map.Entry<String, ByteBuffer> file : files.entrySet()) {
      Files.write(directory.resolve(file.getKey()), file.getValue().array());
    }
  }

  long bytes() {
    return files.values().stream().mapToLong(ByteBuffer::capacity).sum();
  }

  private void addParts(String name, ByteBuffer bytes) {
    if (name.equals(HOME)) {
      addHome(bytes);
    } else if (name.equals(UNDO)) {
      addUndo(bytes);
    } else if (name.startsWith("wal-")) {
      addLog(name, bytes);
    }
  }

  private static int sum(ByteBuffer bytes, int from, int to) {
    CRC32C sum = new CRC32C();
    sum.update(bytes.array(), from, to - from);
    return (int) sum.getValue();
  }

  private static void seal(ByteBuffer bytes, int from, int to, int at) {
    bytes.putInt(at, sum(bytes, from, to));
  }

  /** As {@link #seal}, where the checksum is among the bytes and counts as zero. */
  private static void sealWithin(ByteBuffer bytes, int from, int to, int at) {
    bytes.putInt(at, 0);
    seal(bytes, from, to, at);
  }

  private void addHome(ByteBuffer home) {
    int current = 0;
    for (int at : new int[] {0, BLOCK}) {
      boolean written = home.getLong(at) != 0;
      if (written && home.getLong(at + 16) >= home.getLong(current + 16)) {
        current = at;
      }
      if (written) {
        parts.add(new Part("superblock", HOME, at, at + SUPERBLOCK_SUM_AT, () -> seal(home, at)));
      }
    }
    int inForce = current;
    int rootAt = (int) home.getLong(current + 24);
    int rootEnd = rootAt + (int) home.getLong(current + 32);
    Runnable sealRoot =
        () -> {
          home.putInt(inForce + 40, sum(home, rootAt, rootEnd));
          seal(home, inForce);
        };
    parts.add(new Part("root directory", HOME, rootAt, rootEnd, sealRoot));
    for (Named named : RootExtents.of(Arrays.copyOfRange(home.array(), rootAt, rootEnd))) {
      int from = (int) named.offset();
      int to = from + (int) named.bytes();
      Runnable seal =
          () -> {
            home.putInt(rootAt + named.checksumAt(), sum(home, from, to));
            sealRoot.run();
          };
      parts.add(new Part(named.what(), HOME, from, to, seal));
    }
  }

  private static void seal(ByteBuffer home, int superblock) {
    seal(home, superblock, superblock + SUPERBLOCK_SUM_AT, superblock + SUPERBLOCK_SUM_AT);
  }

  private void addLog(String name, ByteBuffer log) {
    parts.add(new Part("segment header", name, 0, 56, () -> sealWithin(log, 0, 56, 12)));
    if (log.getLong(512) != 0) {
      parts.add(new Part("next segment", name, 512, 536, () -> seal(log, 512, 536, 536)));
    }
    int at = BLOCK;
    while (at + RECORD_HEADER <= log.capacity() && log.getInt(at) == RECORD_MAGIC) {
      int from = at;
      int end = at + log.getInt(at + 16);
      Runnable seal =
          () -> {
            seal(log, from + RECORD_HEADER, end, from + 52);
            seal(log, from, from + 60, from + 60);
          };
      parts.add(new Part("record header", name, from, from + RECORD_HEADER, seal));
      int sections = log.getInt(at + 20);
      int section = at + RECORD_HEADER;
      for (int s = 0; s < sections; s++) {
        int payload = section + 32;
        int next = payload + log.getInt(section + 4);
        String kind = " of kind " + log.getShort(section);
        parts.add(new Part("section" + kind, name, section, payload, seal));
        if (next > payload) {
          parts.add(new Part("payload" + kind, name, payload, next, seal));
        }
        section = next;
      }
      at = end;
    }
  }

  private void addUndo(ByteBuffer undo) {
    for (int at : new int[] {0, 512}) {
      if (undo.getLong(at) != 0) {
        parts.add(
            new Part(
                "undo header", UNDO, at, at + 48, () -> sealWithin(undo, at, at + 48, at + 12)));
      }
    }
    int at = BLOCK;
    while (at + UNDO_HEADER <= undo.capacity()) {
      if (undo.getInt(at) != UNDO_MAGIC) {
        int next = (at / PIECE + 1) * PIECE;
        if (at % PIECE == 0 || next + UNDO_HEADER > undo.capacity()) {
          return;
        }
        at = next;
        continue;
      }
      int from = at;
      int region = at + UNDO_HEADER;
      int end = region + undo.getInt(at + 52);
      parts.add(
          new Part("undo record", UNDO, from, from + UNDO_SUMMED, () -> sealUndo(undo, from)));
      parts.add(
          new Part(
              "undo region",
              UNDO,
              region,
              end,
              () -> {
                undo.putInt(from + 72, sum(undo, region, end));
                sealUndo(undo, from);
              }));
      parts.add(new Part("undo marks", UNDO, from + UNDO_SUMMED, region, () -> {}));
      at = (end + UNDO_ALIGNMENT - 1) / UNDO_ALIGNMENT * UNDO_ALIGNMENT;
    }
  }

  /** The marks keep what they say; their check is over the record's checksum. */
  private static void sealUndo(ByteBuffer undo, int from) {
    sealWithin(undo, from, from + UNDO_SUMMED, from + 12);
    long sum = Integer.toUnsignedLong(undo.getInt(from + 12));
    for (int at : new int[] {from + 112, from + 120}) {
      long ending = undo.getLong(at) >>> 16;
      undo.putLong(at, ending << 16 | ((ending * MIXER ^ sum) * MIXER) >>> 48);
    }
  }
}
