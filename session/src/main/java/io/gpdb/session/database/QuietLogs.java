package io.gpdb.session.database;

/** The libraries below log through SLF4J, which without a binding complains on stderr. */
public final class QuietLogs {
  private static final String SLF4J_VERBOSITY = "slf4j.internal.verbosity";

  private QuietLogs() {}

  /** Has SLF4J not complain, unless it was told something else. */
  public static void begin() {
    if (System.getProperty(SLF4J_VERBOSITY) == null) {
      System.setProperty(SLF4J_VERBOSITY, "ERROR");
    }
  }
}
