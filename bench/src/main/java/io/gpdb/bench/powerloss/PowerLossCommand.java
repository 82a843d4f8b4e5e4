package io.gpdb.bench.powerloss;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.EnumWords;
import io.gpdb.txn.api.Protocol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Records what is done to real files, and replays losses of power from that. */
@Command(
    name = "powerloss",
    mixinStandardHelpOptions = true,
    description = {
      "Records what each protocol does to real files, and opens what losses of power could leave.",
      "Exit status 1 when an acknowledged transaction is missing, or half of another one there."
    })
public final class PowerLossCommand implements Callable<Integer> {
  @Option(
      names = "--protocol",
      converter = EnumWords.Protocols.class,
      completionCandidates = EnumWords.Protocols.class,
      description = "Only this one: ${COMPLETION-CANDIDATES} (default: all that are atomic).")
  private @Nullable Protocol protocol;

  @Option(
      names = "--states",
      defaultValue = "2000",
      converter = Count.LongOne.class,
      description = "Different states to open, of each protocol (default: ${DEFAULT-VALUE}).")
  private long states = 2000;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Of workloads and samples (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Override
  public Integer call() {
    AlignedTable table = new AlignedTable("protocol", "states", "acts", "violations");
    List<String> violations = new ArrayList<>();
    for (Protocol one : protocols()) {
      PowerLossRun run = new PowerLossRun(one, seed).run(states);
      violations.addAll(run.violations());
      table.row(
          one.word(),
          Long.toString(run.states()),
          Long.toString(run.acts()),
          Integer.toString(run.violations().size()));
    }
    violations.forEach(System.out::println);
    table.print(System.out);
    System.out.println("seed " + seed);
    return violations.isEmpty() ? 0 : 1;
  }

  private List<Protocol> protocols() {
    Protocol one = protocol;
    return one != null
        ? List.of(one)
        : Arrays.stream(Protocol.values()).filter(p -> !p.isBaseline()).toList();
  }
}
