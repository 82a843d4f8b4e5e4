package io.gpdb.planner.statement;

/**
 * How statements are planned.
 *
 * @param planCacheSize plans kept
 * @param workers tasks that one statement may run at the same time
 * @param autoVacuum whether tables that are mostly garbage are rewritten in the background
 * @param sharesPlans whether statements that differ in literals alone share a plan
 */
public record EngineOptions(
    int planCacheSize, int workers, boolean autoVacuum, boolean sharesPlans) {
  public static EngineOptions standard() {
    return new EngineOptions(1000, Runtime.getRuntime().availableProcessors(), true, true);
  }

  public EngineOptions withAutoVacuum(boolean on) {
    return new EngineOptions(planCacheSize, workers, on, sharesPlans);
  }

  public EngineOptions withSharedPlans(boolean shared) {
    return new EngineOptions(planCacheSize, workers, autoVacuum, shared);
  }
}
