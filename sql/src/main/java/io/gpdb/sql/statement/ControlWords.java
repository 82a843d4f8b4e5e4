package io.gpdb.sql.statement;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Recognises the shortest transaction statements without loading the parser. */
public final class ControlWords {
  private static final int LENGTH_MAX = 20;

  private ControlWords() {}

  public static @Nullable Analyzed statement(String sql) {
    if (sql.length() > LENGTH_MAX) {
      return null;
    }
    String words = sql.strip().toUpperCase(Locale.ROOT);
    String plain = words.endsWith(";") ? words.substring(0, words.length() - 1).strip() : words;
    return switch (plain) {
      case "BEGIN", "START TRANSACTION" -> new Analyzed.Begin(null, null);
      case "COMMIT" -> new Analyzed.Commit(false);
      case "ROLLBACK" -> new Analyzed.Rollback(false);
      case "CHECKPOINT" -> new Analyzed.Checkpoint();
      default -> null;
    };
  }
}
