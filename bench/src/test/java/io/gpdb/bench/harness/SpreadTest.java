package io.gpdb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpreadTest {
  @Test
  void medianOfAnEvenCountIsTheMeanOfTheMiddleTwo() {
    assertThat(Spread.of(4, 1, 3, 2)).isEqualTo(new Spread(1, 2.5, 4, 4));
  }

  @Test
  void nothingMeasuredIsNotANumber() {
    assertThat(Spread.of(List.of()).median()).isNaN();
  }

  @Test
  void aTableAlignsItsColumns() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new AlignedTable("a", "rows/s")
        .row("longer", AlignedTable.scaled(1.5e6))
        .print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    assertThat(bytes.toString(StandardCharsets.UTF_8).lines())
        .containsExactly("a       rows/s", "--------------", "longer  1.50 M");
  }
}
