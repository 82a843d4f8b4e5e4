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
 * classes of parser, validator and planner. So one is made, of a table of no database, on a thread
 * of its own while the database is recovered. The first real statement waits for it: classes of
 * Calcite that refer to each other are then initialised by one thread, and so without deadlock.
 */
final class FirstPlan {
  private static final AtomicBoolean BEGUN = new AtomicBoolean();
  private static final CompletableFuture<Boolean> DONE = new CompletableFuture<>();

  private FirstPlan() {}

  /** Begins, the first time, where there is a second processor for it. */
  static void begin() {
    if (Runtime.getRuntime().availableProcessors() < 2 || !BEGUN.compareAndSet(false, true)) {
      return;
    }
    try {
      Thread.ofPlatform().daemon().name("gpdb-first-plan").start(FirstPlan::run);
    } catch (OutOfMemoryError _) {
      DONE.complete(false);
    }
  }

  /** Waits until it is made, if it was begun. */
  static void await() {
    if (BEGUN.get()) {
      DONE.join();
    }
  }

  private static void run() {
    boolean made = false;
    try {
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
