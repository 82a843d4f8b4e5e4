package io.gpdb.planner.statement;

/**
 * How statements are planned.
 *
 * @param planCacheSize plans kept
 * @param workers tasks that one statement may run at the same time
 * @param autoVacuum whether tables that are mostly garbage are rewritten in the background
 * @param sharesPlans whether statements that differ in literals alone share a plan
 * @param hostRowsMax up to how many rows the host filters, projects and aggregates where they are
 *     whole numbers, as making and launching a kernel takes longer; 0 for none
 */
public record EngineOptions(
    int planCacheSize, int workers, boolean autoVacuum, boolean sharesPlans, int hostRowsMax) {
  private static final int HOST_ROWS_MAX = 200;

  public static EngineOptions standard() {
    int workers = Runtime.getRuntime().availableProcessors();
    return new EngineOptions(1000, workers, true, true, HOST_ROWS_MAX);
  }

  public EngineOptions withAutoVacuum(boolean on) {
    return new EngineOptions(planCacheSize, workers, on, sharesPlans, hostRowsMax);
  }

  public EngineOptions withSharedPlans(boolean shared) {
    return new EngineOptions(planCacheSize, workers, autoVacuum, shared, hostRowsMax);
  }

  public EngineOptions withHostRows(int rowsMax) {
    return new EngineOptions(planCacheSize, workers, autoVacuum, sharesPlans, rowsMax);
  }
}
