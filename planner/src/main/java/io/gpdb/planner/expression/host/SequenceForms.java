package io.gpdb.planner.expression.host;

import io.gpdb.planner.expression.HostExpression;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.dialect.SequenceFunction;
import io.gpdb.sql.type.UuidText;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.calcite.rex.RexCall;

/** Numbers of sequences and random UUIDs, which the host takes one by one. */
public final class SequenceForms {
  private SequenceForms() {}

  public static HostExpression next(HostOperands in, RexCall call) {
    SequenceDef sequence = SequenceFunction.of(call).sequence();
    return row -> row.parameters().numbers().next(sequence);
  }

  public static HostExpression current(HostOperands in, RexCall call) {
    SequenceDef sequence = SequenceFunction.of(call).sequence();
    return row -> row.parameters().numbers().session().of(sequence);
  }

  public static HostExpression randomUuid(HostOperands in, RexCall call) {
    return row -> UuidText.bytes(UUID.randomUUID());
  }

  public static HostExpression randomShare(HostOperands in, RexCall call) {
    return row -> ThreadLocalRandom.current().nextDouble();
  }

  public static HostExpression last(HostOperands in, RexCall call) {
    return row -> row.parameters().numbers().session().last();
  }
}
