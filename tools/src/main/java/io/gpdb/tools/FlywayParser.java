package io.gpdb.tools;

import java.util.List;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.internal.parser.Parser;
import org.flywaydb.core.internal.parser.ParserContext;
import org.flywaydb.core.internal.parser.ParsingContext;
import org.flywaydb.core.internal.parser.PeekingReader;
import org.flywaydb.core.internal.parser.Token;

/** Divides a script into statements; semicolons within BEGIN ATOMIC … END end none. */
final class FlywayParser extends Parser {
  private static final int CHARACTERS_AHEAD = 2;

  FlywayParser(Configuration configuration, ParsingContext context) {
    super(configuration, context, CHARACTERS_AHEAD);
  }

  @Override
  protected void adjustBlockDepth(
      ParserContext context, List<Token> tokens, Token keyword, PeekingReader reader) {
    String word = keyword.getText();
    boolean within = context.getBlockDepth() > 0;
    boolean beginsBlock = word.equalsIgnoreCase("ATOMIC") && lastTokenIs(tokens, "BEGIN");
    boolean beginsCase = word.equalsIgnoreCase("CASE") && within;
    if (beginsBlock || beginsCase) {
      context.increaseBlockDepth(word);
    } else if (word.equalsIgnoreCase("END") && within) {
      context.decreaseBlockDepth();
    }
  }

  private static boolean lastTokenIs(List<Token> tokens, String word) {
    return !tokens.isEmpty() && word.equalsIgnoreCase(tokens.getLast().getText());
  }
}
