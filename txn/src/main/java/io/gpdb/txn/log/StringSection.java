package io.gpdb.txn.log;

import static io.gpdb.storage.dictionary.Dictionary.MAX_LENGTH_BYTES;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What happened to the strings of a column. */
public sealed interface StringSection extends Section {
  /**
   * Events of the dictionary of a column, from one number on: codes that got a string or were
   * freed.
   *
   * @param encoded n times | i32 code | i32 length, -1 where it was freed | bytes |
   */
  record Strings(int tableId, int column, long firstEvent, int n, MemorySegment encoded)
      implements StringSection {
    private static final int FREED = -1;
    private static final long EVENT_BYTES = 2 * Integer.BYTES;

    /** What happened to a code. */
    @FunctionalInterface
    public interface Event {
      /** With the bytes of the string; null where the code was freed. */
      void happened(long number, int code, @Nullable MemorySegment string);
    }

    @Override
    public SectionKind kind() {
      return SectionKind.STRINGS;
    }

    /**
     * Writes events from that number on.
     *
     * @param codes of the first n events
     * @param strings of the first n events; null where the code was freed
     */
    public static void write(
        SectionSink sink,
        int tableId,
        int column,
        long firstEvent,
        int n,
        int[] codes,
        byte[] @Nullable [] strings) {
      long bytes = 0;
      for (int i = 0; i < n; i++) {
        bytes += bytes(strings[i]);
      }
      MemorySegment encoded =
          new SectionHeader(
                  SectionKind.STRINGS, 0, tableId, SectionHeader.NONE, n, column, firstEvent)
              .begin(sink, bytes);
      long at = 0;
      for (int i = 0; i < n; i++) {
        byte[] string = strings[i];
        encoded.set(JAVA_INT_UNALIGNED, at, codes[i]);
        int length = string == null ? FREED : string.length;
        encoded.set(JAVA_INT_UNALIGNED, at + Integer.BYTES, length);
        if (string != null) {
          MemorySegment.copy(string, 0, encoded, JAVA_BYTE, at + EVENT_BYTES, length);
        }
        at += bytes(string);
      }
    }

    /** What an event takes. */
    public static long bytes(byte @Nullable [] string) {
      return EVENT_BYTES + (string == null ? 0 : string.length);
    }

    static Strings read(SectionHeader header, MemorySegment payload) {
      if (header.extra() < 0) {
        throw header.damaged("no events of a dictionary");
      }
      long at = 0;
      for (int i = 0; i < header.n(); i++) {
        header.require(at + EVENT_BYTES, payload);
        int length = payload.get(JAVA_INT_UNALIGNED, at + Integer.BYTES);
        at += EVENT_BYTES;
        if (length != FREED) {
          Dictionary.requireLength(header, length);
          at += length;
        }
        header.require(at, payload);
      }
      return new Strings(header.tableId(), header.column(), header.extra(), header.n(), payload);
    }

    public void forEach(Event event) {
      long at = 0;
      for (int i = 0; i < n; i++) {
        int code = encoded.get(JAVA_INT_UNALIGNED, at);
        int length = encoded.get(JAVA_INT_UNALIGNED, at + Integer.BYTES);
        at += EVENT_BYTES;
        MemorySegment string = length == FREED ? null : encoded.asSlice(at, length);
        event.happened(firstEvent + i, code, string);
        at += string == null ? 0 : length;
      }
    }
  }

  /**
   * Strings of a column, from one code on, as earlier versions wrote them; read only.
   *
   * @param encoded n times | i32 length | bytes |
   */
  record Dictionary(int tableId, int column, int firstCode, int n, MemorySegment encoded)
      implements StringSection {
    /** Takes strings one after the other. */
    @FunctionalInterface
    public interface Entry {
      void string(int code, MemorySegment bytes);
    }

    @Override
    public SectionKind kind() {
      return SectionKind.DICTIONARY;
    }

    static Dictionary read(SectionHeader header, MemorySegment payload) {
      if (header.extra() < 0 || header.extra() > Integer.MAX_VALUE - header.n()) {
        throw header.damaged("codes out of range");
      }
      long at = 0;
      for (int i = 0; i < header.n(); i++) {
        header.require(at + Integer.BYTES, payload);
        int length = payload.get(JAVA_INT_UNALIGNED, at);
        requireLength(header, length);
        at += Integer.BYTES + (long) length;
        header.require(at, payload);
      }
      return new Dictionary(
          header.tableId(), header.column(), (int) header.extra(), header.n(), payload);
    }

    static void requireLength(SectionHeader header, int length) {
      if (length < 0 || length > MAX_LENGTH_BYTES) {
        throw header.damaged("string of %d bytes".formatted(length));
      }
    }

    public void forEach(Entry entry) {
      long at = 0;
      for (int i = 0; i < n; i++) {
        int length = encoded.get(JAVA_INT_UNALIGNED, at);
        at += Integer.BYTES;
        entry.string(firstCode + i, encoded.asSlice(at, length));
        at += length;
      }
    }
  }
}
