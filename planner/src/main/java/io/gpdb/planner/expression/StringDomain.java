package io.gpdb.planner.expression;

import io.gpdb.storage.column.ByteHash;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.memory.MemoryAccount;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The strings of a column by their codes: a stored dictionary, or strings made by a plan. */
public sealed interface StringDomain {
  int size();

  /** While it is the same, all strings that rows may have are, and have the same codes. */
  default long version() {
    return size();
  }

  byte[] bytes(int code);

  String string(int code);

  /** The code of these bytes, or -1. */
  int find(byte[] bytes);

  /** Distinguishes domains: equal identities mean equal codes for equal strings. */
  Object identity();

  /** Whether equal codes mean equal strings in both. */
  @SuppressWarnings("ReferenceEquality") // one dictionary, not one with the same content
  default boolean isSameAs(StringDomain other) {
    return identity() == other.identity();
  }

  /** The dictionary of a stored column. */
  record Stored(CodedStrings dictionary) implements StringDomain {
    @Override
    public int size() {
      return dictionary.size();
    }

    @Override
    public long version() {
      return dictionary.version();
    }

    @Override
    public byte[] bytes(int code) {
      return dictionary.bytes(code);
    }

    @Override
    public String string(int code) {
      return dictionary.string(code);
    }

    @Override
    public int find(byte[] bytes) {
      return dictionary.find(bytes, 0, bytes.length);
    }

    @Override
    public Object identity() {
      return dictionary;
    }
  }

  /**
   * Strings collected while a plan runs, found by a table of their codes. The first are in the
   * heap, where most are read, and many lie outside: {@link StringBytes}. Not thread-safe while it
   * grows.
   */
  final class Made implements StringDomain {
    private static final int STRINGS_FIRST = 16;

    /** A string in the heap, its hash and its places take so many bytes and its own. */
    private static final int STRING_BYTES = 64;

    /** Of those in the heap: a part of it that many domains may take. */
    private static final long HEAP_BYTES_MAX = Runtime.getRuntime().maxMemory() / 64;

    private final long heapBytesMax;
    private final MemoryAccount account;
    private byte[][] strings = new byte[STRINGS_FIRST][];
    private int inHeap;
    private long heapBytes;
    private @Nullable StringBytes others;
    private IntTable hashes = new IntTable(STRINGS_FIRST, null);

    /**
     * A code + 1 in the first free place from its string's hash on; 0 where free, half at least.
     */
    private IntTable places = new IntTable(2 * STRINGS_FIRST, null);

    private int size;

    /** Of the running statement, with which it ends where it {@link #isMany}. */
    public Made() {
      this(HEAP_BYTES_MAX);
    }

    /**
     * @param heapBytesMax how many bytes of a statement may be in the heap
     */
    Made(long heapBytesMax) {
      account = MemoryAccount.current();
      this.heapBytesMax = account.canSpill() ? heapBytesMax : Long.MAX_VALUE;
    }

    /** Whether some strings are outside the heap, and gone when the statement has ended. */
    public boolean isMany() {
      return others != null;
    }

    public int intern(byte[] bytes) {
      int hash = ByteHash.of(bytes, 0, bytes.length);
      int place = place(bytes, hash);
      int known = places.get(place);
      if (known > 0) {
        return known - 1;
      }
      if (size == hashes.length()) {
        grow();
        place = place(bytes, hash);
      }
      add(bytes);
      hashes.set(size, hash);
      places.set(place, ++size);
      return size - 1;
    }

    private void add(byte[] bytes) {
      StringBytes outside = others;
      if (outside != null) {
        outside.append(bytes);
      } else if (heapBytes + STRING_BYTES + bytes.length <= heapBytesMax) {
        if (inHeap == strings.length) {
          strings = Arrays.copyOf(strings, 2 * inHeap);
        }
        strings[inHeap++] = bytes;
        heapBytes += STRING_BYTES + bytes.length;
      } else {
        outside = new StringBytes(account);
        outside.append(bytes);
        others = outside;
      }
    }

    /** Where the code of these bytes is, or would be. */
    private int place(byte[] bytes, int hash) {
      int mask = places.length() - 1;
      int place = hash & mask;
      for (int code = places.get(place) - 1; code >= 0; code = places.get(place) - 1) {
        if (hashes.get(code) == hash && isEqual(code, bytes)) {
          return place;
        }
        place = (place + 1) & mask;
      }
      return place;
    }

    private boolean isEqual(int code, byte[] bytes) {
      return code < inHeap
          ? Arrays.equals(strings[code], bytes)
          : Objects.requireNonNull(others).isEqual(code - inHeap, bytes);
    }

    private void grow() {
      int room = Math.multiplyExact(2, size);
      MemoryAccount outside = others == null ? null : account;
      hashes = hashes.longer(room, outside);
      places.give();
      places = new IntTable(Math.multiplyExact(2, room), outside);
      int mask = places.length() - 1;
      for (int code = 0; code < size; code++) {
        int place = hashes.get(code) & mask;
        while (places.get(place) > 0) {
          place = (place + 1) & mask;
        }
        places.set(place, code + 1);
      }
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public byte[] bytes(int code) {
      int known = Objects.checkIndex(code, size);
      return known < inHeap ? strings[known] : Objects.requireNonNull(others).get(known - inHeap);
    }

    @Override
    public String string(int code) {
      return new String(bytes(code), StandardCharsets.UTF_8);
    }

    @Override
    public int find(byte[] bytes) {
      return places.get(place(bytes, ByteHash.of(bytes, 0, bytes.length))) - 1;
    }

    @Override
    public Object identity() {
      return this;
    }
  }
}
