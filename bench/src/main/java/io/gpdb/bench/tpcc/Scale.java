package io.gpdb.bench.tpcc;

/** How many rows there are. The specification has 100 000 items and 3000 customers and orders. */
record Scale(int warehouses, int items, int customers) {
  /** Districts of a warehouse. */
  static final int DISTRICTS = 10;

  static Scale full(int warehouses) {
    return new Scale(warehouses, 100_000, 3_000);
  }

  /** The newest orders of a district, which are not delivered yet. */
  int firstNewOrder() {
    return customers * 7 / 10 + 1;
  }
}
