package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.jdbc.packing.CodeGeneration;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed jar alone, in a JVM of its own without flags. */
class AllJarIT {
  private static final Path JAR = Path.of(System.getProperty("gpdb.all.jar", ""));
  private static final String SHADED = "io.gpdb.shaded.";

  /** What the libraries' files take in the jar; it must not grow by accident. */
  private static final long LIBRARY_BYTES_MAX = 14_000_000;

  /** A tenth more than the first statements load. */
  private static final long FIRST_CLASSES_MAX = 2_170;

  /** What cannot be linked without what the jar leaves out, and nothing of ours uses. */
  private static final Pattern UNLINKED =
      Pattern.compile(
          """
          com\\.(fasterxml|jayway)\\..*|org\\.locationtech\\..*|net\\.openhft\\.posix\\..*\
          |net\\.openhft\\.chronicle\\.core\\.Jvm\\$1|org\\.apache\\.calcite\\.(avatica\\..*\
          |adapter\\.(enumerable|jdbc)\\..*|adapter\\.java\\.ReflectiveSchema.*\
          |interpreter\\.AggregateNode.*|jdbc\\.CalcitePrepare.*|linq4j\\.tree\\..*\
          |linq4j\\.\\w*Queryable\\w*(\\$.*)?|materialize\\.TileSuggester.*|model\\.ModelHandler\
          |prepare\\.(CalciteMaterializer|CalcitePrepareImpl.*|LixToRel.*|QueryableRel.*)\
          |profile\\.ProfilerImpl\\$HllCollector|rel\\.externalize\\.RelJson.*|rel\\.metadata\\.RelMd.*\
          |rex\\.RexExecut.*|runtime\\.(HilbertCurve2D|ProjectionTransformer|SplitOperation|rtti\\..*)\
          |schema\\.(Implementable\\w*|impl\\.\\w*FunctionImpl.*))\
          """);

  /** With one processor nothing is read ahead. */
  private static final List<String> ALONE = List.of("-XX:ActiveProcessorCount=1");

  /** A class with a name that another process has, too: not hidden, no proxy. */
  private static final Pattern LOADED =
      Pattern.compile(
          "\\] ((?!jdk\\.proxy)[a-zA-Z_0-9.]+(?:\\$+[a-zA-Z_0-9]+)*) source: (?:jrt|file|shared)");

  @TempDir private Path folder;

  /** Runs a program on the packed jar, and returns the log of the classes that it loads. */
  private String classesOf(Class<?> program, String expected, String... arguments)
      throws IOException, InterruptedException {
    return classesOf(List.of(), program, expected, arguments);
  }

