package io.gpdb.planner.expression;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.memory.TemporaryFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Strings of a statement one behind the other, by their number: outside the heap, and, where they
 * are more than a share of its memory, in a temporary file. Appended to by one thread, read by all
 * once they know of it. Gone with the statement.
 *
 * <p>Of each string, eight bytes are in memory and not counted: they could not be spilled.
 */
final class StringBytes {
  private static final int CHUNK_BYTES = 1 << 18;
  private static final int REFERENCES_FIRST = 1 << 12;

  /** A statement keeps one part in this many of the memory left. */
  private static final int SHARE = 4;

  /** Read first from the file: the lengths of most strings and themselves. */
  private static final int READ_BYTES = 256;

  private final MemoryAccount account;

  private final List<@Nullable ByteBuffer> chunks = new ArrayList<>();

  /** By chunk: where it is in the file. */
  private long[] offsets = new long[16];

  private HostBuffer last = HostBuffer.NONE;
  private int used;
  private long keptBytes;
  private long fileBytes;
  private @Nullable TemporaryFile file;

  /** By number: the chunk and the place in it. */
  private HostBuffer references;

  private HostBuffer read;

  private int size;

  StringBytes(MemoryAccount account) {
    this.account = account;
    references = account.keep((long) REFERENCES_FIRST * Long.BYTES);
    read = account.keep(READ_BYTES);
  }

  void append(byte[] bytes) {
    int need = Integer.BYTES + bytes.length;
    if (last.bytes() - used < need) {
      endChunk();
      beginChunk(need);
    }
    if ((long) size * Long.BYTES == references.bytes()) {
      HostBuffer before = references;
      references = account.keep(2 * before.bytes());
      references.copyFrom(before, 0, 0, before.bytes());
      account.giveKept(before);
    }
    long reference = ((long) (chunks.size() - 1) << 32) | used;
    references.setLong(size++, reference);
    ByteBuffer to = Objects.requireNonNull(chunks.getLast());
    to.putInt(used, bytes.length);
    to.put(used + Integer.BYTES, bytes);
    used += need;
  }

  /** Writes the chunk to the file, where there is one. */
  private void endChunk() {
    TemporaryFile to = file;
    if (to == null || chunks.isEmpty()) {
      return;
    }
    int chunk = chunks.size() - 1;
    to.write(fileBytes, last.slice(0, used));
    account.countSpilled(used);
    if (chunk >= offsets.length) {
      offsets = Arrays.copyOf(offsets, 2 * chunk);
    }
    offsets[chunk] = fileBytes;
    fileBytes += used;
    chunks.set(chunk, null);
  }

  private void beginChunk(int need) {
    long bytes = Math.max(CHUNK_BYTES, need);
    if (file == null) {
      if (account.canSpill() && !account.hasRoomFor(SHARE * (keptBytes + bytes) - keptBytes)) {
        file = account.temporaryFile();
      } else {
        account.charge(bytes);
        keptBytes += bytes;
      }
    }
    if (chunks.isEmpty() || chunks.getLast() != null) {
      last = account.keep(bytes);
    } else if (last.bytes() < need) {
      account.giveKept(last);
      last = account.keep(bytes);
    }
    chunks.add(last.buffer());
    used = 0;
  }

  byte[] get(int number) {
    long reference = references.longAt(number);
    int chunk = (int) (reference >>> 32);
    int at = (int) reference;
    ByteBuffer kept = chunks.get(chunk);
    if (kept == null) {
      return read(chunk, at);
    }
    byte[] bytes = new byte[kept.getInt(at)];
    kept.get(at + Integer.BYTES, bytes);
    return bytes;
  }

  boolean isEqual(int number, byte[] bytes) {
    long reference = references.longAt(number);
    int at = (int) reference;
    ByteBuffer kept = chunks.get((int) (reference >>> 32));
    if (kept == null) {
      return Arrays.equals(get(number), bytes);
    }
    if (kept.getInt(at) != bytes.length) {
      return false;
    }
    return kept.slice(at + Integer.BYTES, bytes.length).equals(ByteBuffer.wrap(bytes));
  }

  private synchronized byte[] read(int chunk, int at) {
    TemporaryFile from = Objects.requireNonNull(file);
    long offset = offsets[chunk] + at;
    HostBuffer head = read.slice(0, Math.min(READ_BYTES, fileBytes - offset));
    from.read(offset, head);
    int length = head.buffer().getInt(0);
    long whole = Integer.BYTES + (long) length;
    if (length < 0 || offset + whole > fileBytes) {
      throw new GpdbException(ErrorCode.INTERNAL, "a string in a temporary file: length=" + length);
    }
    if (whole > read.bytes()) {
      account.giveKept(read);
      read = account.keep(whole);
    }
    if (whole > head.bytes()) {
      from.read(offset, read.slice(0, whole));
    }
    byte[] bytes = new byte[length];
    read.buffer().get(Integer.BYTES, bytes);
    return bytes;
  }
}
