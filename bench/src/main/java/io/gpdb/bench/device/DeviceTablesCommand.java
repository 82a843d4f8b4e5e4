package io.gpdb.bench.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes the tables and pictures of committed results into a document. */
@Command(
    name = "device-tables",
    mixinStandardHelpOptions = true,
    description = {
      "Replaces what is between '<!-- results FILE -->' and '<!-- end of results -->' in a",
      "document by the tables of that file, which 'bench device --json' wrote, and by pictures,",
      "which are written beside that file."
    })
public final class DeviceTablesCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DOCUMENT", description = "As docs/gpu.md.")
  private Path document = Path.of("");

  @Override
  public Integer call() throws IOException {
    ResultsInDocument.Renewed renewed = ResultsInDocument.renewed(document);
    Files.writeString(document, renewed.text());
    for (Map.Entry<Path, String> picture : renewed.pictures().entrySet()) {
      Files.writeString(picture.getKey(), picture.getValue());
    }
    return 0;
  }
}
