package io.gpdb.session.database;

/** The libraries below log through SLF4J, which without a binding complains on stderr. */
public final class QuietLogs {
  private static final String SLF4J_VERBOSITY = "slf4j.internal.verbosity";

  private QuietLogs() {}

  /** Keeps SLF4J from complaining, unless it is configured otherwise. */
  public static void begin() {
    if (System.getProperty(SLF4J_VERBOSITY) == null) {
      System.setProperty(SLF4J_VERBOSITY, "ERROR");
    }
  }
}
