/** What a catalog defines: tables, columns, constraints, indexes, sequences, views and schemas. */
@NullMarked
package io.gpdb.sql.definition;

import org.jspecify.annotations.NullMarked;
