package io.gpdb.planner;

/**
 * How statements are planned.
 *
 * @param kernels false sends every query to the enumerable bridge: for comparing answers
 * @param planCacheSize plans kept
 * @param workers tasks that one statement may run at the same time
 */
public record EngineOptions(boolean kernels, int planCacheSize, int workers) {
  public static EngineOptions standard() {
    return new EngineOptions(true, 1000, Runtime.getRuntime().availableProcessors());
  }

  public EngineOptions withKernels(boolean used) {
    return new EngineOptions(used, planCacheSize, workers);
  }
}
