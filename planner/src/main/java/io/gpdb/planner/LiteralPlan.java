package io.gpdb.planner;

import io.gpdb.planner.statement.BatchResult;
import io.gpdb.planner.statement.KeyRequest;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.txn.Transaction;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A shared plan with a statement's own literals bound to its parameters. */
final class LiteralPlan implements Prepared {
  private static final BigDecimal REAL_INTEGERS = BigDecimal.valueOf(1L << 24);
  private static final BigDecimal DOUBLE_INTEGERS = BigDecimal.valueOf(1L << 53);

  private final Prepared shared;
  private final List<Object> literals;
  private final ParameterValues bound;

  private LiteralPlan(Prepared shared, List<Object> literals, ParameterValues bound) {
    this.shared = shared;
    this.literals = literals;
    this.bound = bound;
  }

  /**
   * The plan with the literals, or null when a parameter's type does not hold one exactly, so that
   * the literal might mean something else.
   */
  static @Nullable LiteralPlan of(Prepared shared, List<Object> literals) {
    List<ParameterDef> parameters = shared.parameters();
    if (parameters.size() != literals.size()) {
      return null;
    }
    for (int i = 0; i < literals.size(); i++) {
      if (!parameters.get(i).certain() || !isHeld(literals.get(i), parameters.get(i).type())) {
        return null;
      }
    }
    ParameterColumns columns = new ParameterColumns(parameters);
    bind(columns, literals);
    return new LiteralPlan(shared, literals, columns.current());
  }

  private static boolean isHeld(Object literal, SqlTypeSpec type) {
    if (!(literal instanceof BigDecimal number)) {
      return type.kind() == SqlTypeSpec.Kind.VARCHAR;
    }
    boolean whole = number.scale() == 0;
    return switch (type.kind()) {
      case TINYINT -> whole && fits(number, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> whole && fits(number, Short.MIN_VALUE, Short.MAX_VALUE);
      case INTEGER -> whole && fits(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> whole && fits(number, Long.MIN_VALUE, Long.MAX_VALUE);
      case REAL -> whole && number.abs().compareTo(REAL_INTEGERS) <= 0;
      case DOUBLE -> whole && number.abs().compareTo(DOUBLE_INTEGERS) <= 0;
      case DECIMAL, WIDE_DECIMAL ->
          number.scale() <= type.scale()
              && number.precision() - number.scale() <= type.precision() - type.scale();
      case BOOLEAN,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_TZ,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          CHAR,
          VARCHAR,
          VARBINARY,
          UUID ->
          false;
    };
  }

  private static boolean fits(BigDecimal number, long least, long greatest) {
    return number.compareTo(BigDecimal.valueOf(least)) >= 0
        && number.compareTo(BigDecimal.valueOf(greatest)) <= 0;
  }

  private static void bind(ParameterColumns columns, List<Object> literals) {
    for (int i = 0; i < literals.size(); i++) {
      switch (literals.get(i)) {
        case BigDecimal number when number.scale() == 0 ->
            columns.setLong(i, number.longValueExact());
        case BigDecimal number -> columns.setDecimal(i, number);
        case Object text -> columns.setString(i, (String) text);
      }
    }
  }

  @Override
  public StatementKind kind() {
    return shared.kind();
  }

  @Override
  public List<ParameterDef> parameters() {
    return List.of();
  }

  @Override
  public List<OutputColumn> columns() {
    return shared.columns();
  }

  @Override
  public Analyzed analyzed() {
    return shared.analyzed();
  }

  @Override
  public Result execute(Transaction tx, ParameterValues parameters) {
    return shared.execute(tx, bound);
  }

  @Override
  public Result execute(Transaction tx, ParameterValues parameters, KeyRequest keys) {
    return shared.execute(tx, bound, keys);
  }

  @Override
  public long[] executeBatch(Transaction tx, ParameterColumns batch) {
    return shared.executeBatch(tx, bound(batch));
  }

  @Override
  public BatchResult executeBatch(Transaction tx, ParameterColumns batch, KeyRequest keys) {
    return shared.executeBatch(tx, bound(batch), keys);
  }

  /** The literals for each row of a batch without parameters. */
  private ParameterColumns bound(ParameterColumns batch) {
    ParameterColumns rows = new ParameterColumns(shared.parameters());
    bind(rows, literals);
    for (int i = 0; i < batch.rows(); i++) {
      rows.addRow();
    }
    return rows;
  }
}
