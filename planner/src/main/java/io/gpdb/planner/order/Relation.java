package io.gpdb.planner.order;

/**
 * An input of joins.
 *
 * @param rows that come of it
 * @param stored rows of its table, all of which a scan reads; as {@code rows} where it is none
 * @param driven whether its conditions let an index lead to its rows
 * @param lookedUp bit sets of the relations of which one value finds its rows by an index
 */
public record Relation(double rows, double stored, boolean driven, long lookedUp) {
  /** An input of which no more is known. */
  public static Relation of(double rows) {
    return new Relation(rows, rows, false, 0);
  }
}
