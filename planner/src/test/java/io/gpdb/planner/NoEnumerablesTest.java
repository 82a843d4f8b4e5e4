package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.SqlFrontEnd;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Queries are planned and run by gpDB's own code: no class of the product knows Calcite's
 * enumerables, its heuristic planner, or its providers of metadata that are compiled at run time.
 */
class NoEnumerablesTest {
  private static final List<String> FOREIGN =
      List.of(
          "org/apache/calcite/adapter/enumerable",
          "org/apache/calcite/linq4j/Enumer",
          "org/apache/calcite/linq4j/tree",
          "org/apache/calcite/plan/hep",
          "org/apache/calcite/rel/metadata/DefaultRel",
          "org/apache/calcite/rel/metadata/Janino",
          "org/codehaus/");

  @Test
  void noClassOfTheProductRefersToThem() throws IOException, URISyntaxException {
    assertThat(referring(QueryEngine.class)).isEmpty();
    assertThat(referring(SqlFrontEnd.class)).isEmpty();
  }

  @Test
  void thoseOfTheBridgeDo() throws IOException, URISyntaxException {
    assertThat(referring(NoEnumerablesTest.class))
        .contains("io/gpdb/planner/bridge/BridgePlan.class");
  }

  /** The classes built together with that one whose constants name what is foreign. */
  private static List<String> referring(Class<?> one) throws IOException, URISyntaxException {
    Path root = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        if (FOREIGN.stream().anyMatch(bytes::contains)) {
          found.add(root.relativize(file).toString());
        }
      }
    }
    return found;
  }
}
