package io.gpdb.sql.definition;

/**
 * How an identity column is numbered.
 *
 * @param always whether only the sequence numbers it (GENERATED ALWAYS)
 * @param sequenceId the object id of the sequence; {@link #UNNUMBERED} before the catalog has it
 */
public record IdentityDef(boolean always, int sequenceId) {
  public static final int UNNUMBERED = -1;

  public boolean isNumbered() {
    return sequenceId != UNNUMBERED;
  }

  public IdentityDef withSequenceId(int id) {
    return new IdentityDef(always, id);
  }

  public IdentityDef withAlways(boolean other) {
    return new IdentityDef(other, sequenceId);
  }
}
