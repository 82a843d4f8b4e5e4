package io.gpdb.bench.peers;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The process in which one database does all the work; prints each figure as a line of JSON, and
 * what it does besides as lines that begin with {@link #TOLD}.
 */
final class PeerChild {
  static final String QUERIES = "queries";
  static final String AT_REST = "at rest";
  static final String TOLD = "# ";

  private final PrintStream out;
  private final ObjectMapper json = new ObjectMapper();
  private final Peer peer;
  private final Path directory;
  private final int workers;
  private final PeerSizes sizes;

  private PeerChild(PrintStream out, Peer peer, Path directory, int workers, PeerSizes sizes) {
    this.out = out;
    this.peer = peer;
    this.directory = directory;
    this.workers = workers;
    this.sizes = sizes;
  }

  /** Arguments: peer, directory, workers, and the numbers of {@link PeerSizes}. */
  public static void main(String[] arguments) throws SQLException, IOException {
    PrintStream out = System.out;
    System.setOut(System.err); // what a database prints is no figure
    Peer peer = Peer.required(arguments[0]);
    PeerSizes sizes = PeerSizes.parse(arguments[3]);
    Path directory = Files.createDirectories(Path.of(arguments[1]));
    new PeerChild(out, peer, directory, Integer.parseInt(arguments[2]), sizes).run();
  }

  private void run() throws SQLException, IOException {
    try (Connection connection = peer.connect(directory, workers)) {
      new KeyedWork(peer, connection, directory, workers, sizes).run(this::tell, this::tell);
      new AppendedWork(peer, connection, sizes).run(this::tell);
      PeerRows.create(connection);
      PeerRows.fill(connection, sizes.rows(), this::tell);
      for (PeerQuery query : PeerQuery.ALL) {
        tell(query.name());
        tell(measure(connection, query));
      }
    }
    peer.shutDown(directory);
    tell(new Measured(AT_REST, "bytes after close", "MB", false, List.of(bytes() / 1e6), null));
  }

  private void tell(Measured measured) {
    try {
      out.println(json.writeValueAsString(measured));
      out.flush();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void tell(String text) {
    out.println(TOLD + text);
    out.flush();
  }

  /** At least once, and then until it has run often enough or the time is up. */
  private Measured measure(Connection connection, PeerQuery query) {
    List<Double> millis = new ArrayList<>();
    long end = System.nanoTime() + sizes.workSeconds() * 1_000_000_000L;
    try (Statement statement = connection.createStatement()) {
      while (millis.size() < sizes.runs() && (millis.isEmpty() || System.nanoTime() < end)) {
        long start = System.nanoTime();
        if (statement.execute(peer.dialect(query.sql()))) {
          readAll(statement);
        }
        millis.add((System.nanoTime() - start) / 1e6);
      }
      return new Measured(QUERIES, query.name(), "ms", false, millis, null);
    } catch (SQLException e) {
      return Measured.refused(QUERIES, query.name(), "ms", false, String.valueOf(e.getMessage()));
    }
  }

  private static void readAll(Statement statement) throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        for (int column = 1; column <= columns; column++) {
          rows.getObject(column);
        }
      }
    }
  }

  private long bytes() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      long sum = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        sum += Files.size(file);
      }
      return sum;
    }
  }
}
