package io.gpdb.planner.expression;

import io.gpdb.storage.column.ByteHash;
import io.gpdb.storage.column.CodedStrings;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;

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
   * Strings collected while a plan runs, found by a table of their codes. Not thread-safe while it
   * grows.
   */
  final class Made implements StringDomain {
    private static final int STRINGS_FIRST = 16;

    private byte[][] strings = new byte[STRINGS_FIRST][];
    private int[] hashes = new int[STRINGS_FIRST];

    /**
     * A code + 1 in the first free place from its string's hash on; 0 where free, half at least.
     */
    private int[] places = new int[2 * STRINGS_FIRST];

    private int size;

    public int intern(byte[] bytes) {
      int hash = ByteHash.of(bytes, 0, bytes.length);
      int place = place(bytes, hash);
      if (places[place] > 0) {
        return places[place] - 1;
      }
      if (size == strings.length) {
        grow();
        place = place(bytes, hash);
      }
      strings[size] = bytes;
      hashes[size] = hash;
      places[place] = ++size;
      return size - 1;
    }

    /** Where the code of these bytes is, or would be. */
    private int place(byte[] bytes, int hash) {
      int mask = places.length - 1;
      int place = hash & mask;
      while (places[place] > 0) {
        int code = places[place] - 1;
        if (hashes[code] == hash && Arrays.equals(strings[code], bytes)) {
          return place;
        }
        place = (place + 1) & mask;
      }
      return place;
    }

    private void grow() {
      int room = Math.multiplyExact(2, strings.length);
      strings = Arrays.copyOf(strings, room);
      hashes = Arrays.copyOf(hashes, room);
      places = new int[Math.multiplyExact(2, room)];
      int mask = places.length - 1;
      for (int code = 0; code < size; code++) {
        int place = hashes[code] & mask;
        while (places[place] > 0) {
          place = (place + 1) & mask;
        }
        places[place] = code + 1;
      }
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public byte[] bytes(int code) {
      return strings[Objects.checkIndex(code, size)];
    }

    @Override
    public String string(int code) {
      return new String(bytes(code), StandardCharsets.UTF_8);
    }

    @Override
    public int find(byte[] bytes) {
      return places[place(bytes, ByteHash.of(bytes, 0, bytes.length))] - 1;
    }

    @Override
    public Object identity() {
      return this;
    }
  }
}
