package io.gpdb.bench.tpch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gpdb.bench.harness.PeakMemory.Peak;
import io.gpdb.bench.harness.Progress;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.Spread;
import io.gpdb.bench.peers.Peer;
import io.gpdb.bench.tpch.TpchReport.Total;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/**
 * TPC-H in several databases: that each has its process, and that the report says what they did.
 */
@Timeout(120)
class TpchPeersTest {
  private static final TpchEffort EFFORT = new TpchEffort(1, 1, 60, "1g");
  private static final TpchContestant OURS = new TpchContestant(Peer.GPDB, 2, 1 << 29);
  private static final TpchContestant OTHER = new TpchContestant(Peer.DUCKDB, 2, 1 << 29);
  private static final TpchContestant MORE = new TpchContestant(Peer.DUCKDB, 16, 1 << 29);

  @TempDir Path directory;

  @Test
  void contestantsOfOneDatabaseHaveCopiesOfItsRows() throws Exception {
    List<TpchContestant> two =
        List.of(OTHER, new TpchContestant(Peer.DUCKDB, 1, OTHER.memoryBytes()));
    List<Map<String, TpchMeasured>> answers;
    try (ScratchDirectory scratch = new ScratchDirectory(directory);
        Progress progress = new Progress()) {
      answers = new TpchPeers(two, EFFORT, progress).run(scratch, 0.001, 1);
    }
    TpchReport report = TpchReport.of("a machine", 0.001, EFFORT, two, answers);
    assertThat(report.problems()).isEmpty();
    assertThat(report.totals()).extracting(Total::answered).containsOnly(22);
    assertThat(answers.getFirst().get(OTHER.name()).rows()).hasSize(4);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aProcessThatCannotLoadIsAnError() throws Exception {
    try (ScratchDirectory scratch = new ScratchDirectory(directory);
        Progress progress = new Progress()) {
      TpchPeers peers = new TpchPeers(List.of(OTHER), new TpchEffort(1, 1, 0, "1g"), progress);
      assertThatThrownBy(() -> peers.run(scratch, 0.001, 1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("duckdb: loading ended after its limit");
    }
  }

  private static TpchMeasured measured(String value, double first, Double... later) {
    return new TpchMeasured(
        List.of(List.of(value)),
        "",
        first,
        Spread.of(List.of(later)),
        new Peak(3 << 20, 2 << 20, 1 << 20));
  }

  @Test
  void ratiosAreToTheOtherWithAsManyWorkers() {
    TpchReport report =
        TpchReport.of(
            "a machine",
            1,
            EFFORT,
            List.of(OURS, OTHER, MORE),
            List.of(
                Map.of(
                    OURS.name(), measured("1", 40, 8.0, 8.0),
                    OTHER.name(), measured("1.0", 10, 2.0, 2.0),
                    MORE.name(), measured("1", 1, 1.0)),
                Map.of(
                    OURS.name(), measured("1", 10, 1.0),
                    OTHER.name(), measured("2", 10, 1.0),
                    MORE.name(), TpchMeasured.failed("a < b"))));
    Total ours = report.totals().getFirst();
    assertThat(ours.warmRatio()).isCloseTo(2, within(1e-9));
    assertThat(ours.firstRatio()).isCloseTo(2, within(1e-9));
    assertThat(ours.warmRatioMax()).isEqualTo(4);
    assertThat(ours.answered()).isEqualTo(1);
    assertThat(ours.peak()).isEqualTo(new Peak(3 << 20, 2 << 20, 1 << 20));
    assertThat(report.totals().get(1).warmRatio()).isNaN();
    assertThat(report.problems())
        .containsExactly(
            "Q2, gpdb, 2 workers: row 1 is [1], not [2]", "Q2, duckdb, 16 workers: a < b");
  }

  @Test
  void thePageIsWellFormedAndSaysWhatWentWrong() throws Exception {
    TpchReport report =
        TpchReport.of(
            "a machine",
            1,
            EFFORT,
            List.of(OURS, OTHER),
            List.of(
                Map.of(
                    OURS.name(), measured("1", 40, 8.0, 9.0),
                    OTHER.name(), TpchMeasured.failed("a < b"))));
    String html = new TpchPage(report).html();
    assertThat(html).contains("Q1, duckdb, 2 workers: a &lt; b").contains("memory_limit 512 MiB");
    Matcher svg = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL).matcher(html);
    assertThat(svg.find()).isTrue();
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg.group())));
  }
}
