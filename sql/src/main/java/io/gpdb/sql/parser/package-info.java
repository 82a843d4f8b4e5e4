/** Nodes of the statements that gpDB's grammar adds to Calcite's. */
@NullMarked
package io.gpdb.sql.parser;

import org.jspecify.annotations.NullMarked;
