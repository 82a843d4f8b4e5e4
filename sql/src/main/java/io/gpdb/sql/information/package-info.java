/** The rows of INFORMATION_SCHEMA, computed from a snapshot of the catalog. */
@NullMarked
package io.gpdb.sql.information;

import org.jspecify.annotations.NullMarked;
