package io.gpdb.planner;

import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.query.ScanShape;
import io.gpdb.sql.SqlFrontEnd;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The first plan of the process takes more than half a second, nearly all of it for loading the
 * classes of parser, validator and planner. So it is one of a table of no database, and is made by
 * the thread that first needs a plan, while others wait: classes of Calcite that refer to each
 * other are then initialised by one thread, and so without deadlock. Other threads load them ahead
 * of it ({@link ClassesAhead}).
 */
final class FirstPlan {
  private static final AtomicBoolean BEGUN = new AtomicBoolean();
  private static final CompletableFuture<Boolean> DONE = new CompletableFuture<>();

  private FirstPlan() {}

  /** Returns when it is made. */
  static void require() {
    if (BEGUN.compareAndSet(false, true)) {
      run();
    } else {
      DONE.join();
    }
  }

  /** Whether it is made, or could not be. */
  static boolean isDone() {
    return DONE.isDone();
  }

  private static void run() {
    boolean made = false;
    try {
      ClassesAhead.PLANNING.begin();
      make();
      made = true;
    } catch (RuntimeException | Error _) {
      // The first real statement meets the same, and says so to somebody.
    } finally {
      DONE.complete(made);
    }
  }

  /** Whether it was made; for tests. */
  static boolean isMade() {
    return DONE.join();
  }

  private static void make() {
    TableDef table =
        new TableDef(
            Integer.MAX_VALUE,
            "FIRST",
            List.of(
                new ColumnDef("ID", SqlTypeSpec.INTEGER, false, null),
                new ColumnDef("A", SqlTypeSpec.INTEGER, true, null)),
            List.of(new KeyDef("FIRST_KEY", true, new int[] {0}, 0)));
    CatalogSnapshot catalog = new CatalogSnapshot(0, List.of(table));
    Analyzed analyzed =
        new SqlFrontEnd().analyze("SELECT a FROM first WHERE id = ?", catalog, null);
    if (analyzed instanceof Analyzed.Query query) {
      ScanShape shape = ScanShape.of(StatementPlanner.tree(query.root()));
      if (shape == null || PointQuery.of(shape) == null) {
        throw new IllegalStateException("the first plan is no look-up by key");
      }
    }
  }
}
