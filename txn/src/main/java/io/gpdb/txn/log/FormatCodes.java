package io.gpdb.txn.log;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;

/** Numbers in log records for enumerations of other modules; part of the file format. */
public final class FormatCodes {
  private FormatCodes() {}

  public static int of(ChunkKind kind) {
    return switch (kind) {
      case VALUES -> 1;
      case VALIDITY -> 2;
      case LIVE -> 3;
    };
  }

  public static ChunkKind chunkKind(int code) {
    return switch (code) {
      case 1 -> ChunkKind.VALUES;
      case 2 -> ChunkKind.VALIDITY;
      case 3 -> ChunkKind.LIVE;
      default -> throw unknown("chunk kind", code);
    };
  }

  public static int of(Element element) {
    return switch (element) {
      case I8 -> 1;
      case I16 -> 2;
      case I32 -> 3;
      case I64 -> 4;
      case F32 -> 5;
      case F64 -> 6;
    };
  }

  public static Element element(int code) {
    return switch (code) {
      case 1 -> Element.I8;
      case 2 -> Element.I16;
      case 3 -> Element.I32;
      case 4 -> Element.I64;
      case 5 -> Element.F32;
      case 6 -> Element.F64;
      default -> throw unknown("element", code);
    };
  }

  private static GpdbException unknown(String what, int code) {
    return new GpdbException(ErrorCode.CORRUPTION, "unknown " + what + " in a log: code=" + code);
  }
}
