package io.gpdb.bench.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpdb.bench.harness.JsonFile;
import io.gpdb.bench.harness.RangePlot;
import io.gpdb.bench.harness.Spread;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** That parts run as processes, and that a report says what they found. */
class DeviceReportTest {
  @TempDir Path directory;

  /** A process of a part, which does as its first argument says. */
  public static final class Child {
    private Child() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
      System.out.println("said <this>");
      switch (arguments[0]) {
        case "works" -> JsonFile.write(Path.of(arguments[2]), Map.of("passed", 7));
        case "fails" -> System.exit(3);
        default -> Thread.sleep(60_000);
      }
    }
  }

  private PartResult run(int secondsMax, String... words) throws Exception {
    PartRun run = new PartRun(Part.SLT, directory);
    for (String word : words) {
      run.add(List.of("-XX:TieredStopAtLevel=1"), Child.class, List.of(word));
    }
    return run.run(secondsMax);
  }

  @Test
  void aPartPassesWithItsProcess() throws Exception {
    PartResult result = run(60, "works");
    assertThat(result.passed()).isTrue();
    assertThat(result.reports()).extracting(r -> r.get("passed").asInt()).containsExactly(7);
    assertThat(result.output()).isEmpty();
  }

  @Test
  void aPartFailsWithAnyOfItsProcessesAndSaysWhatItPrinted() throws Exception {
    PartResult result = run(60, "works", "fails");
    assertThat(result.passed()).isFalse();
    assertThat(result.reports()).hasSize(1);
    assertThat(result.output()).isEqualTo("exit status 3\nsaid <this>\n");
  }

  @Test
  void aProcessEndsWithTheTimeOfItsPart() throws Exception {
    PartResult result = run(1, "waits");
    assertThat(result.passed()).isFalse();
    assertThat(result.output()).startsWith("ended after 1 s");
  }

  private static JsonNode json(Object value) {
    return new ObjectMapper().valueToTree(value);
  }

  private static JsonNode statements(double first, double... millis) {
    return json(
        Map.of(
            "rows",
            1000,
            "figures",
            List.of(
                new StatementsCommand.Figure("q | r", "", first, Spread.of(millis)),
                new StatementsCommand.Figure("undo", "refused", Double.NaN, Spread.of()))));
  }

  private static DeviceReport report() {
    JsonNode slt = json(Map.of("passed", 40, "failed", 2));
    JsonNode kill =
        json(
            Map.of(
                "violation",
                "",
                "settings",
                List.of(Map.of("kills", 5, "killedInWork", 3, "acknowledged", 100))));
    JsonNode timedKill =
        json(
            Map.of(
                "violation",
                "",
                "settings",
                List.of(
                    Map.of(
                        "kills",
                        5,
                        "killedInWork",
                        3,
                        "acknowledged",
                        100,
                        "endingSeconds",
                        Spread.of(0.5, 2.5)),
                    Map.of(
                        "kills",
                        0,
                        "killedInWork",
                        0,
                        "acknowledged",
                        0,
                        "endingSeconds",
                        Spread.of()))));
    JsonNode tpch =
        json(
            Map.of(
                "scale",
                0.5,
                "queries",
                List.of(
                    Map.of(
                        "query",
                        6,
                        "equal",
                        true,
                        "firstMillis",
                        20,
                        "millis",
                        Spread.of(2.0),
                        "emulatedMillis",
                        Spread.of(8.0)))));
    DeviceFigures figures = new DeviceFigures();
    figures.add("keys", "keys/s", List.of(1e6, 3e6, 2e6));
    JsonNode single = json(Map.of("rows", 4000, "figures", figures.all()));
    return new DeviceReport(
        "a GPU",
        "a host",
        "abc",
        "2030-01-02",
        List.of(
            new PartResult("slt", false, 2, List.of(slt), "said <this> & that"),
            new PartResult("kill", true, 3, List.of(kill, timedKill), ""),
            new PartResult("tpch", true, 4, List.of(tpch), ""),
            new PartResult("figures", true, 6, List.of(single), ""),
            new PartResult(
                "statements", true, 5, List.of(statements(9, 1, 2, 3), statements(7, 4, 4)), "")));
  }

  @Test
  void theTablesSayWhatThePartsFound() {
    List<ReportTable> tables = ReportTables.of(json(report()));
    assertThat(tables)
        .extracting(ReportTable::title)
        .containsExactly("Parts", "TPC-H", "Figures", "Statements");
    assertThat(tables.get(0).note()).isEqualTo("a GPU; a host; commit abc, 2030-01-02.");
    assertThat(tables.get(0).rows())
        .containsExactly(
            List.of("slt", "failed", "40 passed, 2 failed", "2.00"),
            List.of(
                "kill",
                "passed",
                "10 kills, 6 of them while working, 200 transactions acknowledged, 0 violations;"
                    + " the processes were gone after up to 2.50 s",
                "3.00"),
            List.of("tpch", "passed", "1 of 1 answers equal to the emulated device's", "4.00"),
            List.of("figures", "passed", "", "6.00"),
            List.of("statements", "passed", "", "5.00"));
    assertThat(tables.get(1).rows())
        .containsExactly(List.of("Q6", "2.00", "20.0", "8.00", "equal"));
    assertThat(tables.get(2).note()).endsWith("has 4,000 rows of 28 bytes.");
    assertThat(tables.get(2).rows())
        .containsExactly(List.of("keys", "2.00 M", "1.00 M", "3.00 M", "keys/s"));
    assertThat(tables.get(3).rows())
        .containsExactly(
            List.of("q | r", "3.00 (2.00 to 4.00)", "8.00 (7.00 to 9.00)"),
            List.of("undo", "-", "-"));
  }

  private static JsonNode spread(String device, String answer, double millis) {
    return json(
        Map.of(
            "rows",
            5000,
            "device",
            device,
            "figures",
            List.of(
                new SpreadCommand.Figure("count", "SELECT", "1 rows, ab", Spread.of(millis)),
                new SpreadCommand.Figure("sum", "SELECT", answer, Spread.of(millis)))));
  }

  private static PartResult spread(String one, String all) {
    List<JsonNode> reports = List.of(spread("one GPU", one, 4), spread("two GPUs", all, 2));
    return new PartResult("spread", true, 1, reports, "").passedIf(SpreadAnswers::equal);
  }

  @Test
  void severalGpusAnswerAsOneDoes() {
    PartResult equal = spread("1 rows, cd", "1 rows, cd");
    assertThat(equal.passed()).isTrue();
    PartResult differs = spread("1 rows, cd", "1 rows, ef");
    assertThat(differs.passed()).isFalse();
    List<ReportTable> tables =
        ReportTables.of(json(new DeviceReport("", "", "", "", List.of(equal, differs))));
    assertThat(tables.get(0).rows())
        .extracting(row -> row.get(2))
        .containsExactly(
            "answers to 2 of 2 statements equal", "answers to 1 of 2 statements equal");
    assertThat(tables.get(1).note()).contains("5,000 rows").endsWith("one GPU; two GPUs.");
    assertThat(tables.get(2).rows())
        .containsExactly(
            List.of("count", "4.00", "2.00", "2.00", "equal"),
            List.of("sum", "4.00", "2.00", "2.00", "differs"));
  }

  @Test
  void aProcessThatIsMissingAnswersNothing() {
    PartResult part = new PartResult("spread", true, 1, List.of(spread("one GPU", "", 4)), "");
    assertThat(part.passedIf(SpreadAnswers::equal).passed()).isFalse();
    assertThat(ReportTables.of(json(new DeviceReport("", "", "", "", List.of(part))))).hasSize(1);
  }

  @Test
  void thePageIsWellFormed() throws Exception {
    String html = new DevicePage(report()).html();
    String body = html.substring(html.indexOf("<body>"), html.indexOf("</html>"));
    assertThat(body).contains("said &lt;this&gt; &amp; that");
    var _ =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(body)));
  }

  @Test
  void aDocumentGetsTheTablesOfTheFileThatItNames() throws Exception {
    Files.createDirectories(directory.resolve("results"));
    JsonFile.write(directory.resolve("results/a.json"), report());
    Path document = directory.resolve("gpu.md");
    String text = "before\n<!-- results results/a.json -->\n%s<!-- end of results -->\nafter\n";
    Files.writeString(document, text.formatted("old\n"));
    ResultsInDocument.Renewed found = ResultsInDocument.renewed(document);
    String renewed = found.text();
    assertThat(renewed)
        .startsWith("before\n<!-- results results/a.json -->\na GPU; a host")
        .contains("| q \\| r | 3.00 (2.00 to 4.00) |")
        .endsWith("<!-- end of results -->\nafter\n")
        .doesNotContain("old");
    Files.writeString(document, renewed);
    assertThat(ResultsInDocument.renewed(document)).isEqualTo(found);
    assertThat(renewed).contains("(results/a-tpch.svg)", "(results/a-statements.svg)");
    assertThat(found.pictures().keySet())
        .extracting(picture -> directory.relativize(picture).toString())
        .containsExactly("results/a-kills.svg", "results/a-tpch.svg", "results/a-statements.svg");
    for (String picture : found.pictures().values()) {
      var _ =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(picture)));
    }
  }

  @Test
  void picturesHaveTheFiguresOfTheTables() {
    Map<String, ReportPlots.Plot> plots = ReportPlots.of(json(report()));
    RangePlot.Line undo = plots.get("Statements").lines().getFirst();
    assertThat(undo.name()).isEqualTo("q | r");
    assertThat(undo.spread()).isEqualTo(Spread.of(2, 4));
    assertThat(undo.first()).isEqualTo(8);
    assertThat(plots.get("TPC-H").lines())
        .extracting(line -> line.spread().median())
        .containsExactly(2.0, 8.0);
    RangePlot.Line gone = plots.get("Parts").lines().getFirst();
    assertThat(gone.spread().max()).isEqualTo(2500);
  }

  @Test
  void docsHaveTheTablesAndPicturesOfTheirResults() throws IOException {
    Path document = Path.of("../docs/gpu.md");
    ResultsInDocument.Renewed renewed = ResultsInDocument.renewed(document);
    assertThat(renewed.text()).isEqualTo(Files.readString(document));
    for (Map.Entry<Path, String> picture : renewed.pictures().entrySet()) {
      assertThat(picture.getKey()).hasContent(picture.getValue());
    }
  }
}
