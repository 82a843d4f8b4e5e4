/**
 * Databases opened in this process: storage, device, transactions and planner put together, shared,
 * closed and checked.
 */
@NullMarked
package io.gpdb.session.database;

import org.jspecify.annotations.NullMarked;
