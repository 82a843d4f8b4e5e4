package io.gpdb.exec.library.lane;

/**
 * An expression over one row, written into a kernel by its owner (the planner).
 *
 * <p>{@code emit} is called more than once, each time with another {@link Lane}: it must write the
 * same operations every time and keep no register from an earlier call. It is in control flow that
 * only live rows reach (behind a filter: only rows that passed it), so a {@link Lane#trap} under
 * {@code ifThen} is as lazy as SQL's CASE. It uses no collective operation, stores nothing, and
 * changes no register but its own. A program without a trap, an integer division, a table look-up
 * or control flow may also be run for rows whose result is then thrown away.
 */
@FunctionalInterface
public interface LaneProgram {
  LaneValue emit(Lane lane);
}
