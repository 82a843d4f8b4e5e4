package io.gpdb.planner.run.join;

import io.gpdb.exec.library.join.GridHashJoin;
import io.gpdb.exec.library.join.KeyFilter;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.tablet.Tablet;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * By which key of a join the scan of the streamed side leaves out rows, because no kept row has it:
 * they are neither filtered nor packed nor looked up.
 *
 * @param field of the streamed side
 */
record ProbeFilter(int field, KeyFilter keys) {
  /** Below that kernels look the rows up in no time. */
  private static final long STREAMED_ROWS_MIN = 4L * Tablet.ROWS;

  /**
   * The filter for some kept rows; null where there is none, or none is expected to pay. Where the
   * host joins no rows whatever they are, which is so in tests, there is one if there can be. What
   * is measured has none: the rows of each operator are compared with those that were expected.
   */
  static @Nullable ProbeFilter of(JoinRun run, DenseBatch held) {
    JoinArm arm = run.arm();
    boolean always = run.hostRowsMax() == 0;
    boolean needsPairs =
        arm.kind() == GridHashJoin.Kind.INNER || arm.kind() == GridHashJoin.Kind.SEMI;
    if (!needsPairs
        || !arm.isOnHost()
        || run.x().measures() != null
        || (!always && !isForMany(held.rows(), arm.probed.source().estimatedRows(run.x())))
        || hasFloats(arm.built, run.builtFields())
        || hasFloats(arm.probed, run.probedFields())) {
      return null;
    }
    for (int key = 0; key < arm.built.keys().size(); key++) {
      if (arm.built.isField(key) && arm.probed.isField(key) && areComparable(arm, key)) {
        KeyFilter keys = keys(arm, key, held);
        if (keys != null && (always || !keys.isDense())) {
          return new ProbeFilter(arm.probed.keyField(key), keys);
        }
      }
    }
    return null;
  }

  private static boolean isForMany(long kept, double streamed) {
    return streamed >= STREAMED_ROWS_MIN && kept <= streamed / 2;
  }

  /** The order in which floats are added up follows the places of the rows that are left. */
  private static boolean hasFloats(JoinArm.Side side, BitSet fields) {
    List<SourceColumn> columns = side.source().columns();
    return fields.stream().anyMatch(field -> columns.get(field).type().element().isFloat());
  }

  private static boolean areComparable(JoinArm arm, int key) {
    SqlTypeSpec built = arm.built.keyType(key);
    SqlTypeSpec probed = arm.probed.keyType(key);
    ElementType element = built.element();
    return (element == ElementType.I32 || element == ElementType.I64)
        && built.kind() == probed.kind()
        && built.scale() == probed.scale();
  }

  private static @Nullable KeyFilter keys(JoinArm arm, int key, DenseBatch held) {
    int built = arm.built.keyField(key);
    return KeyFilter.of(
        arm.device(),
        arm.built.keyType(key).element(),
        new KeyFilter.Column(held.hostValues(built), held.hostValidity(built), held.rows()));
  }
}
