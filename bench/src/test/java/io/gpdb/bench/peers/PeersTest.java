package io.gpdb.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.Spread;
import io.gpdb.bench.peers.PeersReport.Contestant;
import io.gpdb.bench.peers.PeersReport.Figure;
import io.gpdb.jdbc.GpdbDriver;
import java.io.File;
import java.io.StringReader;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.InputSource;

/** That the databases do the same work, and that the report says what was found. */
@Timeout(120)
class PeersTest {
  private static final int ROWS = 3000;
  private static final PeerSizes SIZES = new PeerSizes(ROWS, 500, 2, 2, 10, 10);

  @TempDir Path directory;
  private String logOfDerby = "";

  @BeforeEach
  void keepTheLogOfDerby() {
    logOfDerby = System.getProperty("derby.stream.error.file", "");
    System.setProperty("derby.stream.error.file", directory.resolve("derby.log").toString());
  }

  @AfterEach
  void restore() {
    System.setProperty("derby.stream.error.file", logOfDerby);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 500, 3000, 200_000, 999_983, 1_000_000})
  void keysComeOnceEachAndFarFromTheirNeighbours(int keys) {
    long step = KeyedWork.keyStep(keys);
    boolean[] seen = new boolean[keys];
    for (long i = 0; i < keys; i++) {
      seen[(int) (i * step % keys)] = true;
    }
    for (boolean each : seen) {
      assertThat(each).isTrue();
    }
    assertThat(Math.min(step % keys, keys - step % keys)).isGreaterThanOrEqualTo(keys / 4);
  }

  @ParameterizedTest
  @EnumSource(Peer.class)
  void aProcessFindsTheDriverOfItsDatabaseAndNoOther(Peer peer) throws Exception {
    List<URL> parts = new ArrayList<>();
    for (String part : PeerClassPath.of(peer).split(File.pathSeparator, -1)) {
      parts.add(Path.of(part).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(parts.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      for (Peer other : Peer.values()) {
        String driver = other.driver().orElseThrow().getClass().getName();
        boolean own = driver.equals(peer.driver().orElseThrow().getClass().getName());
        boolean found =
            ServiceLoader.load(Driver.class, loader).stream()
                .anyMatch(provider -> provider.type().getName().equals(driver));
        assertThat(found).as("%s for %s", driver, peer).isEqualTo(own);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Peer.class)
  void aProcessOfGpdbHasThePackedDriverFirst(Peer peer) {
    String alone = PeerClassPath.of(peer);
    System.setProperty(PeerClassPath.PACKED_DRIVER, "packed.jar");
    try {
      boolean isOfGpdb = peer.driver().orElseThrow() instanceof GpdbDriver;
      String first = isOfGpdb ? "packed.jar" + File.pathSeparator : "";
      assertThat(PeerClassPath.of(peer)).isEqualTo(first + alone);
    } finally {
      System.clearProperty(PeerClassPath.PACKED_DRIVER);
    }
  }

  /** The statements in their order, with the answers of gpDB; changes count, too. */
  private static List<List<Double>> answers(Peer peer, Path directory) throws Exception {
    Files.createDirectories(directory);
    List<List<Double>> answers = new ArrayList<>();
    try (Connection connection = peer.connect(directory, 2)) {
      PeerRows.create(connection);
      PeerRows.fill(connection, ROWS, _ -> {});
      try (Statement statement = connection.createStatement()) {
        for (PeerQuery query : PeerQuery.ALL) {
          answers.add(answer(statement, peer.dialect(query.sql())));
        }
        answers.add(answer(statement, "SELECT COUNT(*), SUM(v) FROM t"));
      }
    }
    peer.shutDown(directory);
    return answers;
  }

  /** All numbers of the first row and how many rows there are; nothing where it is refused. */
  private static List<Double> answer(Statement statement, String sql) {
    List<Double> answer = new ArrayList<>();
    try {
      if (!statement.execute(sql)) {
        return List.of((double) statement.getUpdateCount());
      }
      try (ResultSet rows = statement.getResultSet()) {
        double count = 0;
        while (rows.next()) {
          for (int column = 1; count == 0 && column <= numbers(rows); column++) {
            if (rows.getObject(column) instanceof Number number) {
              answer.add(number.doubleValue());
            }
          }
          count++;
        }
        answer.add(count);
      }
      return answer;
    } catch (SQLException e) {
      return List.of();
    }
  }

  /** Groups without an order come in any. */
  private static int numbers(ResultSet rows) throws SQLException {
    int columns = rows.getMetaData().getColumnCount();
    return columns == 3 && rows.getMetaData().getColumnName(1).equalsIgnoreCase("g") ? 0 : columns;
  }

  @Test
  void allDatabasesHaveTheAnswersOfGpdb() throws Exception {
    List<List<Double>> expected = answers(Peer.GPDB, directory.resolve("gpdb"));
    assertThat(expected).doesNotContain(List.of());
    for (Peer peer : List.of(Peer.H2, Peer.HSQLDB, Peer.DERBY, Peer.SQLITE, Peer.DUCKDB)) {
      List<List<Double>> found = answers(peer, directory.resolve(peer.label()));
      int refused = 0;
      for (int i = 0; i < expected.size(); i++) {
        if (found.get(i).isEmpty()) {
          refused++;
          continue;
        }
        assertThat(found.get(i)).as("%s, statement %d", peer, i).hasSameSizeAs(expected.get(i));
        for (int j = 0; j < found.get(i).size(); j++) {
          double value = expected.get(i).get(j);
          assertThat(found.get(i).get(j))
              .as("%s, statement %d, number %d", peer, i, j)
              .isCloseTo(value, within(Math.max(1, Math.abs(value)) * 1e-5));
        }
      }
      // Neither numbers the rows of a partition.
      assertThat(refused).isEqualTo(peer == Peer.HSQLDB || peer == Peer.DERBY ? 1 : 0);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GPDB", "SQLITE", "HSQLDB_DEFAULT"})
  void keyedWorkHasAFigureForEachSort(Peer peer) throws Exception {
    List<Measured> found = new ArrayList<>();
    try (Connection connection = peer.connect(directory, 1)) {
      new KeyedWork(peer, connection, directory, 1, SIZES).run(found::add, _ -> {});
    }
    assertThat(found).extracting(Measured::refusal).containsOnlyNulls();
    assertThat(found)
        .extracting(Measured::name)
        .containsExactly(
            "INSERT",
            "UPDATE",
            "1 connection",
            "2 connections",
            "1 connection",
            "2 connections",
            "DELETE");
    assertThat(found).allMatch(measured -> measured.values().stream().allMatch(v -> v >= 0));
  }

  @Test
  void appendersAddTheSameRows() throws Exception {
    List<List<Object>> sums = new ArrayList<>();
    for (Peer peer : List.of(Peer.GPDB, Peer.DUCKDB)) {
      Path place = Files.createDirectories(directory.resolve(peer.label()));
      List<Measured> found = new ArrayList<>();
      try (Connection connection = peer.connect(place, 1)) {
        AppendedWork work = new AppendedWork(peer, connection, SIZES);
        work.run(found::add);
        work.create();
        work.append(0, ROWS);
        sums.add(sums(connection));
      }
      assertThat(found).singleElement().extracting(Measured::refusal).isNull();
      assertThat(found.getFirst().values()).isNotEmpty().allMatch(rate -> rate > 0);
    }
    assertThat(sums.getFirst()).hasSize(8).startsWith((long) ROWS);
    assertThat(sums.getFirst()).isEqualTo(sums.getLast());
  }

  private static List<Object> sums(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT COUNT(*), SUM(id), SUM(b), MAX(c), MAX(d), COUNT(DISTINCT s), SUM(n),"
                    + " SUM(o) FROM e")) {
      row.next();
      List<Object> sums = new ArrayList<>();
      for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
        sums.add(column == 5 ? row.getDouble(column) : (Object) row.getLong(column));
      }
      return sums;
    }
  }

  @Test
  void whereThereIsNoAppenderNothingIsAppended() throws Exception {
    List<Measured> found = new ArrayList<>();
    try (Connection connection = Peer.SQLITE.connect(directory, 1)) {
      new AppendedWork(Peer.SQLITE, connection, SIZES).run(found::add);
    }
    assertThat(found).isEmpty();
  }

  /** A statement for each row takes minutes there. */
  @Test
  void batchesEndWhenTheTimeIsUp() throws Exception {
    PeerSizes none = new PeerSizes(ROWS, 2500, 2, 1, 1, 0);
    List<Measured> found = new ArrayList<>();
    try (Connection connection = Peer.DUCKDB.connect(directory, 1)) {
      new KeyedWork(Peer.DUCKDB, connection, directory, 1, none).run(found::add, _ -> {});
    }
    assertThat(found).extracting(Measured::refusal).containsOnlyNulls();
    assertThat(found)
        .filteredOn(measured -> measured.section().equals(KeyedWork.BATCHES))
        .allSatisfy(measured -> assertThat(measured.values()).as(measured.name()).isEmpty());
  }

  /** What the takers of a process were told. */
  private record Told(List<Measured> figures, List<String> parts, List<String> ends)
      implements PeerProcess.Taker {
    Told() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    @Override
    public void figure(Measured measured) {
      figures.add(measured);
    }

    @Override
    public void part(String text) {
      parts.add(text);
    }

    @Override
    public void end(String reason) {
      ends.add(reason);
    }
  }

  @Test
  void aProcessThatIsEndedIsToldOf() throws Exception {
    Told told = new Told();
    new PeerProcess(Contestant.of(Peer.SQLITE, 1), SIZES, "1g", 0)
        .run(directory.resolve("ended"), told);
    assertThat(told.ends()).containsExactly("ended after its limit of time");
    assertThat(told.figures()).isEmpty();
  }

  @Test
  void halfAFigureIsNone() {
    Told told = new Told();
    PeerProcess.take(PeerChild.TOLD + "filling", told);
    PeerProcess.take("{\"section\":\"queries\",\"na", told);
    assertThat(told.figures()).isEmpty();
    assertThat(told.parts()).containsExactly("filling", "half a figure");
  }

  @Test
  void sizesGoToAProcessAndBack() {
    assertThat(PeerSizes.parse(SIZES.words())).isEqualTo(SIZES);
  }

  private static Measured measured(String name, boolean higherIsBetter, Double... values) {
    return new Measured("s", name, "ms", higherIsBetter, List.of(values), null);
  }

  /** What is not durable is no measure, nor is another number of workers. */
  @Test
  void theRatioIsToTheBestDurablePeerWithAsManyWorkers() {
    Contestant ours = Contestant.of(Peer.GPDB, 2);
    Map<Contestant, List<Measured>> found = new LinkedHashMap<>();
    found.put(ours, List.of(measured("q", false, 9.0, 4.0, 4.0), measured("r", true, 1.0, 6.0)));
    found.put(Contestant.of(Peer.H2_DEFAULT, 2), List.of(measured("q", false, 1.0, 1.0)));
    found.put(Contestant.of(Peer.DUCKDB, 16), List.of(measured("q", false, 1.0, 1.0)));
    found.put(Contestant.of(Peer.DUCKDB, 2), List.of(measured("q", false, 3.0, 2.0)));
    found.put(
        Contestant.of(Peer.SQLITE, 2),
        List.of(measured("q", false, 8.0, 8.0), measured("r", true, 2.0, 3.0)));
    List<Figure> figures = PeersReport.figures(found);
    List<Contestant> all = List.copyOf(found.keySet());
    assertThat(figures).extracting(Figure::name).containsExactly("q", "r");
    assertThat(figures.get(0).ratio(ours, all)).isEqualTo(0.5);
    assertThat(figures.get(1).ratio(ours, all)).isEqualTo(2.0);
    assertThat(figures.get(0).results().get(ours.name()).first().median()).isEqualTo(9.0);
  }

  @Test
  void thePageIsWellFormedAndSaysWhatIsNotThere() throws Exception {
    Contestant ours = Contestant.of(Peer.GPDB, 1);
    Contestant other = Contestant.of(Peer.DERBY, 1);
    Map<Contestant, List<Measured>> found = new LinkedHashMap<>();
    found.put(ours, List.of(measured("a < b", false, 2.0, 1.0)));
    found.put(other, List.of(Measured.refused("s", "a < b", "ms", false, "not \"here\" & now")));
    Spread one = Spread.of(1.0);
    PeersReport report =
        new PeersReport(
            "a machine",
            new MachineLimits(one, one),
            SIZES,
            1,
            List.of(ours, other),
            PeersReport.figures(found),
            List.of("derby: ended"));
    String html = new PeersPage(report).html();
    assertThat(html)
        .contains("not &quot;here&quot; &amp; now")
        .contains("gpdb, 1 worker<")
        .contains("derby: ended<");
    Matcher svg = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL).matcher(html);
    assertThat(svg.find()).isTrue();
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg.group())));
  }

  @Test
  void namesOfDatabasesAreThoseOfTheOption() {
    assertThat(Peer.labels()).contains("gpdb", "h2-default").allMatch(l -> Peer.named(l) != null);
    assertThat(Peer.named("oracle")).isNull();
    assertThatThrownBy(() -> PeerSizes.parse("1,2")).isInstanceOf(RuntimeException.class);
  }
}
