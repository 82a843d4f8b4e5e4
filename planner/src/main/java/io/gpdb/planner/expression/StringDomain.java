package io.gpdb.planner.expression;

import io.gpdb.storage.column.CodedStrings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  /** Strings collected while a plan runs. Not thread-safe while it grows. */
  final class Made implements StringDomain {
    private final List<byte[]> strings = new ArrayList<>();
    private final Map<String, Integer> codes = new HashMap<>();

    public int intern(byte[] bytes) {
      // Latin-1 maps every byte to one char, so it is exact for binary strings too.
      String key = new String(bytes, StandardCharsets.ISO_8859_1);
      Integer known = codes.putIfAbsent(key, strings.size());
      if (known != null) {
        return known;
      }
      strings.add(bytes);
      return strings.size() - 1;
    }

    @Override
    public int size() {
      return strings.size();
    }

    @Override
    public byte[] bytes(int code) {
      return strings.get(code);
    }

    @Override
    public String string(int code) {
      return new String(strings.get(code), StandardCharsets.UTF_8);
    }

    @Override
    public int find(byte[] bytes) {
      Integer code = codes.get(new String(bytes, StandardCharsets.ISO_8859_1));
      return code == null ? -1 : code;
    }

    @Override
    public Object identity() {
      return this;
    }
  }
}
