package io.gpdb.bench.isolation;

/** Why one transaction must come before another in every serial order that explains a history. */
enum Dependency {
  /** Its append is the next but one before the other's in a list. */
  WW,
  /** The other read its append. */
  WR,
  /** It read a list before the other's append. */
  RW,
  /** It had ended when the other began. */
  TIME
}
