package io.gpdb.bench.layers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the descriptor of a module exports; of one without, everything is exported. */
final class ModuleExports {
  private static final Pattern NAME = Pattern.compile("\\bmodule (io\\.gpdb[\\w.]*) \\{");
  private static final Pattern EXPORT = Pattern.compile("\\bexports ([\\w.]+)(?:\\s+to([^;]*))?;");

  private final String module;
  private final boolean isDescribed;
  private final Map<String, Set<String>> readers = new HashMap<>();

  private ModuleExports(String module, boolean isDescribed) {
    this.module = module;
    this.isDescribed = isDescribed;
  }

  /** Reads the descriptor of a module's folder. */
  static ModuleExports of(Path folder) {
    Path descriptor = folder.resolve("src/main/java/module-info.java");
    if (!Files.exists(descriptor)) {
      return new ModuleExports("", false);
    }
    try {
      String text = Files.readString(descriptor);
      Matcher name = NAME.matcher(text);
      ModuleExports exports = new ModuleExports(name.find() ? name.group(1) : "", true);
      Matcher export = EXPORT.matcher(text);
      while (export.find()) {
        String to = export.group(2);
        exports.readers.put(
            export.group(1), to == null ? Set.of() : Set.of(to.strip().split("\\s*,\\s*")));
      }
      return exports;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether classes of the other module may name those of the package. */
  boolean shows(String packageName, ModuleExports toOther) {
    Set<String> named = readers.get(packageName);
    return !isDescribed || (named != null && (named.isEmpty() || named.contains(toOther.module)));
  }
}
