/**
 * What a catalog defines: tables, columns, constraints, indexes, sequences, views, schemas, roles,
 * domains, routines.
 */
@NullMarked
package io.gpdb.sql.definition;

import org.jspecify.annotations.NullMarked;
