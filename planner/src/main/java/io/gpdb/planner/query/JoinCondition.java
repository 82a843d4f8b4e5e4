package io.gpdb.planner.query;

import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectExpression;
import io.gpdb.sql.direct.DirectExpression.Form;
import io.gpdb.sql.direct.DirectStatement.Selection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of the conditions that rows of several tables fulfil together, which cannot fail: so it may
 * be asked of more rows, or of fewer, than an evaluation of the whole would.
 *
 * @param tables a bit for each table that it reads
 * @param left the field that equals {@code right}, of another table; -1 if it is more than that
 */
record JoinCondition(DirectExpression holds, long tables, int left, int right) {
  private static final int TABLES_MAX = Long.SIZE;

  /** Those of a query of several tables; null where one may fail, or depends on other queries. */
  static @Nullable List<JoinCondition> of(Selection selection) {
    int tables = selection.tables().size();
    if (tables < 2 || tables > TABLES_MAX || !selection.queries().isEmpty()) {
      return null;
    }
    List<JoinCondition> conditions = new ArrayList<>();
    boolean known = selection.where() == null || add(selection, selection.where(), conditions);
    return known ? List.copyOf(conditions) : null;
  }

  /** Whether all of a conjunction were added. */
  private static boolean add(Selection selection, DirectExpression e, List<JoinCondition> all) {
    if (e.form() == Form.AND) {
      boolean added = true;
      for (DirectExpression operand : e.operands()) {
        added &= add(selection, operand, all);
      }
      return added;
    }
    if (!cannotFail(e)) {
      return false;
    }
    long tables = tables(selection, e);
    if (e.form() == Form.EQUAL && Long.bitCount(tables) == 2 && areSame(e.operands())) {
      int left = (int) e.operands().getFirst().number();
      int right = (int) e.operands().getLast().number();
      all.add(new JoinCondition(e, tables, left, right));
    } else {
      all.add(new JoinCondition(e, tables, -1, -1));
    }
    return true;
  }

  /** Whether two operands are columns whose values are equal where their bits are. */
  private static boolean areSame(List<DirectExpression> operands) {
    DirectExpression a = operands.getFirst();
    DirectExpression b = operands.getLast();
    return a.form() == Form.COLUMN
        && b.form() == Form.COLUMN
        && a.type().scale() == b.type().scale()
        && a.type().kind().isExact()
        && b.type().kind().isExact();
  }

  private static boolean cannotFail(DirectExpression e) {
    boolean cannot =
        switch (e.form()) {
          case COLUMN,
              LITERAL,
              NULL,
              PARAMETER,
              SAME,
              EQUAL,
              UNEQUAL,
              LESS,
              AT_MOST,
              GREATER,
              AT_LEAST,
              AND,
              OR,
              NOT,
              IS_NULL,
              IS_NOT_NULL,
              CASE,
              FIRST_KNOWN ->
              true;
          case OUTER_COLUMN,
              QUERY_VALUE,
              QUERY_EXISTS,
              NEGATED,
              ABSOLUTE,
              CAST,
              PLUS,
              MINUS,
              TIMES,
              DIVIDED ->
              false;
        };
    for (DirectExpression operand : e.operands()) {
      cannot &= cannotFail(operand);
    }
    return cannot;
  }

  private static long tables(Selection selection, DirectExpression e) {
    long tables = e.form() == Form.COLUMN ? 1L << table(selection, (int) e.number()) : 0;
    for (DirectExpression operand : e.operands()) {
      tables |= tables(selection, operand);
    }
    return tables;
  }

  private static int table(Selection selection, int field) {
    int first = 0;
    for (int t = 0; t < selection.tables().size(); t++) {
      TableDef table = selection.tables().get(t);
      first += table.columns().size();
      if (field < first) {
        return t;
      }
    }
    throw new IllegalArgumentException("no field " + field);
  }

  boolean isEquality() {
    return left >= 0;
  }
}
