package io.gpdb.shell;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** The prompt: lines edited and kept in a history, statements over several lines, completion. */
final class LineEditor implements AutoCloseable {
  private static final String PROMPT = "gpdb> ";
  private static final String HISTORY_FILE = ".gpdb_history";

  private final Terminal terminal;

  LineEditor() throws IOException {
    terminal = TerminalBuilder.builder().name("gpdb").system(true).build();
  }

  Console console() {
    return new Console(terminal.writer(), terminal.writer(), true, terminal.getWidth());
  }

  /** Reads and runs until .quit or the end of the input; errors are shown and forgotten. */
  void run(Shell shell) {
    terminal.handle(Terminal.Signal.INT, signal -> shell.cancel());
    LineReader reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("gpdb")
            .parser(new StatementParser())
            .completer(new Completions(shell))
            .variable(
                LineReader.HISTORY_FILE, Path.of(System.getProperty("user.home"), HISTORY_FILE))
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "%P  -> ")
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.CASE_INSENSITIVE, true)
            .build();
    while (!shell.quitting()) {
      try {
        String text = reader.readLine(PROMPT);
        shell.resize(terminal.getWidth());
        runAll(shell, text);
      } catch (UserInterruptException e) {
        // Ctrl-C at the prompt drops the line that was being typed.
      } catch (EndOfFileException e) {
        shell.quit();
      }
    }
  }

  private static void runAll(Shell shell, String text) {
    try {
      shell.runScript(text);
    } catch (SQLException | RuntimeException e) {
      shell.console().error(e);
    }
  }

  @Override
  public void close() throws IOException {
    terminal.close();
  }

  /** Asks for another line while a statement is not ended; splits words as SQL does. */
  private static final class StatementParser implements Parser {
    private final DefaultParser words = new DefaultParser();

    StatementParser() {
      words.setQuoteChars(new char[0]);
      words.setEscapeChars(new char[0]);
      words.setRegexCommand("");
      words.setRegexVariable("");
    }

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
      if (context == ParseContext.ACCEPT_LINE) {
        Script script = Script.parse(line);
        if (script.open() != Script.Open.NOTHING) {
          throw new EOFError(-1, -1, "statement is not ended", prompt(script.open()));
        }
        return new Accepted(line, cursor);
      }
      return words.parse(line, cursor, ParseContext.COMPLETE);
    }

    private static String prompt(Script.Open open) {
      return switch (open) {
        case NOTHING, STATEMENT -> "";
        case STRING -> "'";
        case NAME -> "\"";
        case COMMENT -> "/*";
      };
    }
  }

  /** A line that is run as it is, not looked at word by word. */
  private record Accepted(String line, int cursor) implements ParsedLine {
    @Override
    public String word() {
      return line;
    }

    @Override
    public int wordCursor() {
      return cursor;
    }

    @Override
    public int wordIndex() {
      return 0;
    }

    @Override
    public List<String> words() {
      return List.of(line);
    }
  }
}
