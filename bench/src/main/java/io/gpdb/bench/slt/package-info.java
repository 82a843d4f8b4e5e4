/** Scripts of sqllogictest: read, run over JDBC, and compared with what they expect. */
@org.jspecify.annotations.NullMarked
package io.gpdb.bench.slt;
