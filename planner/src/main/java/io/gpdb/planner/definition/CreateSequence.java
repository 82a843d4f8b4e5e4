package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.sql.definition.SequenceDef;
import java.util.List;

/** CREATE SEQUENCE. */
public final class CreateSequence implements Change {
  private final SequenceDef definition;
  private final boolean ifNotExists;

  public CreateSequence(SequenceDef definition, boolean ifNotExists) {
    this.definition = definition;
    this.ifNotExists = ifNotExists;
  }

  @Override
  public long apply(Execution x) {
    if (!ifNotExists || x.catalog().sequence(definition.fullName()) == null) {
      x.catalogs().createSequence(x.transaction(), definition);
    }
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of("create sequence " + definition.fullName() + " [catalog]");
  }
}
