/** Transactions. Of how they are made durable, seen and taken back, nothing is exported. */
module io.gpdb.txn {
  requires static transitive org.jspecify;
  requires transitive io.gpdb.exec;
  requires org.slf4j;

  exports io.gpdb.txn;
  exports io.gpdb.txn.api;
}
