package io.gpdb.sql.parser;

import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.jspecify.annotations.Nullable;

/**
 * FOR UPDATE or FOR SHARE behind a query.
 *
 * @param of the tables whose rows are locked; null for all
 * @param skip whether rows that others have locked are left out
 * @param waits for how many seconds it waits at most; null for the session's lock timeout
 */
public record LockClause(
    boolean update, @Nullable List<SqlIdentifier> of, boolean skip, @Nullable SqlNode waits) {}
