/** Statements made from the grammar of gpDB's SQL, and what must never come of one. */
@org.jspecify.annotations.NullMarked
package io.gpdb.bench.grammar;
