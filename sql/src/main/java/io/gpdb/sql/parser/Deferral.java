package io.gpdb.sql.parser;

import io.gpdb.sql.definition.Deferrability;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** When a constraint is checked: DEFERRABLE and INITIALLY as they are written. */
public final class Deferral {
  private @Nullable Boolean deferrable;
  private @Nullable Boolean deferred;

  /** Sees DEFERRABLE or NOT DEFERRABLE. */
  public void deferrable(boolean is, SqlParserPos place) {
    require(deferrable == null, "DEFERRABLE is said twice", place);
    require(is || !isDeferred(), "INITIALLY DEFERRED is not for NOT DEFERRABLE", place);
    deferrable = is;
  }

  /** Sees INITIALLY DEFERRED or INITIALLY IMMEDIATE. */
  public void initially(boolean isDeferred, SqlParserPos place) {
    require(deferred == null, "INITIALLY is said twice", place);
    require(
        !isDeferred || !Boolean.FALSE.equals(deferrable),
        "INITIALLY DEFERRED is not for NOT DEFERRABLE",
        place);
    deferred = isDeferred;
  }

  /** INITIALLY DEFERRED implies it. */
  public boolean isDeferrable() {
    return Boolean.TRUE.equals(deferrable) || isDeferred();
  }

  public boolean isDeferred() {
    return Boolean.TRUE.equals(deferred);
  }

  public Deferrability deferrability() {
    return Deferrability.of(isDeferrable(), isDeferred());
  }

  /** Throws 0A000 where the constraint may be put off. */
  public void requireNone(String constraint, SqlParserPos place) {
    if (isDeferrable()) {
      throw ParseErrors.refused("DEFERRABLE of " + constraint, place);
    }
  }

  private static void require(boolean claim, String message, SqlParserPos place) {
    if (!claim) {
      throw new GpdbException(
          SqlCondition.SYNTAX,
          message + " at line " + place.getLineNum() + ", column " + place.getColumnNum());
    }
  }
}
