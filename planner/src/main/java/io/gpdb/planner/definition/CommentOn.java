package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;

/** COMMENT ON a table, a view or a column of one. */
public final class CommentOn implements Change {
  private final Catalog catalog;
  private final Analyzed.Comment comment;

  public CommentOn(Catalog catalog, Analyzed.Comment comment) {
    this.catalog = catalog;
    this.comment = comment;
  }

  @Override
  public long apply(Execution x) {
    TableDef table = x.catalog().table(comment.name());
    ViewDef view = x.catalog().view(comment.name());
    if (comment.view() ? view == null && table != null : table == null && view != null) {
      throw new GpdbException(
          SqlCondition.WRONG_KIND_OF_OBJECT,
          comment.name() + (view == null ? " is a table" : " is a view"));
    }
    if (view != null) {
      catalog
          .views()
          .redefine(
              x.transaction(),
              comment.column() == null
                  ? view.withComment(comment.text())
                  : view.withColumns(commented(view.columns())));
    } else if (table != null) {
      catalog.redefineTable(
          x.transaction(),
          comment.column() == null
              ? table.withComment(comment.text())
              : table.withColumns(commented(table.columns())));
    } else {
      throw new GpdbException(
          ErrorCode.TABLE_NOT_FOUND,
          (comment.view() ? "view " : "table ") + comment.name() + " does not exist");
    }
    return 0;
  }

  private List<ColumnDef> commented(List<ColumnDef> columns) {
    List<ColumnDef> changed = new ArrayList<>(columns);
    for (int i = 0; i < changed.size(); i++) {
      if (changed.get(i).name().equals(comment.column())) {
        changed.set(i, changed.get(i).withComment(comment.text()));
        return changed;
      }
    }
    throw new GpdbException(
        SqlCondition.COLUMN_NOT_FOUND,
        "column " + comment.column() + " does not exist in " + comment.name());
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of("comment on " + comment.name() + " [catalog]");
  }
}
