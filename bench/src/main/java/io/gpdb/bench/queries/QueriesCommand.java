package io.gpdb.bench.queries;

import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.Machine;
import io.gpdb.bench.harness.Progress;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import io.gpdb.bench.peers.Peer;
import io.gpdb.bench.queries.QueriesReport.OfQuery;
import io.gpdb.bench.queries.Workload.Query;
import io.gpdb.bench.tpch.PlanEstimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Queries that the user brings, on gpDB and other databases. */
@Command(
    name = "queries",
    mixinStandardHelpOptions = true,
    description = {
      "Loads tables of your own, whose rows are in a file each, and asks queries of your own:",
      "whether all databases answer alike, how long planning and running takes, and with",
      "--estimates how many rows gpDB expected of each operator and how many came (q-errors).",
      "Exit status 1 when a query fails or two answers differ."
    })
public final class QueriesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--schema",
      required = true,
      description = "File of CREATE TABLE and other statements, with a semicolon after each.")
  private Path schema = Path.of("");

  @Option(
      names = "--data",
      required = true,
      description = "Folder with a file of rows for each table: its name and --suffix.")
  private Path data = Path.of("");

  @Option(
      names = "--queries",
      required = true,
      description = "Folder with a file .sql for each query.")
  private Path queries = Path.of("");

  @Option(names = "--only", split = ",", description = "The names of files of queries to ask.")
  private List<String> only = List.of();

  @Option(
      names = "--peers",
      split = ",",
      description = "Which databases, gpdb alone or with duckdb (default: gpdb).")
  private List<String> peers = List.of("gpdb");

  @Option(
      names = "--workers",
      converter = Count.One.class,
      description = "Threads of one statement (default: all processors).")
  private int workers = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--rounds",
      defaultValue = "3",
      converter = Count.Zero.class,
      description = "Runs of each query after the first (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--limit",
      defaultValue = "300",
      converter = Count.One.class,
      description = "Seconds after which a query is stopped (default: ${DEFAULT-VALUE}).")
  private int limitSeconds = 300;

  @Option(names = "--analyze", description = "Run ANALYZE before the queries.")
  private boolean analyze;

  @Option(
      names = "--estimates",
      description = "Show how far off gpDB's estimates of rows are (q-error).")
  private boolean estimates;

  @Option(
      names = "--all-rows",
      description = {
        "Leave out a LIMIT at the end of a query: where rows of equal rank are more than it",
        "lets through, two right answers differ."
      })
  private boolean allRows;

  @Option(
      names = "--suffix",
      defaultValue = ".csv",
      description = "Of files of rows (default: ${DEFAULT-VALUE}).")
  private String suffix = ".csv";

  @Option(
      names = "--delimiter",
      defaultValue = "|",
      description = "Between values (default: ${DEFAULT-VALUE}).")
  private String delimiter = "|";

  @Option(
      names = "--quote",
      defaultValue = "\"",
      description = "Around values (default: ${DEFAULT-VALUE}).")
  private String quote = "\"";

  @Option(
      names = "--null",
      defaultValue = "",
      description = "How a NULL is written (default: nothing between two delimiters).")
  private String missing = "";

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws SQLException, IOException {
    requirePeers();
    Workload workload = Workload.read(schema, queries);
    QueriesReport report;
    Map<String, Connection> connections = new LinkedHashMap<>();
    try (ScratchDirectory scratch = scratchFolder.open();
        Progress progress = new Progress()) {
      try {
        for (String name : peers) {
          progress.step(name + ": loading");
          Path directory = Files.createDirectories(scratch.fresh());
          Connection connection = Peer.required(name).connect(directory, workers);
          connections.put(name, connection);
          Workload.Format format = new Workload.Format(suffix, delimiter, quote, missing);
          workload.load(connection, data, format, table -> progress.part(name + ": " + table));
          analyze(connection);
        }
        report = new QueriesReport(Machine.words(), asked(workload, connections, progress));
      } finally {
        for (Connection connection : connections.values()) {
          connection.close();
        }
      }
    }
    report.print(peers, System.out);
    json.write(report);
    return report.equal() == report.queries().size() ? 0 : 1;
  }

  private void requirePeers() {
    for (String name : peers) {
      Peer peer = Peer.named(name);
      if (peer == null || !peer.hasWorkers() || !peer.hasDriver()) {
        throw new ParameterException(
            spec.commandLine(), "--peers takes gpdb and duckdb, with its driver, not " + name);
      }
    }
    if (estimates && !peers.contains(Peer.GPDB.label())) {
      throw new ParameterException(spec.commandLine(), "--estimates means nothing without gpdb");
    }
  }

  private void analyze(Connection connection) throws SQLException {
    if (analyze) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("ANALYZE");
      }
    }
  }

  private List<OfQuery> asked(
      Workload workload, Map<String, Connection> connections, Progress progress) {
    List<OfQuery> all = new ArrayList<>();
    for (Query each : workload.queries()) {
      if (!only.isEmpty() && !only.contains(each.name())) {
        continue;
      }
      Query query = allRows ? each.withoutLimit() : each;
      Map<String, AnswerOf> answers = new LinkedHashMap<>();
      connections.forEach(
          (name, connection) -> {
            progress.step(query.name() + ": " + name);
            answers.put(name, AnswerOf.ask(connection, query, rounds, limitSeconds));
          });
      all.add(OfQuery.of(query.name(), answers, estimates(query, connections)));
    }
    return all;
  }

  private List<PlanEstimate> estimates(Query query, Map<String, Connection> connections) {
    Connection own = connections.get(Peer.GPDB.label());
    if (!estimates || own == null) {
      return List.of();
    }
    try (Statement statement = own.createStatement()) {
      statement.setQueryTimeout(limitSeconds);
      return PlanEstimate.of(statement, query.sql());
    } catch (SQLException e) {
      return List.of(); // its failure is that of the query
    }
  }
}
