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
 * @param logged what the log gets
 * @param conventional the log is a {@link ConventionalLog}; otherwise hierarchical coalesced
 * @param store the new values go to the column
 * @param persist column and log are persistent memory and are durable when the launch returns
 */
record UpdateShape(
    Element element,
    boolean columnValidity,
    boolean newValidity,
    boolean capture,
    Logged logged,
    boolean conventional,
    boolean store,
    boolean persist) {

  UpdateShape {
    if (newValidity && store && !columnValidity) {
      throw new IllegalArgumentException(
          "new values have a validity bitmap, the column has none: make it first");
    }
  }

  enum Logged {
    NOTHING,
    NEW_VALUE,
    OLD_VALUE
  }

  boolean readsOld() {
    return capture || logged == Logged.OLD_VALUE;
  }

  boolean readsNew() {
    return store || logged == Logged.NEW_VALUE;
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
    switch (logged) {
      case NOTHING -> {}
      case NEW_VALUE -> name.append("_lognew");
      case OLD_VALUE -> name.append("_logold");
    }
    if (conventional) {
      name.append("_locked");
    }
    if (store) {
      name.append("_store");
    }
    if (persist) {
      name.append("_persist");
    }
    return name.toString();
  }
}
