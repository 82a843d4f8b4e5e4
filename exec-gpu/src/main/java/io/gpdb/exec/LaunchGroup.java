package io.gpdb.exec;

/**
 * One group of a grouped launch: {@code blocks} blocks with bindings of their own. Inside of the
 * group a kernel sees a grid of its own: positions, block numbers and the grid's size count from
 * the group's first block.
 */
public record LaunchGroup(int blocks, Arguments arguments) {}
