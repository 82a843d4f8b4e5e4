package io.gpdb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.bench.harness.Figures.Figure;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** A report of single figures in its three forms. */
class FiguresTest {
  private static final Figures FIGURES =
      new Figures(
          "Some figures",
          "a machine",
          List.of("a note & more"),
          List.of(
              new Figure("copies", "1 < 2", "B/s", true, Spread.of(1e9, 2e9, 3e9)),
              new Figure("syncs", "alone", "µs", false, Spread.of(80.0)),
              new Figure("copies", "both", "B/s", true, Spread.of(4e9))));

  @TempDir Path directory;

  @Test
  void theTableHasTheFiguresOfASectionTogether() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Path json = directory.resolve("figures.json");
    FIGURES.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    JsonFile.write(json, FIGURES);
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .containsSubsequence("copies", "1 < 2", "2.00 G", "both", "syncs", "a note & more");
    assertThat(json).content().contains("\"title\" : \"Some figures\"", "\"µs\"");
  }

  @Test
  void thePageHasAWellFormedPlotForEachSection() throws Exception {
    Matcher svg = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL).matcher(FIGURES.html());
    int plots = 0;
    while (svg.find()) {
      DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(svg.group())));
      plots++;
    }
    assertThat(plots).isEqualTo(2);
    assertThat(FIGURES.html()).contains("a note &amp; more", "less is better");
  }
}
