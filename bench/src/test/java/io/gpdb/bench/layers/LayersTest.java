package io.gpdb.bench.layers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

  private static final Set<String> BUILT_FOR_THE_INSIDE = Set.of("simulation", "bench");

  /** What works on buffers alone. */
  private static final List<String> BUFFERED =
      List.of("io.gpdb.exec.ir.", "io.gpdb.exec.ptx.", "io.gpdb.exec.library.", "io.gpdb.planner.");

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
    Set<String> users = Set.of("jdbc", "tools", "shell", "bench");
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

  /** A database does not run on media and devices that crash, fail and report on request. */
  @Test
  void theSimulationIsKnownToTheBenchmarksAlone() {
    assertThat(importsOutside(Set.of("simulation", "bench"), "io.gpdb.simulation.")).isEmpty();
  }

  /** Which executor runs a kernel is settled by whoever opens a database. */
  @Test
  void theEmulatedDeviceIsKnownToThoseThatOpenOneAlone() {
    Set<String> users = Set.of("exec-gpu", "simulation", "session", "jdbc", "shell", "bench");
    assertThat(importsOutside(users, "io.gpdb.exec.emulated")).isEmpty();
  }

  /** Where a device could own the memory, nobody takes for granted that the host reads it. */
  @Test
  void kernelsAndPlansHoldBuffersOfADevice() {
    assertThat(segmentsIn(GRAPH))
        .containsExactly(
            "io.gpdb.planner.batch.BatchMemory", "io.gpdb.planner.statement.ParameterColumn");
  }

  private static List<String> segmentsIn(ImportGraph graph) {
    return graph.classes().stream()
        .filter(name -> BUFFERED.stream().anyMatch(name::startsWith))
        .filter(name -> graph.importsOf(name).contains("java.lang.foreign.MemorySegment"))
        .toList();
  }

  /** The check itself. */
  @Test
  void aSegmentInTheKernelLibraryIsFound() {
    ImportGraph graph = new ImportGraph();
    graph.add("io.gpdb.exec.library.A", List.of("java.lang.foreign.MemorySegment"));
    graph.add("io.gpdb.exec.emulated.B", List.of("java.lang.foreign.MemorySegment"));
    assertThat(segmentsIn(graph)).containsExactly("io.gpdb.exec.library.A");
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
  void noRingInAPackageHasMoreThanFiveFiles() {
    assertThat(GRAPH.ringsOver(RING_FILES_MAX)).isEmpty();
  }

  /** The checks themselves: an arrow back is found and named. */
  @Test
  void anArrowBackIsFound() {
    Layers layers = new Layers();
    layers.add("low", "a");
    layers.add("low", "b");
    ImportGraph graph = new ImportGraph();
    graph.add("a.A", List.of("b.B", "java.lang.String"));
    graph.add("b.B", List.of("a.A"));
    assertThat(layers.arrowsBack(graph)).containsExactly("a.A -> b.B");
  }

  /** Six files, each of which names the next, are too many; five are not. */
  @Test
  void aRingOfSixFilesIsFound() {
    ImportGraph graph = new ImportGraph();
    addRing(graph, "b.C", 6);
    addRing(graph, "b.D", RING_FILES_MAX);
    graph.add("b.E", List.of("b.C0", "b.D0"));
    graph.add("c.F", List.of("b.C0"));
    graph.add("b.C0", List.of("c.F"));
    assertThat(graph.rings("b")).extracting(Set::size).containsExactlyInAnyOrder(5, 6);
    assertThat(graph.ringsOver(RING_FILES_MAX))
        .containsExactly(Set.of("b.C0", "b.C1", "b.C2", "b.C3", "b.C4", "b.C5"));
  }

  private static void addRing(ImportGraph graph, String prefix, int files) {
    IntStream.range(0, files)
        .forEach(i -> graph.add(prefix + i, List.of(prefix + (i + 1) % files)));
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
