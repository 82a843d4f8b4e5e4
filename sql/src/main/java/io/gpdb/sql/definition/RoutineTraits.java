package io.gpdb.sql.definition;

/**
 * What CREATE says of a routine beside its parameters and body.
 *
 * @param nullOnNull whether a function is NULL, without a look at its body, where an argument is
 * @param atomic whether a procedure's statements were written between BEGIN ATOMIC and END
 */
public record RoutineTraits(
    boolean deterministic, Access access, boolean nullOnNull, boolean atomic) {
  /** What a routine does with tables. */
  public enum Access {
    CONTAINS_SQL,
    READS_SQL_DATA,
    MODIFIES_SQL_DATA;

    /** As INFORMATION_SCHEMA writes it. */
    public String informationWords() {
      return switch (this) {
        case CONTAINS_SQL -> "CONTAINS";
        case READS_SQL_DATA -> "READS";
        case MODIFIES_SQL_DATA -> "MODIFIES";
      };
    }

    /** As SQL writes it. */
    public String words() {
      return switch (this) {
        case CONTAINS_SQL -> "CONTAINS SQL";
        case READS_SQL_DATA -> "READS SQL DATA";
        case MODIFIES_SQL_DATA -> "MODIFIES SQL DATA";
      };
    }
  }
}
