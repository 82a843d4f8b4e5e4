package io.gpdb.bench.tpch;

/**
 * How many rows the tables have.
 *
 * @param factor TPC-H's scale factor: 1 has about six million line items
 */
record TpchScale(double factor) {
  static final int SUPPLIERS_OF_A_PART = 4;
  static final int LINES_OF_AN_ORDER_MAX = 7;

  int suppliers() {
    return rows(10_000);
  }

  int parts() {
    return rows(200_000);
  }

  int customers() {
    return rows(150_000);
  }

  int orders() {
    return rows(1_500_000);
  }

  private int rows(int ofOne) {
    return Math.max(SUPPLIERS_OF_A_PART, (int) Math.round(ofOne * factor));
  }

  /** Keys of orders have gaps: eight in use, then 24 that are not. */
  static long orderKey(int order) {
    return (((long) (order >> 3) << 5) | (order & 7)) + 1;
  }
}
