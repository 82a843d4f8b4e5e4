package io.gpdb.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** States that showed a mistake once, when the engine acted as it did then. */
class FoundStatesTest {
  /**
   * The check reported undo records of a transaction whose commit the log held; and the last one
   * was refused: bytes of a record's region were those of a killed process, which nobody flushed.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "AUTO,CONVENTIONAL,SECTOR,KILLS_AT_PLACES,2; 5753.1",
        "AUTO,CONVENTIONAL,SECTOR,KILLS_AT_PLACES,2; 6005.2",
        "AUTO,CONVENTIONAL,SECTOR,KILLS_AT_PLACES,2; 4199.0"
      })
  void nothingIsWrongInThem(String setting, String state) {
    Exploration exploration = new Exploration(Setting.parse(setting), UnaryOperator.identity());
    assertThat(exploration.replay(StatePath.parse(state)).violations).isEmpty();
  }

  /** A killed baseline kept an open transaction's new ids, and a later step missed the old ones. */
  @Test
  void aBaselineRunsToItsEndBehindOpenTransactions() {
    Setting setting = Setting.parse("CAP_FS,HCL,SECTOR,GENERATED,894000");
    assertThat(new Exploration(setting, UnaryOperator.identity()).countActs()).isPositive();
  }
}
