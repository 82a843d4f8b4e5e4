package io.gpdb.bench.crash;

/**
 * A state in which the database is not what it promised.
 *
 * @param place the act before which the power failed
 */
record Violation(Setting setting, StatePath path, Fault fault, String place, String message) {
  /** What was broken. */
  enum Fault {
    OPENING("the database does not open"),
    CONTENTS("neither the acknowledged transactions nor those and the one being committed"),
    TORN_ROW("a row contradicts itself, or its index does"),
    CHECK("the verifier finds damage"),
    GOES_ON("the recovered database does not take another transaction"),
    RECOVERY("a crash during recovery changes what is recovered");

    private final String text;

    Fault(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  @Override
  public String toString() {
    return "%s: %s%n  crash before %s%n  replay: ./gpdb bench crash --replay %s --state %s"
        .formatted(fault.text(), message, place, setting, path);
  }
}
