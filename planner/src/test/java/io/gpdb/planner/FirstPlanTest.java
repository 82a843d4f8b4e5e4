package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.Test;

class FirstPlanTest {
  @Test
  void theStatementThatLoadsThePlannerCanBePlanned() {
    assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    FirstPlan.begin();
    FirstPlan.begin();
    FirstPlan.await();
    assertThat(FirstPlan.isMade()).isTrue();
  }
}
