package io.gpdb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Where values stand on a logarithmic axis. */
class LogAxisTest {
  @Test
  void theAxisPutsValuesInTheirOrder() {
    LogAxis axis = new LogAxis(List.of(3.0, 40.0, 2500.0, 0.0), 100);
    assertThat(axis.place(0)).isZero();
    assertThat(axis.place(3)).isBetween(0.0, axis.place(40));
    assertThat(axis.place(2500)).isBetween(axis.place(40), 100.0);
    assertThat(axis.ticks()).contains(10.0, 100.0, 1000.0).isSorted();
    assertThat(new LogAxis(List.of(), 100).ticks()).isNotEmpty();
  }
}
