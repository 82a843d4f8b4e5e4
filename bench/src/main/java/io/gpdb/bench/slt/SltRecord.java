package io.gpdb.bench.slt;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** One record of a sqllogictest script that applies to gpDB. */
sealed interface SltRecord {
  int line();

  String sql();

  /** A statement that must succeed, or fail (with a message or SQLSTATE containing the text). */
  record Statement(int line, String sql, boolean fails, String failure) implements SltRecord {}

  /** A query with its types, sort mode, label (or an empty text) and expected lines. */
  record Query(int line, String sql, String types, String sort, String label, List<String> expected)
      implements SltRecord {}

  static List<SltRecord> read(Path file) throws IOException {
    try (InputStream raw = Files.newInputStream(file);
        InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return new Parser(reader.lines().toList()).parse();
    }
  }

  /** Splits the lines of a script into records. */
  final class Parser {
    private final List<String> lines;
    private int at;

    Parser(List<String> lines) {
      this.lines = lines;
    }

    List<SltRecord> parse() {
      List<SltRecord> records = new ArrayList<>();
      boolean skip = false;
      while (at < lines.size()) {
        String[] words = withoutComment(lines.get(at)).trim().split("\\s+");
        int line = ++at;
        switch (words[0]) {
          case "skipif" -> skip |= words[1].equals("gpdb");
          case "onlyif" -> skip |= !words[1].equals("gpdb");
          case "halt" -> {
            if (!skip) {
              return records;
            }
            skip = false;
          }
          case "statement" -> {
            String failure = words.length > 2 ? words[2] : "";
            String sql = block();
            if (!skip) {
              records.add(new Statement(line, sql, words[1].equals("error"), failure));
            }
            skip = false;
          }
          case "query" -> {
            String sql = block();
            List<String> expected = expected();
            if (!skip) {
              records.add(
                  new Query(
                      line, sql, words[1], word(words, 2, "nosort"), word(words, 3, ""), expected));
            }
            skip = false;
          }
          default -> {}
        }
      }
      return records;
    }

    private static String word(String[] words, int index, String otherwise) {
      return words.length > index ? words[index] : otherwise;
    }

    private static String withoutComment(String line) {
      int hash = line.indexOf('#');
      return hash < 0 ? line : line.substring(0, hash);
    }

    private String block() {
      StringBuilder sql = new StringBuilder();
      while (at < lines.size() && !lines.get(at).isBlank() && !lines.get(at).equals("----")) {
        sql.append(sql.isEmpty() ? "" : "\n").append(lines.get(at++));
      }
      return sql.toString();
    }

    private List<String> expected() {
      List<String> expected = new ArrayList<>();
      if (at < lines.size() && lines.get(at).equals("----")) {
        at++;
        while (at < lines.size() && !lines.get(at).isBlank()) {
          expected.add(lines.get(at++));
        }
      }
      return expected;
    }
  }
}
