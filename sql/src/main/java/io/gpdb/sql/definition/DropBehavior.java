package io.gpdb.sql.definition;

/** What a DROP does to the views that read what it drops. */
public enum DropBehavior {
  /** Neither word is written: they stay, and are invalid while what they read does not exist. */
  UNSPECIFIED,
  /** It fails. */
  RESTRICT,
  /** They are dropped, too. */
  CASCADE
}
