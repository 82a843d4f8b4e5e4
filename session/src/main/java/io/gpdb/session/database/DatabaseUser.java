package io.gpdb.session.database;

import org.jspecify.annotations.Nullable;

/** Who works with an open database, and is kept from it while it is opened on another device. */
public interface DatabaseUser {
  /** Keeps it from working until it is let go; false where it works now. */
  boolean hold();

  /** By the thread that holds it. */
  void letGo();

  /** What it has that needs the database as it is now; null where there is nothing. */
  @Nullable String inUse();
}
