package io.gpdb.txn;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the numbered assumptions and invariants of the documents against those that code cites. */
class InvariantsDocumentTest {
  private static final Pattern STATED = Pattern.compile("\\*\\*([A-Z][0-9]+)\\.\\*\\*");
  private static final Pattern CITED = Pattern.compile("\\b([ABCEFGKLMPRSUW][0-9]+)\\b");
  private static final Pattern ASSERTED =
      Pattern.compile("\\bassert\\b[^;]*?:\\s*\"([A-Z][0-9]+)\\b");

  /** What no assert states, by the reason. */
  private static final Map<String, Set<String>> CITED_IN_COMMENTS_ONLY =
      Map.of(
          "assumed of the medium, not upheld by the code: the crashable medium is it taken"
              + " literally",
          Set.of("A1", "A2", "A3", "A4", "A5", "A6"),
          "holds over the whole of a protocol: crash tests and the explorer check it",
          Set.of("B1", "P2", "P3", "R2", "R8", "R9", "W6", "W7", "W8"),
          "holds between transactions, over what no single place of the code knows: tests of"
              + " concurrency and isolation check it",
          Set.of("E2", "E3", "E4", "F1", "F2", "F3", "K1", "R10", "S1", "S2", "S3", "S4"));

  private static final Path DOCUMENTS = Path.of("../docs/internals");

  @Test
  void whatTheDocumentsNumberIsCitedAndNothingElse() throws IOException {
    Set<String> stated = stated();
    Set<String> cited = new TreeSet<>();
    collectComments(Path.of("../txn/src/main"), cited);
    collectComments(Path.of("../storage-pm/src/main"), cited);
    collectComments(Path.of("../simulation/src/main"), cited);
    assertThat(stated).hasSizeGreaterThan(30);
    assertThat(cited).containsExactlyElementsOf(stated);
  }

  @Test
  void whatTheDocumentsNumberIsAssertedOrSaidNotToBe() throws IOException {
    Set<String> expected = stated();
    CITED_IN_COMMENTS_ONLY.values().forEach(expected::removeAll);
    Set<String> asserted = new TreeSet<>();
    collectAsserts(Path.of("../txn/src/main"), asserted);
    collectAsserts(Path.of("../storage-pm/src/main"), asserted);
    assertThat(asserted).containsExactlyElementsOf(expected);
  }

  @Test
  void whatIsSaidNotToBeAssertedIsNumberedByTheDocuments() throws IOException {
    Set<String> stated = stated();
    CITED_IN_COMMENTS_ONLY.forEach(
        (reason, them) -> assertThat(stated).as(reason).containsAll(them));
  }

  @Test
  void messagesOfAssertsAreToldFromComments() {
    Set<String> found = new TreeSet<>();
    collect(
        ASSERTED, "// W1\nassert a > 0\n    : \"U5: log ends\"; // R1\nassert b : \"M1\";", found);
    collect(ASSERTED, "assert c : \"no room\";\nString s = d ? e : \"G1: f\";", found);
    assertThat(found).containsExactly("M1", "U5");
  }

  private static Set<String> stated() throws IOException {
    Set<String> stated = new TreeSet<>();
    for (String document : new String[] {"recovery.md", "isolation.md"}) {
      collect(STATED, Files.readString(DOCUMENTS.resolve(document)), stated);
    }
    return stated;
  }

  private static void collectAsserts(Path sources, Set<String> into) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        collect(ASSERTED, Files.readString(file), into);
      }
    }
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
