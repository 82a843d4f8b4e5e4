package io.gpdb.txn.api;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.storage.column.ElementType;
import java.lang.foreign.MemorySegment;

/** Single values of columns as raw bits: sign-extended, F32 in the low 32 bits. */
public final class RawValues {
  private RawValues() {}

  public static long get(ElementType type, MemorySegment values, long index) {
    return switch (type) {
      case I8 -> values.get(JAVA_BYTE, index);
      case I16 -> values.getAtIndex(JAVA_SHORT, index);
      case I32, CODE, F32 -> values.getAtIndex(JAVA_INT, index);
      case I64, F64 -> values.getAtIndex(JAVA_LONG, index);
    };
  }

  public static void put(ElementType type, MemorySegment values, long index, long raw) {
    switch (type) {
      case I8 -> values.set(JAVA_BYTE, index, (byte) raw);
      case I16 -> values.setAtIndex(JAVA_SHORT, index, (short) raw);
      case I32, CODE, F32 -> values.setAtIndex(JAVA_INT, index, (int) raw);
      case I64, F64 -> values.setAtIndex(JAVA_LONG, index, raw);
    }
  }

  /** How kernels load and store the values of a column. */
  public static Element element(ElementType type) {
    return switch (type) {
      case I8 -> Element.I8;
      case I16 -> Element.I16;
      case I32, CODE -> Element.I32;
      case I64 -> Element.I64;
      case F32 -> Element.F32;
      case F64 -> Element.F64;
    };
  }

  /** {@code target[at(i)] = source[i]} where at(i) is {@code rows[i]}. */
  public static void scatter(
      ElementType type, MemorySegment source, MemorySegment rows, int n, MemorySegment target) {
    switch (type.bytes()) {
      case 1 -> {
        for (int i = 0; i < n; i++) {
          target.set(JAVA_BYTE, rows.getAtIndex(JAVA_INT, i), source.get(JAVA_BYTE, i));
        }
      }
      case 2 -> {
        for (int i = 0; i < n; i++) {
          target.setAtIndex(
              JAVA_SHORT, rows.getAtIndex(JAVA_INT, i), source.getAtIndex(JAVA_SHORT, i));
        }
      }
      case 4 -> {
        for (int i = 0; i < n; i++) {
          target.setAtIndex(JAVA_INT, rows.getAtIndex(JAVA_INT, i), source.getAtIndex(JAVA_INT, i));
        }
      }
      default -> {
        for (int i = 0; i < n; i++) {
          target.setAtIndex(
              JAVA_LONG, rows.getAtIndex(JAVA_INT, i), source.getAtIndex(JAVA_LONG, i));
        }
      }
    }
  }
}
