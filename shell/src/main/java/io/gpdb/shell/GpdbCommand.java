package io.gpdb.shell;

import io.gpdb.jdbc.DriverVersion;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
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
      description = "Reads every byte of a database and reports what is wrong and where.")
  static final class Check implements Callable<Integer> {
    @Spec private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Parameters(paramLabel = "PATH", description = "The database's directory.")
    private String path = "";

    @Override
    public Integer call() throws Exception {
      PrintWriter out = spec.commandLine().getOut();
      try (var connection = Connections.open(path, ";create=false;readonly=true")) {
        var problems = connection.check();
        problems.forEach(out::println);
        if (problems.isEmpty()) {
          out.println(path + ": no problem found");
        }
        return problems.isEmpty() ? 0 : FAILED;
      }
    }
  }
}
