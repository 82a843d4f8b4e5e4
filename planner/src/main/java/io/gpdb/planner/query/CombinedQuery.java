package io.gpdb.planner.query;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.direct.DirectStatement.Combined;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.txn.Transaction;
import org.jspecify.annotations.Nullable;

/** UNION, EXCEPT or INTERSECT of two queries over few rows. */
final class CombinedQuery implements FewRowsQuery {
  private final Combined combined;
  private final FewRowsQuery left;
  private final FewRowsQuery right;

  CombinedQuery(Combined combined) {
    this.combined = combined;
    left = FewRowsQuery.of(combined.left());
    right = FewRowsQuery.of(combined.right());
  }

  @Override
  public boolean fits(Transaction tx, long rowsMax) {
    return left.fits(tx, rowsMax) && right.fits(tx, rowsMax);
  }

  @Override
  public boolean mayUseIndex() {
    return left.mayUseIndex() || right.mayUseIndex();
  }

  @Override
  public @Nullable RowSet run(Transaction tx, ParameterValues parameters) {
    ComputedRows rows = rows(tx, parameters);
    return rows == null
        ? null
        : rows.between(0, Long.MAX_VALUE, new @Nullable CodedStrings[combined.output().size()]);
  }

  @Override
  public @Nullable ComputedRows rows(Transaction tx, ParameterValues parameters) {
    ComputedRows rows = left.rows(tx, parameters);
    ComputedRows others = rows == null ? null : right.rows(tx, parameters);
    if (rows == null || others == null) {
      return null;
    }
    switch (combined.operator()) {
      case UNION -> rows.addAll(others);
      case EXCEPT -> rows.keep(others, false, combined.all());
      case INTERSECT -> rows.keep(others, true, combined.all());
    }
    if (!combined.all()) {
      rows.leaveOutRepeated();
    }
    return rows;
  }
}
