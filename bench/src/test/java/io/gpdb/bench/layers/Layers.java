package io.gpdb.bench.layers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The order of all packages, as the table of packages in ARCHITECTURE.md has it. */
final class Layers {
  private static final Pattern ROW =
      Pattern.compile("\\| `([a-z-]+)` \\| `(io\\.gpdb[a-z.]*)` \\| (.*) \\|");

  private final List<String> packages = new ArrayList<>();
  private final Map<String, String> modules = new LinkedHashMap<>();
  private final Map<String, String> purposes = new LinkedHashMap<>();

  static Layers of(Path document) {
    Layers layers = new Layers();
    try {
      List<String> lines = Files.readAllLines(document);
      int start = lines.indexOf("### Packages");
      for (String line : lines.subList(Math.max(0, start), lines.size())) {
        Matcher row = ROW.matcher(line);
        if (start >= 0 && row.matches()) {
          layers.add(row.group(1), row.group(2));
          layers.purposes.put(row.group(2), row.group(3));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return layers;
  }

  void add(String module, String name) {
    packages.add(name);
    modules.put(name, module);
  }

  List<String> packages() {
    return packages;
  }

  /** What the document says that each package holds. */
  Map<String, String> purposes() {
    return purposes;
  }

  List<String> modules() {
    return modules.values().stream().distinct().toList();
  }

  String moduleOf(String packageName) {
    return modules.getOrDefault(packageName, "");
  }

  /** Each import that goes to a later package, as text. */
  List<String> arrowsBack(ImportGraph graph) {
    List<String> back = new ArrayList<>();
    for (String from : graph.classes()) {
      int place = packages.indexOf(ImportGraph.packageOf(from));
      for (String to : graph.importsOf(from)) {
        if (packages.indexOf(ImportGraph.packageOf(to)) > place) {
          back.add(from + " -> " + to);
        }
      }
    }
    return back;
  }
}
