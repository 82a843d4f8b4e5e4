package io.gpdb.txn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the numbered assumptions and invariants of the documents against those that code cites. */
class InvariantsDocumentTest {
  private static final Pattern STATED = Pattern.compile("\\*\\*([A-Z][0-9]+)\\.\\*\\*");
  private static final Pattern CITED = Pattern.compile("\\b([ABCGKLMRSUW][0-9]+)\\b");
  private static final Path DOCUMENTS = Path.of("../docs/internals");

  @Test
  void whatTheDocumentsNumberIsCitedAndNothingElse() throws IOException {
    Set<String> stated = new TreeSet<>();
    for (String document : new String[] {"recovery.md", "isolation.md"}) {
      collect(STATED, Files.readString(DOCUMENTS.resolve(document)), stated);
    }
    Set<String> cited = new TreeSet<>();
    collectComments(Path.of("src/main"), cited);
    collectComments(Path.of("../storage-pm/src/main"), cited);
    assertThat(stated).hasSizeGreaterThan(30);
    assertThat(cited).containsExactlyElementsOf(stated);
  }

  private static void collectComments(Path sources, Set<String> into) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        for (String line : Files.readAllLines(file)) {
          if (line.contains("*") || line.contains("//") || line.contains("assert ")) {
            collect(CITED, line, into);
          }
        }
      }
    }
  }

  private static void collect(Pattern pattern, String text, Set<String> into) {
    for (Matcher m = pattern.matcher(text); m.find(); ) {
      into.add(m.group(1));
    }
  }
}
