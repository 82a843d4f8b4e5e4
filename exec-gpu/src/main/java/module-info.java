/** Kernels and what runs them. How the emulated device does it is its own. */
module io.gpdb.exec {
  requires static transitive org.jspecify;
  requires transitive io.gpdb.storage;
  requires com.github.benmanes.caffeine;

  exports io.gpdb.exec;
  exports io.gpdb.exec.ir;
  exports io.gpdb.exec.emulated;
  exports io.gpdb.exec.cuda;
  exports io.gpdb.exec.spread;
  exports io.gpdb.exec.library.base;
  exports io.gpdb.exec.library.lane;
  exports io.gpdb.exec.library.move;
  exports io.gpdb.exec.library.change;
  exports io.gpdb.exec.library.scan;
  exports io.gpdb.exec.library.key;
  exports io.gpdb.exec.library.reduce;
  exports io.gpdb.exec.library.group;
  exports io.gpdb.exec.library.join;
  exports io.gpdb.exec.library.sort;
}
