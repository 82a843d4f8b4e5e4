package io.gpdb.planner.statement;

/**
 * How statements are planned.
 *
 * @param kernels false sends every query to the enumerable bridge: for comparing answers
 * @param planCacheSize plans kept
 * @param workers tasks that one statement may run at the same time
 * @param autoVacuum whether tables that are mostly garbage are rewritten in the background
 * @param sharesPlans whether statements that differ in literals alone share a plan
 */
public record EngineOptions(
    boolean kernels, int planCacheSize, int workers, boolean autoVacuum, boolean sharesPlans) {
  public static EngineOptions standard() {
    return new EngineOptions(true, 1000, Runtime.getRuntime().availableProcessors(), true, true);
  }

  public EngineOptions withKernels(boolean used) {
    return new EngineOptions(used, planCacheSize, workers, autoVacuum, sharesPlans);
  }

  public EngineOptions withAutoVacuum(boolean on) {
    return new EngineOptions(kernels, planCacheSize, workers, on, sharesPlans);
  }

  public EngineOptions withSharedPlans(boolean shared) {
    return new EngineOptions(kernels, planCacheSize, workers, autoVacuum, shared);
  }
}