  private String classesOf(
      List<String> options, Class<?> program, String expected, String... arguments)
      throws IOException, InterruptedException {
    String name = program.getSimpleName() + ".class";
    Path copy = folder.resolve("io/gpdb/jdbc").resolve(name);
    Files.createDirectories(copy.getParent());
    try (InputStream in = program.getResourceAsStream(name)) {
      Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
    }
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(options);
    command.add("-Xlog:class+load:file=" + folder.resolve("classes"));
    command.addAll(List.of("-cp", JAR + File.pathSeparator + folder, program.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(folder.resolve("err").toFile()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    String errors = Files.readString(folder.resolve("err"));
    assertThat(status).as(errors).isZero();
    assertThat(output).isEqualTo(expected);
    assertThat(errors).isEmpty();
    return Files.readString(folder.resolve("classes"));
  }

  @Test
  void theJarAloneRunsStatementsByKernelsAndOnTheHost() throws Exception {
    assertThat(
            classesOf(PackedProgram.class, PackedProgram.EXPECTED, folder.resolve("db").toString()))
        .contains("calcite.rel.metadata.RelMetadataQuery ")
        .contains("io.gpdb.sql.tree.NoMetadata ")
        .doesNotContain("calcite.rel.metadata.RelMd");
  }

  /** A fresh process pays for each class that it loads before it has its first row. */
  @Test
  void theFirstStatementsOfAProcessLoadFewClasses() throws Exception {
    String classes =
        classesOf(ALONE, FirstStatementsProgram.class, FirstStatementsProgram.EXPECTED);
    assertThat(classes)
        .doesNotContain("io.gpdb.sql.parser.generated.GpSqlParser ")
        .doesNotContain(".calcite.sql.fun.")
        .doesNotContain("openhft")
        .doesNotContain("java.security.SecureRandom ")
        .doesNotContain("java.lang.management.ManagementFactory ")
        .doesNotContainPattern("io\\.gpdb\\.\\S*\\$\\$(Lambda|TypeSwitch)");
    assertThat(classes.lines().filter(line -> line.contains(" source: ")).count())
        .isLessThan(FIRST_CLASSES_MAX);
  }

  @Test
  void classesReadAheadOfAPlanAreThoseThatFirstTextsLoad() throws Exception {
    List<List<String>> texts = new ArrayList<>();
    for (int i = 0; i < FirstTextProgram.TEXTS.size(); i++) {
      String log = classesOf(ALONE, FirstTextProgram.class, "rows\n", Integer.toString(i));
      texts.add(loaded(log, "io.gpdb.planner.FirstPlan "));
    }
    assertReadAhead("first-classes.txt", texts, 2);
  }

  @Test
  void classesReadAheadOfAnOpeningAreThoseThatACountLoads() throws Exception {
    String database = counted();
    String log = classesOf(ALONE, CountingProgram.class, "2\n", database);
    assertReadAhead(
        "opening-classes.txt", List.of(loaded(log, "io.gpdb.planner.ClassesAhead ")), 1);
  }

  /** The names of the classes that a process loads from the one that a line names. */
  private static List<String> loaded(String log, String from) {
    return log.lines()
        .dropWhile(line -> !line.contains(from))
        .map(LOADED::matcher)
        .filter(Matcher::find)
        .map(found -> found.group(1).replace(SHADED, ""))
        .distinct()
        .toList();
  }

  /**
   * Names read ahead are of classes that processes load, and most of those that so many of them
   * load are read ahead. A list for the classes as they are now is written.
   */
  private static void assertReadAhead(String list, List<List<String>> processes, int least)
      throws IOException {
    Map<String, Integer> loads = new LinkedHashMap<>();
    processes.forEach(names -> names.forEach(name -> loads.merge(name, 1, Integer::sum)));
    List<String> usual = loads.keySet().stream().filter(name -> loads.get(name) >= least).toList();
    Path fresh = JAR.resolveSibling(list);
    Files.write(fresh, usual);
    Set<String> ahead = new LinkedHashSet<>(text("io/gpdb/planner/" + list).lines().toList());
    assertThat(ahead.stream().filter(loads::containsKey).count())
        .as("names that a process loads; %s has a list of all", fresh)
        .isGreaterThan(ahead.size() * 19L / 20);
    assertThat(usual.stream().filter(ahead::contains).count())
        .as("classes that are read ahead; %s has a list of all", fresh)
        .isGreaterThan(usual.size() * 9L / 10);
  }

  /** The path of a database whose table T has two rows. */
  private String counted() throws SQLException {
    String database = folder.resolve("counted").toString();
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + database);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
      statement.execute("INSERT INTO t VALUES (1), (2)");
    }
    return database;
  }

  /** Whoever only reads pays for nothing that writes, and for no planner to count. */
  @Test
  void countingLoadsNeitherThePlannerNorWhatWritesRoots() throws Exception {
    assertThat(classesOf(CountingProgram.class, "2\n", counted()))
        .doesNotContain("io.gpdb.sql.parser.generated.GpSqlParser ")
        .doesNotContain("openhft")
        .doesNotContain("java.lang.management.ManagementFactory ");
  }

  @Test
  void everyClassThatMayBeUsedLinks() throws IOException {
    URL[] place = {JAR.toUri().toURL()};
    List<String> failed = new ArrayList<>();
    try (URLClassLoader loader = new URLClassLoader(place, ClassLoader.getPlatformClassLoader())) {
      for (String name : classNames()) {
        try {
          Class<?> loaded = Class.forName(name, false, loader);
          loaded.getDeclaredMethods(); // links it
        } catch (ReflectiveOperationException | LinkageError e) {
          String original = name.replace(SHADED, "");
          if (!UNLINKED.matcher(original).matches()) {
            failed.add(original + ": " + e);
          }
        }
      }
    }
    assertThat(failed).isEmpty();
  }

  @Test
  void theJarIsSmallAndNamesItsLibraries() throws IOException {
    assertThat(libraryBytes()).isBetween(1_000_000L, LIBRARY_BYTES_MAX);
    Set<String> packed = new HashSet<>(classNames());
    assertThat(packed).noneMatch(name -> name.contains("codehaus") || name.contains("Janino"));
    Set<String> used = new TreeSet<>();
    for (String path :
        System.getProperty("surefire.test.class.path", "").split(File.pathSeparator, -1)) {
      String file = Path.of(path).getFileName().toString();
      if (file.endsWith(".jar") && !file.startsWith("gpdb-")) {
        try (JarFile library = new JarFile(path)) {
          if (library.stream()
              .map(AllJarIT::className)
              .anyMatch(n -> packed.contains(SHADED + n))) {
            used.add(file.substring(0, file.length() - ".jar".length()));
          }
        }
      }
    }
    assertThat(text("META-INF/LIBRARIES").lines().skip(3).map(AllJarIT::library))
        .containsExactlyElementsOf(used);
    assertThat(text("META-INF/LICENSE")).contains("Apache License");
    assertThat(text("META-INF/NOTICE")).contains("gpDB", "Apache Calcite", "LucidDB", "Orekit");
    assertThat(text("META-INF/licenses/jts.txt")).contains("Eclipse Distribution License");
    assertThat(text("META-INF/licenses/slf4j.txt")).contains("QOS.ch");
    assertThat(text("META-INF/licenses/commons-math3.txt")).contains("Minpack");
  }

  private static String library(String line) {
    String[] words = line.split(" ", -1);
    return words[0] + "-" + words[1];
  }

  private static long libraryBytes() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      return jar.stream()
          .filter(e -> !isOurs(e.getName()))
          .mapToLong(JarEntry::getCompressedSize)
          .sum();
    }
  }

  private static boolean isOurs(String file) {
    return file.startsWith("io/gpdb/") && !file.startsWith("io/gpdb/shaded/");
  }

  private static List<String> classNames() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      return jar.stream()
          .filter(entry -> entry.getName().endsWith(".class"))
          .map(AllJarIT::className)
          .toList();
    }
  }

  private static String className(JarEntry entry) {
    return entry.getName().replaceFirst("\\.class$", "").replace('/', '.');
  }

  private static String text(String name) throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile());
        InputStream in = jar.getInputStream(jar.getEntry(name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void nothingIsCompiledAtRunTime() throws IOException {
    assertThat(classNames())
        .isNotEmpty()
        .noneMatch(name -> name.contains("codehaus") || name.contains("anino"));
  }

  /** Janino is not there to compile it. */
  @Test
  void whatWritesProgramsIsLeftOut() throws IOException {
    String convention = "io/gpdb/shaded/org/apache/calcite/adapter/enumerable/";
    assertThat(CodeGeneration.isLeftOut(convention + "EnumerableRel.class")).isTrue();
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(jar.stream().map(JarEntry::getName).filter(CodeGeneration::isLeftOut)).isEmpty();
    }
  }

  @Test
  void everyClassIsOursOrUnderOurName() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      List<String> foreign =
          jar.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.endsWith(".class") && !name.startsWith("io/gpdb/"))
              .toList();
      assertThat(foreign).isEmpty();
      assertThat(jar.stream().filter(entry -> entry.getName().matches("META-INF/.*\\.(SF|RSA)")))
          .isEmpty();
      String drivers =
          new String(
              jar.getInputStream(jar.getEntry("META-INF/services/java.sql.Driver")).readAllBytes(),
              StandardCharsets.UTF_8);
      assertThat(drivers.strip()).isEqualTo("io.gpdb.jdbc.GpdbDriver");
    }
  }
}
