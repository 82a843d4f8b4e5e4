package io.gpdb.bench.device;

import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.JsonOption;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.ScratchOption;
import java.io.IOException;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The single figures that a device is held against, through JDBC, on one connection. */
@Command(
    name = "device-figures",
    mixinStandardHelpOptions = true,
    description = {
      "Large changes by several protocols, changes and look-ups by key in batches, TPC-H's Q1 and",
      "Q6 over many line items, a count of very many rows, on one device."
    })
public final class FiguresCommand implements Callable<Integer> {
  @Option(
      names = "--rows",
      defaultValue = "50000000",
      converter = Count.Twenty.class,
      description = "Rows of the table that is changed (default: ${DEFAULT-VALUE}).")
  private int rows = 50_000_000;

  @Option(
      names = "--keys",
      defaultValue = "1000000",
      converter = Count.One.class,
      description = "Keys of a batch; the table has twice as many (default: ${DEFAULT-VALUE}).")
  private int keys = 1_000_000;

  @Option(
      names = "--line-items",
      defaultValue = "30000000",
      converter = Count.One.class,
      description = {
        "Rows of Q1 and Q6 (default: ${DEFAULT-VALUE}). Of the 60 million of scale factor 10",
        "Q1's greatest sum has more than the 18 digits of its type."
      })
  private int lineItems = 30_000_000;

  @Option(
      names = "--counted",
      defaultValue = "0",
      description = {
        "Rows that are counted in memory, where there are far more than in other tables; 0: none",
        "(default: ${DEFAULT-VALUE})."
      })
  private long counted;

  @Option(
      names = "--device",
      defaultValue = "emulated",
      description = "Of the URL: emulated, cuda, cuda:NUMBER (default: ${DEFAULT-VALUE}).")
  private String device = "emulated";

  @Mixin private final ScratchOption scratchFolder = new ScratchOption();

  @Mixin private final JsonOption json = new JsonOption();

  @Override
  public Integer call() throws SQLException, IOException, InterruptedException {
    DeviceFigures figures = new DeviceFigures();
    try (ScratchDirectory scratch = scratchFolder.open()) {
      new LargeChanges(device, rows, scratch, figures).run();
      write(figures);
      new KeyedChanges(device, keys, scratch, figures).run();
      write(figures);
      new ManyRows(device, counted, figures).run();
      write(figures);
      new LineItems(device, lineItems, scratch, figures).run();
      write(figures);
    }
    return 0;
  }

  /** What there is so far: the process may be ended before it is through. */
  private void write(DeviceFigures figures) throws IOException {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "device-figures");
    report.put("rows", rows);
    report.put("figures", figures.all());
    json.write(report);
  }
}
