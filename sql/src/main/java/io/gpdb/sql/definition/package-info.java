/**
 * What a catalog defines: tables, columns, constraints, indexes, sequences, views, schemas, roles,
 * domains.
 */
@NullMarked
package io.gpdb.sql.definition;

import org.jspecify.annotations.NullMarked;
