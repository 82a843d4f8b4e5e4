package io.gpdb.shell;

import io.gpdb.jdbc.GpdbConnection;
import io.gpdb.jdbc.metadata.DriverVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code gpdb shell}: a prompt on a terminal; otherwise, or with -c and -f, a script that ends with
 * status 1 at its first error.
 */
@Command(
    name = "shell",
    mixinStandardHelpOptions = true,
    description = "The SQL shell; without a PATH on a database in memory.")
final class ShellCommand implements Callable<Integer> {
  private static final String MEMORY = "mem:";

  @Spec private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

  @Parameters(
      paramLabel = "PATH",
      arity = "0..1",
      description = "The database's directory, made when missing, or a jdbc:gpdb: URL.")
  private @Nullable String path;

  @Option(
      names = "--read-only",
      description = "Open for reading only: nothing is written, and others may read as well.")
  private boolean readOnly;

  @ArgGroup(exclusive = false, multiplicity = "0..*")
  private List<Input> inputs = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "How results are shown: table, csv or json.")
  private OutputFormat format = OutputFormat.TABLE;

  /** One -c or -f; they run in the order given. */
  static final class Input {
    @Option(
        names = "-c",
        paramLabel = "SQL",
        description = "Run these statements and dot-commands, then leave.")
    private @Nullable String text;

    @Option(names = "-f", paramLabel = "FILE", description = "Run a file, then leave.")
    private @Nullable Path file;
  }

  @Override
  public Integer call() throws SQLException, IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (readOnly && (path == null || path.startsWith(MEMORY))) {
      throw new ShellError("--read-only wants the PATH of a database");
    }
    String options = readOnly ? ";readonly=true" : "";
    try (GpdbConnection connection = Connections.open(path == null ? MEMORY : path, options)) {
      String made = path;
      if (made != null && !connection.isInMemory() && connection.isNewDatabase()) {
        err.println("made a new database: " + connection.place());
        err.flush();
      }
      if (inputs.isEmpty() && isTerminal()) {
        return interact(connection);
      }
      Shell shell = new Shell(connection, new Console(out, err, isTerminal(), 0), format);
      shell.setTiming(false);
      String piped =
          inputs.isEmpty()
              ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
              : ""; // read before anything is to be ended
      try (Interruption _ = new Interruption(connection)) {
        return runInputs(shell, piped);
      }
    }
  }

  @SuppressWarnings("SystemConsoleNull") // it is null without a terminal on JDK 25
  private static boolean isTerminal() {
    java.io.Console console = System.console();
    return console != null && console.isTerminal();
  }

  private int runInputs(Shell shell, String piped) {
    try {
      for (Input input : inputs) {
        if (input.text != null) {
          shell.runScript(input.text);
        }
        if (input.file != null) {
          shell.runFile(input.file);
        }
      }
      shell.runScript(piped);
      return 0;
    } catch (SQLException | RuntimeException e) {
      shell.console().error(e);
      return GpdbCommand.FAILED;
    }
  }

  private int interact(GpdbConnection connection) throws IOException, SQLException {
    try (LineEditor editor = new LineEditor()) {
      Shell shell = new Shell(connection, editor.console(), format);
      PrintWriter out = shell.console().out();
      out.println(banner(shell));
      out.println("SQL ends with a semicolon; .help lists the shell's own commands.");
      editor.run(shell);
      return 0;
    }
  }

  private String banner(Shell shell) throws SQLException {
    String place =
        path == null
            ? " in memory"
            : " on " + Path.of(path.replaceFirst(";.*", "")).toAbsolutePath();
    String domain = DotCommands.setting(shell, "persistence_domain");
    String meaning =
        switch (domain) {
          case "POWER" -> "commits survive power loss";
          case "PROCESS" -> "commits survive a killed process, not power loss";
          default -> "nothing survives the end of this process";
        };
    return DriverVersion.PRODUCT
        + " "
        + DriverVersion.TEXT
        + place
        + (readOnly ? ", read-only" : "")
        + ", persistence domain "
        + domain
        + ": "
        + meaning;
  }
}
