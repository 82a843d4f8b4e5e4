package io.gpdb.sql;

import io.gpdb.sql.analysis.DescribedView;
import io.gpdb.sql.analysis.StatementAnalysis;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.CheckCondition;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.ControlWords;
import io.gpdb.sql.statement.GeneratedColumn;
import io.gpdb.sql.syntax.SequenceCalls;
import io.gpdb.sql.text.ErrorTranslation;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.text.StatementSplitter;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.jspecify.annotations.Nullable;

/** Turns the text of a statement into an {@link Analyzed}; safe for use by several threads. */
public final class SqlFrontEnd {
  /**
   * Parses and validates one statement. {@code parameterTypes}, where there are any, are the types
   * of the bound values and decide the types of parameters outside of VALUES and SET, which keep
   * the types of their columns.
   */
  public Analyzed analyze(
      String sql, CatalogSnapshot catalog, @Nullable List<SqlTypeSpec> parameterTypes) {
    return analyze(sql, catalog, parameterTypes, List.of());
  }

  /**
   * As {@link #analyze(String, CatalogSnapshot, List)}, where {@code fits} says how the bound
   * values fit the types of their parameters; it is empty where all types can represent them.
   */
  public Analyzed analyze(
      String sql,
      CatalogSnapshot catalog,
      @Nullable List<SqlTypeSpec> parameterTypes,
      List<ParameterFit> fits) {
    Analyzed quick = ControlWords.statement(sql);
    if (quick != null) {
      return quick;
    }
    SqlText text = new SqlText(sql);
    GpdbException first = null;
    for (SqlTypeSpec unknown : ParameterGuesses.ATTEMPTS) {
      SqlNode parsed = parse(text, catalog);
      ParameterGuesses guesses = new ParameterGuesses(unknown);
      try {
        return new StatementAnalysis(text, catalog, parameterTypes, fits, guesses).analyze(parsed);
      } catch (Exception | StackOverflowError | AssertionError | LinkageError e) {
        first = first == null ? new ErrorTranslation(text, catalog).translate(e) : first;
        if (!guesses.hasGuessed()) {
          break;
        }
      }
    }
    throw DescribedView.named(java.util.Objects.requireNonNull(first), text, catalog);
  }

  /** The view with the types that its query has now; null where it cannot be read. */
  public static @Nullable ViewDef described(ViewDef view, CatalogSnapshot catalog) {
    return DescribedView.of(view, catalog);
  }

  /** The query, whose values are assigned to columns of the table. */
  public Analyzed.Query assigned(Analyzed.Query query, TableDef table, int[] columns) {
    return StatementAnalysis.assigned(query, table, columns);
  }

  /** A row of the defaults of the table's columns; null where no column has one. */
  public Analyzed.@Nullable Insert defaults(TableDef table, CatalogSnapshot catalog) {
    return StatementAnalysis.defaults(table, catalog);
  }

  /**
   * The UPDATE of all rows that computes the generated columns of what some columns have; null
   * where none is computed of these.
   */
  public static Analyzed.@Nullable Update recomputation(TableDef table, int[] columns) {
    return StatementAnalysis.recomputation(table, columns);
  }

  /** A query for the ids of the rows of the table that make the CHECK's condition FALSE. */
  public RelNode violations(TableDef table, CheckDef check) {
    return CheckCondition.violations(table, check);
  }

  private static SqlNode parse(SqlText text, CatalogSnapshot catalog) {
    try {
      return text.statement();
    } catch (SqlParseException | RuntimeException | StackOverflowError e) {
      throw new ErrorTranslation(text, catalog).translate(e);
    }
  }

  /** The generated columns of a table with their values over its row. */
  public static List<GeneratedColumn> generated(TableDef table) {
    return StatementAnalysis.generated(table);
  }

  /** Whether the text of a DEFAULT has another value for each row, from a sequence or at random. */
  public static boolean asksSequence(String defaultSql) {
    try {
      SqlNode expression = SqlText.expression(defaultSql);
      return !SequenceCalls.sequences(expression).isEmpty() || SequenceCalls.isRandomIn(expression);
    } catch (SqlParseException e) {
      throw new GpdbException(ErrorCode.INTERNAL, "a stored expression: " + defaultSql, e);
    }
  }

  /** Splits a script at its semicolons, minding strings, quoted names and comments. */
  public static List<String> splitStatements(String script) {
    return StatementSplitter.split(script);
  }
}
