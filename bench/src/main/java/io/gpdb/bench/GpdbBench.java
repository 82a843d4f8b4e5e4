package io.gpdb.bench;

import io.gpdb.bench.calls.CallsCommand;
import io.gpdb.bench.crash.CrashCommand;
import io.gpdb.bench.device.DeviceCommand;
import io.gpdb.bench.device.DeviceTablesCommand;
import io.gpdb.bench.device.FiguresCommand;
import io.gpdb.bench.device.SpreadCommand;
import io.gpdb.bench.device.StatementsCommand;
import io.gpdb.bench.faults.FaultsCommand;
import io.gpdb.bench.formats.FormatsCommand;
import io.gpdb.bench.grammar.GrammarCommand;
import io.gpdb.bench.isolation.IsolationCommand;
import io.gpdb.bench.kill.KillCommand;
import io.gpdb.bench.limits.LimitsCommand;
import io.gpdb.bench.micro.MicroCommand;
import io.gpdb.bench.mutants.MutantsCommand;
import io.gpdb.bench.peers.PeersCommand;
import io.gpdb.bench.powerloss.PowerLossCommand;
import io.gpdb.bench.queries.QueriesCommand;
import io.gpdb.bench.slt.SltCommand;
import io.gpdb.bench.soak.SoakCommand;
import io.gpdb.bench.tpcc.TpccCommand;
import io.gpdb.bench.tpch.TpchCommand;
import io.gpdb.storage.error.GpdbException;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code gpdb bench} command; without a subcommand it runs the paper's workload. */
@Command(
    name = "gpdb bench",
    mixinStandardHelpOptions = true,
    description = "Measures gpDB on this machine.",
    subcommands = {
      InsertUpdateCommand.class,
      SpeedCommand.class,
      IndexCommand.class,
      CommitsCommand.class,
      PersistencyCommand.class,
      CrashCommand.class,
      KillCommand.class,
      IsolationCommand.class,
      PowerLossCommand.class,
      FaultsCommand.class,
      FormatsCommand.class,
      GrammarCommand.class,
      MutantsCommand.class,
      SoakCommand.class,
      CallsCommand.class,
      TpccCommand.class,
      TpchCommand.class,
      QueriesCommand.class,
      SltCommand.class,
      LimitsCommand.class,
      MicroCommand.class,
      PeersCommand.class,
      StatementsCommand.class,
      FiguresCommand.class,
      DeviceCommand.class,
      DeviceTablesCommand.class,
      SpreadCommand.class
    })
public final class GpdbBench {
  private static final String DEFAULT_COMMAND = "insert-update";

  private GpdbBench() {}

  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  static int run(String... arguments) {
    CommandLine command = new CommandLine(new GpdbBench());
    command.setExecutionExceptionHandler(
        (failure, at, parsed) -> {
          at.getErr().println("error: " + message(failure));
          if (isUnexpected(failure)) {
            failure.printStackTrace(at.getErr());
          }
          return 1;
        });
    boolean named =
        arguments.length > 0
            && (command.getSubcommands().containsKey(arguments[0])
                || arguments[0].equals("--help")
                || arguments[0].equals("-h"));
    if (named) {
      return command.execute(arguments);
    }
    String[] all = new String[arguments.length + 1];
    all[0] = DEFAULT_COMMAND;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return command.execute(all);
  }

  /** Not of an argument, the machine or a database: a mistake of the benchmark or the engine. */
  private static boolean isUnexpected(Exception failure) {
    return failure instanceof RuntimeException
        && !(failure instanceof IllegalArgumentException)
        && !(failure instanceof GpdbException)
        && !(failure instanceof UncheckedIOException);
  }

  private static String message(Exception failure) {
    String text = failure.getMessage();
    return text == null ? failure.toString() : text;
  }
}
