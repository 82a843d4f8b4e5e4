/** What the driver says of the database, of tables, of results and of parameters. */
@NullMarked
package io.gpdb.jdbc.metadata;

import org.jspecify.annotations.NullMarked;
