package io.gpdb.bench.tpch;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpdb.bench.harness.PeakMemory;
import io.gpdb.bench.tpch.TpchAnswers.Answer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The process of one contestant. It either loads the tables or answers: for each line, which is a
 * query's number, a line with a {@link TpchMeasured}.
 */
final class TpchChild {
  static final String LOAD = "load";
  static final String ASK = "ask";

  /** What begins a line that says how far loading is. */
  static final String TOLD = "# ";

  private TpchChild() {}

  /**
   * Arguments: the contestant, its folder, and either {@link #LOAD}, scale factor and seed, or
   * {@link #ASK}, runs after the first, and the seconds after which there are no more.
   */
  public static void main(String[] arguments) throws SQLException, IOException {
    PrintStream out = System.out;
    System.setOut(System.err); // what a database prints is no answer
    TpchContestant contestant = TpchContestant.parse(arguments[0]);
    Path directory = Files.createDirectories(Path.of(arguments[1]));
    try (Connection connection = contestant.connect(directory)) {
      if (arguments[2].equals(LOAD)) {
        TpchTables.load(
            connection,
            new TpchScale(Double.parseDouble(arguments[3])),
            Long.parseLong(arguments[4]),
            table -> out.println(TOLD + table));
      } else {
        ask(connection, Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]), out);
      }
    }
  }

  private static void ask(Connection connection, int rounds, int seconds, PrintStream out)
      throws SQLException, IOException {
    ObjectMapper json = new ObjectMapper();
    BufferedReader queries =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Statement statement = connection.createStatement()) {
      for (String line = queries.readLine(); line != null; line = queries.readLine()) {
        String query = TpchQueries.ALL.get(Integer.parseInt(line) - 1);
        try (PeakMemory memory = PeakMemory.begin()) {
          Answer answer = TpchAnswers.answer(statement, query, rounds, seconds);
          out.println(json.writeValueAsString(TpchMeasured.of(answer, memory.peak())));
        }
        out.flush();
      }
    }
  }
}
