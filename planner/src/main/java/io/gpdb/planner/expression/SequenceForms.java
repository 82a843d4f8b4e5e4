package io.gpdb.planner.expression;

import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.dialect.SequenceFunction;
import io.gpdb.sql.type.UuidText;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.calcite.rex.RexCall;

/** Numbers of sequences and random UUIDs, which the host takes one by one. */
final class SequenceForms {
  private SequenceForms() {}

  static HostExpression next(HostOperands in, RexCall call) {
    SequenceDef sequence = SequenceFunction.of(call).sequence();
    return row -> row.parameters().numbers().next(sequence);
  }

  static HostExpression current(HostOperands in, RexCall call) {
    SequenceDef sequence = SequenceFunction.of(call).sequence();
    return row -> row.parameters().numbers().session().of(sequence);
  }

  static HostExpression randomUuid(HostOperands in, RexCall call) {
    return row -> UuidText.bytes(UUID.randomUUID());
  }

  static HostExpression randomShare(HostOperands in, RexCall call) {
    return row -> ThreadLocalRandom.current().nextDouble();
  }

  static HostExpression last(HostOperands in, RexCall call) {
    return row -> row.parameters().numbers().session().last();
  }
}
