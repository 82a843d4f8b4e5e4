package io.gpdb.planner.change;

import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.definition.SequenceDef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** ALTER SEQUENCE and DROP SEQUENCE. */
public final class ChangeSequence implements Change {
  private final @Nullable SequenceDef sequence;
  private final boolean drop;

  /**
   * @param sequence as it is to be, or as it is dropped; null where there is nothing to do
   */
  public ChangeSequence(@Nullable SequenceDef sequence, boolean drop) {
    this.sequence = sequence;
    this.drop = drop;
  }

  @Override
  public long apply(Execution x) {
    if (sequence != null && drop) {
      x.catalogs().dropSequence(x.transaction(), sequence);
    } else if (sequence != null) {
      x.catalogs().redefineSequence(x.transaction(), sequence);
    }
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    String name = sequence == null ? "nothing" : "sequence " + sequence.name();
    return List.of((drop ? "drop " : "alter ") + name + " [catalog]");
  }
}
