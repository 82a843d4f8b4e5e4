package io.gpdb.bench.layers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The order of modules and packages that ARCHITECTURE.md promises, in the class files. */
class LayersTest {
  private static final Path PROJECT =
      Path.of(Files.exists(Path.of("ARCHITECTURE.md")) ? "" : "..").toAbsolutePath();

  /** More files that all need each other are hard to understand one by one. */
  private static final int RING_FILES_MAX = 5;

  /** Packages with a larger ring, and its files: each is to be mended, and none may grow. */
  private static final Map<String, Integer> KNOWN_RINGS =
      Map.of(
          "io.gpdb.planner.expression", 8,
          "io.gpdb.jdbc", 9);

  private static final Set<String> BUILT_FOR_THE_INSIDE = Set.of("simulation", "bench");

  private static final Layers LAYERS = Layers.of(PROJECT.resolve("ARCHITECTURE.md"));
  private static final ImportGraph GRAPH = new ImportGraph();

  @BeforeAll
  static void readAllClasses() {
    LAYERS.modules().forEach(module -> ClassFiles.read(PROJECT.resolve(module), GRAPH));
  }

  @Test
  void theDocumentNamesEachPackageOnce() {
    assertThat(LAYERS.packages())
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(GRAPH.packages());
  }

  @Test
  void theDocumentSaysOfEachPackageWhatItsOwnCommentSays() {
    LAYERS
        .purposes()
        .forEach(
            (name, purpose) -> {
              Path info =
                  PROJECT
                      .resolve(LAYERS.moduleOf(name))
                      .resolve("src/main/java")
                      .resolve(name.replace('.', '/'))
                      .resolve("package-info.java");
              if (Files.exists(info)) { // none where the parser is generated
                assertThat(comment(info)).as(name).startsWith(purpose);
              }
            });
  }

  private static String comment(Path file) {
    try {
      String text = Files.readString(file);
      return text.substring(text.indexOf("/**") + 3, text.indexOf("*/"))
          .replaceAll("\\s+(\\* )?", " ")
          .replaceAll("\\{@code ([^}]*)}", "`$1`")
          .strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aPackageImportsOnlyThoseBeforeIt() {
    assertThat(LAYERS.arrowsBack(GRAPH)).isEmpty();
  }

  @Test
  void calciteIsKnownToSqlAndPlannerAlone() {
    assertThat(importsOutside(Set.of("sql", "planner"), "org.apache.calcite.")).isEmpty();
  }

  @Test
  void jdbcIsKnownToTheDriverAndWhatUsesIt() {
    Set<String> users = Set.of("jdbc", "shell", "bench");
    assertThat(importsOutside(users, "java.sql.")).isEmpty();
    assertThat(importsOutside(users, "javax.sql.")).isEmpty();
  }

  /** On the class path nothing else holds the descriptors. */
  @Test
  void whatAModuleDoesNotExportIsItsOwn() {
    Map<String, ModuleExports> exports = new HashMap<>();
    LAYERS.modules().forEach(m -> exports.put(m, ModuleExports.of(PROJECT.resolve(m))));
    List<String> hidden = new ArrayList<>();
    for (String from : GRAPH.classes()) {
      String module = LAYERS.moduleOf(ImportGraph.packageOf(from));
      for (String to : GRAPH.importsOf(from)) {
        String other = LAYERS.moduleOf(ImportGraph.packageOf(to));
        if (!module.equals(other)
            && !BUILT_FOR_THE_INSIDE.contains(module)
            && !other.isEmpty()
            && !exports.get(other).shows(ImportGraph.packageOf(to), exports.get(module))) {
          hidden.add(from + " -> " + to);
        }
      }
    }
    assertThat(hidden).isEmpty();
  }

  /** What crashes, fails and tells on request is no part of what a database runs on. */
  @Test
  void theSimulationIsKnownToTheBenchmarksAlone() {
    assertThat(importsOutside(Set.of("simulation", "bench"), "io.gpdb.simulation.")).isEmpty();
  }

  /** Which executor runs a kernel is settled by whoever opens a database. */
  @Test
  void theEmulatedDeviceIsKnownToThoseThatOpenOneAlone() {
    Set<String> users = Set.of("exec-gpu", "simulation", "jdbc", "shell", "bench");
    assertThat(importsOutside(users, "io.gpdb.exec.emulated")).isEmpty();
  }

  private static List<String> importsOutside(Set<String> modules, String prefix) {
    List<String> found = new ArrayList<>();
    for (String from : GRAPH.classes()) {
      if (!modules.contains(LAYERS.moduleOf(ImportGraph.packageOf(from)))) {
        GRAPH.importsOf(from).stream()
            .filter(to -> to.startsWith(prefix))
            .forEach(to -> found.add(from + " -> " + to));
      }
    }
    return found;
  }

  @Test
  void ringsOfFilesStaySmall() {
    for (String name : GRAPH.packages()) {
      int filesMax = KNOWN_RINGS.getOrDefault(name, RING_FILES_MAX);
      assertThat(GRAPH.rings(name)).as(name).allMatch(ring -> ring.size() <= filesMax);
    }
  }

  @Test
  void noKnownRingIsMendedAndStillNamed() {
    KNOWN_RINGS.forEach(
        (name, files) ->
            assertThat(GRAPH.rings(name)).as(name).extracting(Collection::size).contains(files));
  }

  /** The checks themselves: an arrow back and a ring are found and named. */
  @Test
  void anArrowBackAndARingAreFound() {
    Layers layers = new Layers();
    layers.add("low", "a");
    layers.add("low", "b");
    ImportGraph graph = new ImportGraph();
    graph.add("a.A", List.of("b.B", "java.lang.String"));
    graph.add("b.B", List.of("a.A"));
    assertThat(layers.arrowsBack(graph)).containsExactly("a.A -> b.B");
    IntStream.range(0, 6).forEach(i -> graph.add("b.C" + i, List.of("b.C" + (i + 1) % 6)));
    graph.add("b.D", List.of("b.C0"));
    assertThat(graph.rings("b")).hasSize(1).allMatch(ring -> ring.size() == 6);
  }

  @Test
  void aClassFileTellsWhatItsCodeAndSignaturesName() throws Exception {
    String name = "/" + LayersTest.class.getName().replace('.', '/') + ".class";
    try (var in = LayersTest.class.getResourceAsStream(name)) {
      assertThat(ClassFiles.named(ClassFile.of().parse(in.readAllBytes())))
          .contains(Layers.class.getName(), Map.class.getName(), Test.class.getName())
          .noneMatch(Predicate.not(n -> n.indexOf('/') < 0));
    }
  }
}
