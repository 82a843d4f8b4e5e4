package io.gpdb.shell;

import io.gpdb.jdbc.DatabaseCheck;
import io.gpdb.jdbc.metadata.DriverVersion;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code gpdb} command: shell, check, version. */
@Command(
    name = "gpdb",
    mixinStandardHelpOptions = true,
    versionProvider = GpdbCommand.Version.class,
    description = "gpDB: an embedded SQL database whose transactions run as GPU kernels.",
    subcommands = {ShellCommand.class, GpdbCommand.Check.class, GpdbCommand.ShowVersion.class})
public final class GpdbCommand {
  static final int FAILED = 1;
  static final int NOT_CHECKED = 2;

  private GpdbCommand() {}

  public static void main(String[] arguments) {
    PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int status = run(out, err, arguments);
    out.flush();
    err.flush();
    System.exit(status);
  }

  static int run(PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine command = new CommandLine(new GpdbCommand());
    command.setOut(out);
    command.setErr(err);
    command.setCaseInsensitiveEnumValuesAllowed(true);
    command.setExecutionExceptionHandler(
        (failure, at, parsed) -> {
          out.flush();
          err.println(ShellError.line(failure));
          return FAILED;
        });
    return command.execute(arguments);
  }

  /** The version of the driver, which is that of everything. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {DriverVersion.PRODUCT + " " + DriverVersion.TEXT};
    }
  }

  @Command(name = "version", description = "Prints the version.")
  static final class ShowVersion implements Callable<Integer> {
    @Spec private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Override
    public Integer call() {
      spec.commandLine().getOut().println(DriverVersion.PRODUCT + " " + DriverVersion.TEXT);
      return 0;
    }
  }

  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description = "Reads every byte of a database and reports what is wrong and where.",
      exitCodeListHeading = "Exit status:%n",
      exitCodeList = {
        " 0:no problem found",
        " 1:problems found, one line each",
        " 2:not checked: no database there, no permission, or in use"
      })
  static final class Check implements Callable<Integer> {
    @Spec private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Parameters(paramLabel = "PATH", description = "The database's directory.")
    private String path = "";

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      List<String> problems;
      try {
        problems = DatabaseCheck.run(Path.of(path));
      } catch (SQLException | InvalidPathException e) {
        spec.commandLine().getErr().println(ShellError.line(e));
        return NOT_CHECKED;
      }
      problems.forEach(out::println);
      if (problems.isEmpty()) {
        out.println(path + ": no problem found");
      }
      return problems.isEmpty() ? 0 : FAILED;
    }
  }
}
