package io.gpdb.planner.batch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QErrorsTest {
  @Test
  void theGreatestIsAFactorInEitherDirection() {
    QErrors errors = new QErrors();
    errors.add("scan", 100, 100);
    errors.add("join", 10, 400);
    errors.add("group", 60, 3);
    assertThat(errors.text())
        .isEqualTo("estimates of 3 operators: median q-error 20.00, greatest 40.00 of join");
  }

  @Test
  void lessThanOneRowIsTakenAsOne() {
    QErrors errors = new QErrors();
    errors.add("filter", 0, 0);
    assertThat(errors.text())
        .isEqualTo("estimates of 1 operators: median q-error 1.00, greatest 1.00 of filter");
  }

  @Test
  void withoutOperatorsThereIsNothingToSay() {
    assertThat(new QErrors().text()).isEmpty();
  }
}
