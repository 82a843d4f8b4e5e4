package io.gpdb.shell;

import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;

/**
 * Completes dot-commands, keywords, tables and columns. After a table's name and a dot, its columns
 * alone.
 */
final class Completions implements Completer {
  private final Shell shell;

  Completions(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
    if (line.line().stripLeading().startsWith(".")) {
      completeDotCommand(line, candidates);
    } else {
      completeSql(line.word().substring(0, line.wordCursor()), candidates);
    }
  }

  private void completeDotCommand(ParsedLine line, List<Candidate> candidates) {
    if (line.wordIndex() == 0) {
      for (String usage : DotCommands.HELP.keySet()) {
        candidates.add(new Candidate(usage.split(" ", -1)[0]));
      }
    } else if (line.words().getFirst().equals(".format")) {
      for (OutputFormat format : OutputFormat.values()) {
        candidates.add(new Candidate(format.toString()));
      }
    } else {
      tables().keySet().forEach(table -> candidates.add(new Candidate(readable(table, ""))));
    }
  }

  private void completeSql(String word, List<Candidate> candidates) {
    int dot = word.lastIndexOf('.');
    Map<String, List<String>> tables = tables();
    if (dot >= 0) {
      String table = Words.nameOf(word.substring(0, dot));
      for (String column : tables.getOrDefault(table, List.of())) {
        candidates.add(
            new Candidate(word.substring(0, dot + 1) + readable(column, word.substring(dot + 1))));
      }
      return;
    }
    tables.forEach(
        (table, columns) -> {
          candidates.add(new Candidate(readable(table, word)));
          columns.forEach(column -> candidates.add(new Candidate(readable(column, word))));
        });
    for (var keywords : List.of(Keywords.RESERVED, Keywords.OTHERS)) {
      keywords.forEach(keyword -> candidates.add(new Candidate(inCaseOf(keyword, word))));
    }
  }

  private Map<String, List<String>> tables() {
    try {
      return Schema.columns(shell.connection());
    } catch (SQLException e) {
      // Completion is a convenience; the statement itself will report what is wrong.
      return Map.of();
    }
  }

  private static String readable(String name, String word) {
    String readable = Words.readable(name);
    return readable.startsWith("\"") ? readable : inCaseOf(readable, word);
  }

  /** The word in lower case when what was typed is. */
  private static String inCaseOf(String name, String typed) {
    boolean lower = !typed.isEmpty() && typed.equals(typed.toLowerCase(Locale.ROOT));
    return lower || (typed.isEmpty() && !Keywords.RESERVED.contains(name))
        ? name.toLowerCase(Locale.ROOT)
        : name;
  }
}
