package io.gpdb.exec.library.sort;

import io.gpdb.exec.library.lane.LaneProgram;

/**
 * One key of an order.
 *
 * @param program computes the key; predicates order false before true, floats by total order
 * @param nullsFirst where NULLs go, whatever the direction
 */
public record SortKey(LaneProgram program, boolean descending, boolean nullsFirst) {}
