package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.Suggestions;
import io.gpdb.sql.change.UpdatableView;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.text.ErrorTranslation;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.storage.error.ErrorCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Views as their queries are now. What a view reads may have been dropped and made again with other
 * columns: then its query has other types, or cannot be read.
 */
public final class DescribedView {
  private DescribedView() {}

  /** The view with the types that its query has now; null where the view is invalid. */
  public static @Nullable ViewDef of(ViewDef view, CatalogSnapshot catalog) {
    try {
      return described(view, catalog);
    } catch (GpdbException e) {
      if (isInternal(e)) {
        throw e;
      }
      return null;
    }
  }

  private static boolean isInternal(GpdbException e) {
    return e.code().kind() == ErrorCondition.Kind.INTERNAL
        || e.code().kind() == ErrorCondition.Kind.CORRUPTION;
  }

  /**
   * The error of a statement, or where a view that the statement reads is invalid an error that
   * says so.
   */
  public static GpdbException named(GpdbException error, SqlText text, CatalogSnapshot catalog) {
    if (!error.sqlState().startsWith("42")) {
      return error;
    }
    for (ViewDef view : catalog.views()) {
      if (Suggestions.mentions(text.sql(), view.name())) {
        GpdbException invalid = invalid(view, catalog);
        if (invalid != null) {
          return invalid;
        }
      }
    }
    return error;
  }

  /** Why a view is invalid that reads nothing that is missing; names the innermost such view. */
  private static @Nullable GpdbException invalid(ViewDef view, CatalogSnapshot catalog) {
    try {
      catalog.requireComplete(view);
    } catch (GpdbException e) {
      return null; // the statement's error says what is missing
    }
    for (var used : view.uses()) {
      ViewDef below = catalog.view(used);
      GpdbException invalid = below == null ? null : invalid(below, catalog);
      if (invalid != null) {
        return invalid;
      }
    }
    try {
      var _ = described(view, catalog);
      return null;
    } catch (GpdbException e) {
      return isInternal(e)
          ? null
          : new GpdbException(
              e.code(), "view " + view.fullName() + " is invalid: " + e.getMessage(), e);
    }
  }

  private static ViewDef described(ViewDef view, CatalogSnapshot catalog) {
    SqlText text = new SqlText("TABLE " + quoted(view.schema()) + "." + quoted(view.name()));
    List<OutputColumn> output;
    try {
      ParameterGuesses none = new ParameterGuesses(SqlTypeSpec.VARCHAR);
      Analyzed query =
          new StatementAnalysis(text, catalog, List.of(), List.of(), none)
              .analyze(text.statement());
      output = ((Analyzed.Query) query).output();
    } catch (Exception | StackOverflowError | AssertionError | LinkageError e) {
      throw new ErrorTranslation(text, catalog).translate(e);
    }
    ViewDef described = view.withColumns(columns(view.columns(), output)).withBase(null);
    try {
      return UpdatableView.based(described, catalog);
    } catch (GpdbException e) {
      return described; // its CHECK OPTION refuses each change
    }
  }

  private static List<ColumnDef> columns(List<ColumnDef> before, List<OutputColumn> output) {
    List<ColumnDef> columns = new ArrayList<>();
    for (int i = 0; i < output.size(); i++) {
      ColumnDef column = before.get(i);
      columns.add(
          new ColumnDef(
                  column.name(), ViewDefinition.type(output.get(i)), output.get(i).nullable(), null)
              .withComment(column.comment()));
    }
    return columns;
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
