package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FirstPlanTest {
  @Test
  void theStatementThatLoadsThePlannerCanBePlanned() {
    FirstPlan.require();
    FirstPlan.require();
    assertThat(FirstPlan.isDone()).isTrue();
    assertThat(FirstPlan.isMade()).isTrue();
  }
}
