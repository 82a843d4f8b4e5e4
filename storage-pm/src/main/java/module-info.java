/** Bytes that survive. What is not exported is this module's own. */
@SuppressWarnings("module") // the module that some packages are exported to is compiled later
module io.gpdb.storage {
  requires static transitive org.jspecify;
  requires chronicle.bytes;
  requires chronicle.core;
  requires jdk.management;
  requires jdk.nio.mapmode;
  requires org.slf4j;

  exports io.gpdb.storage.error;
  exports io.gpdb.storage.column;
  exports io.gpdb.storage.memory;
  exports io.gpdb.storage.medium;
  exports io.gpdb.storage.tablet;
  exports io.gpdb.storage.index;
  exports io.gpdb.storage.table;
  exports io.gpdb.storage.dictionary to
      io.gpdb.txn;
  exports io.gpdb.storage.home to
      io.gpdb.txn;
  exports io.gpdb.storage.space to
      io.gpdb.txn;
}
