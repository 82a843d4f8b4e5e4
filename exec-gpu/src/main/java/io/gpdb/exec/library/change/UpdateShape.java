package io.gpdb.exec.library.change;

import io.gpdb.exec.ir.Kernel.Element;
import java.util.Locale;

/**
 * Which of the variants of {@link GridApplyUpdate}'s kernel.
 *
 * @param element of the column
 * @param columnValidity the column has a validity bitmap
 * @param newValidity the new values have one
 * @param capture old values go to an undo buffer
 * @param logged whether the new values are logged
 * @param conventional the log is a {@link ConventionalLog}; otherwise hierarchical coalesced
 */
record UpdateShape(
    Element element,
    boolean columnValidity,
    boolean newValidity,
    boolean capture,
    boolean logged,
    boolean conventional) {

  UpdateShape {
    if (newValidity && !columnValidity) {
      throw new IllegalArgumentException(
          "new values have a validity bitmap, the column has none: make it first");
    }
  }

  String kernelName() {
    StringBuilder name =
        new StringBuilder("apply_update_").append(element.name().toLowerCase(Locale.ROOT));
    if (columnValidity) {
      name.append("_nullable");
    }
    if (newValidity) {
      name.append("_nulls");
    }
    if (capture) {
      name.append("_capture");
    }
    if (logged) {
      name.append("_lognew");
    }
    if (conventional) {
      name.append("_locked");
    }
    return name.append("_store").toString();
  }
}
