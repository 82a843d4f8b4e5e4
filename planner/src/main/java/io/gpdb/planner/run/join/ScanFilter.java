package io.gpdb.planner.run.join;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.join.GridHashJoin;
import io.gpdb.exec.library.join.KeyFilter;
import io.gpdb.exec.library.scan.PassingRows;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.tablet.Tablet;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * By which key of a join the scan of one side leaves out rows, because no row of the other has it:
 * they are neither filtered nor packed nor looked up nor kept.
 *
 * @param field of the side that is scanned
 */
record ScanFilter(int field, KeyFilter keys) {
  /** Of fewer rows kernels make short work. */
  private static final long ROWS_MIN = 4L * Tablet.ROWS;

  /** The filter of the streamed rows for some kept ones; null where there is none. */
  static @Nullable ScanFilter of(JoinRun run, DenseBatch kept) {
    JoinArm arm = run.arm();
    boolean needsPairs =
        arm.kind() == GridHashJoin.Kind.INNER || arm.kind() == GridHashJoin.Kind.SEMI;
    return needsPairs && isWanted(run, kept.rows(), arm.probed.source().estimatedRows(run.x()))
        ? of(run, arm.built, kept, arm.probed)
        : null;
  }

  /** The filter of the kept rows for all that will stream past them; null where there is none. */
  static @Nullable ScanFilter ofKept(JoinRun run, DenseBatch streamed) {
    return of(run, run.arm().probed, streamed, run.arm().built);
  }

  /**
   * Whether a filter is expected to pay, and changes no result. Where the host joins no rows
   * whatever they are, which is so in tests, there is one if there can be. What is measured has
   * none: the rows of each operator are compared with those that were expected.
   *
   * @param few how many rows one side has, about
   * @param many how many the scanned one has
   */
  static boolean isWanted(JoinRun run, double few, double many) {
    return run.arm().isOnHost()
        && run.x().measures() == null
        && (run.hostRowsMax() == 0 || isForMany(few, many))
        && !hasFloats(run.arm().built, run.builtFields())
        && !hasFloats(run.arm().probed, run.probedFields());
  }

  private static boolean isForMany(double few, double many) {
    return many >= ROWS_MIN && few <= many / 2;
  }

  /**
   * @param known some rows of a side
   * @param scanned the other side
   */
  private static @Nullable ScanFilter of(
      JoinRun run, JoinArm.Side side, DenseBatch known, JoinArm.Side scanned) {
    for (int key = 0; key < side.keys().size(); key++) {
      if (side.isField(key) && scanned.isField(key) && areComparable(side, scanned, key)) {
        KeyFilter keys = keys(run.arm().device(), side, key, known);
        if (keys != null && (run.hostRowsMax() == 0 || !keys.isDense())) {
          return new ScanFilter(scanned.keyField(key), keys);
        }
      }
    }
    return null;
  }

  /** The order in which floats are added up follows the places of the rows that are left. */
  private static boolean hasFloats(JoinArm.Side side, BitSet fields) {
    List<SourceColumn> columns = side.source().columns();
    return fields.stream().anyMatch(field -> columns.get(field).type().element().isFloat());
  }

  private static boolean areComparable(JoinArm.Side side, JoinArm.Side other, int key) {
    SqlTypeSpec type = side.keyType(key);
    SqlTypeSpec otherType = other.keyType(key);
    ElementType element = type.element();
    return (element == ElementType.I32 || element == ElementType.I64)
        && type.kind() == otherType.kind()
        && type.scale() == otherType.scale();
  }

  private static @Nullable KeyFilter keys(
      Device device, JoinArm.Side side, int key, DenseBatch rows) {
    int field = side.keyField(key);
    return KeyFilter.of(
        device,
        side.keyType(key).element(),
        new PassingRows.Column(rows.hostValues(field), rows.hostValidity(field), rows.rows()));
  }
}
