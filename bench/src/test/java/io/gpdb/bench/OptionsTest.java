package io.gpdb.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.bench.harness.EnumWords;
import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.api.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Options that mean nothing are refused with the usage and status 2, before anything is done. */
class OptionsTest {
  private static final int USAGE = 2;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "faults --count -5",
        "faults --count 0",
        "faults --count many",
        "crash --states 0",
        "crash --site-states -1",
        "crash --threads 0",
        "crash --protocol hope",
        "kill --count 0",
        "kill --protocol redo,hope",
        "kill --recovery --rows 0",
        "kill --recovery --rounds 0",
        "isolation --seconds -1",
        "isolation --threads 0",
        "isolation --transactions 0",
        "isolation --keys 0",
        "isolation --level hope",
        "insert-update --rows 19",
        "insert-update --rounds 0",
        "insert-update --protocol hope",
        "speed --rows 0",
        "speed --rounds 0",
        "index --rows 0",
        "index --rounds 0",
        "persistency --rows 0",
        "persistency --rounds 0",
        "commits --connections 1,0",
        "commits --in-flight 0",
        "commits --rounds 0",
        "commits --millis 0",
        "queries --schema s --data d",
        "queries --schema s --data d --queries q --peers h2",
        "queries --schema s --data d --queries q --peers duckdb --estimates",
        "tpch --rounds 0",
        "tpch --peers hope",
        "tpch --peers h2",
        "tpch --peers gpdb --device cuda",
        "tpch --peers gpdb --workers 0",
        "tpch --peers gpdb --memory-limit 512",
        "tpch --peers gpdb --heap much",
        "tpch --memory-limit 512MB",
        "peers --peers hope",
        "peers --seconds 0",
        "limits --threads 0",
        "limits --syncs 65",
        "limits --bytes 9GB",
        "micro --parts hope",
        "micro --rounds 0",
        "statements --rows 0",
        "device --parts hope",
        "device --parts slt",
        "device --kills 0"
      })
  void whatMeansNothingIsRefused(String arguments) {
    assertThat(GpdbBench.run(arguments.split(" ", -1))).isEqualTo(USAGE);
  }

  @Test
  void aProtocolIsTakenAsDocumentsAndAsProgramsWriteIt() {
    EnumWords.Protocols words = new EnumWords.Protocols();
    for (Protocol protocol : Protocol.values()) {
      assertThat(words.convert(protocol.word())).isEqualTo(protocol);
      assertThat(words.convert(protocol.name())).isEqualTo(protocol);
    }
    assertThat(words.convert("Cap-Fs")).isEqualTo(Protocol.CAP_FS);
    assertThat(words).contains("cap-mm").doesNotContain("CAP_MM");
    assertThatThrownBy(() -> words.convert("hope")).hasMessageContaining("cap-fs, cap-mm");
  }

  @Test
  void aLevelIsTakenInBothSpellings() {
    EnumWords.Levels words = new EnumWords.Levels();
    assertThat(words.convert("read-committed")).isEqualTo(IsolationLevel.READ_COMMITTED);
    assertThat(words.convert("READ_COMMITTED")).isEqualTo(IsolationLevel.READ_COMMITTED);
    assertThat(words).containsExactly("read-committed", "snapshot", "serializable");
  }

  @ParameterizedTest
  @ValueSource(strings = {"undo", "UNDO"})
  void crashTakesBothSpellings(String protocol) {
    String[] arguments = {
      "crash", "--protocol", protocol, "--states", "1", "--site-states", "0", "--threads", "1"
    };
    assertThat(GpdbBench.run(arguments)).isZero();
  }
}
