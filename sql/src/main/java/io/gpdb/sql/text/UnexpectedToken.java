package io.gpdb.sql.text;

import io.gpdb.sql.parser.generated.GpSqlParserConstants;
import io.gpdb.sql.parser.generated.ParseException;
import io.gpdb.sql.parser.generated.Token;
import java.util.Map;

/**
 * The token at which the parser found no way on: the farthest that it looked at, for it looks at a
 * token only where the one before can be continued.
 *
 * @param before the token before
 */
record UnexpectedToken(Token before, Token token) {
  private static final int SHOWN_MAX = 64;

  /** The words that must follow a word. */
  private static final Map<Integer, String> EXPECTED =
      Map.of(
          GpSqlParserConstants.CREATE, "TABLE",
          GpSqlParserConstants.DROP, "TABLE",
          GpSqlParserConstants.INSERT, "INTO",
          GpSqlParserConstants.DELETE, "FROM",
          GpSqlParserConstants.GROUP, "BY",
          GpSqlParserConstants.ORDER, "BY",
          GpSqlParserConstants.PRIMARY, "KEY",
          GpSqlParserConstants.FOREIGN, "KEY");

  static UnexpectedToken of(ParseException failure) {
    Token before = failure.currentToken;
    Token token = before.next;
    while (token.next != null && !isOpenQuote(token)) {
      before = token;
      token = token.next;
    }
    return new UnexpectedToken(before, token);
  }

  /** What is wrong, and what would be right where that is one word. */
  String words() {
    if (token.kind == GpSqlParserConstants.EOF) {
      return "unexpected end of the statement" + expectation();
    }
    if (isOpenQuote(token)) {
      return "the quote is not closed";
    }
    return "unexpected \"" + shown(token.image) + '"' + expectation();
  }

  /** A quote is a token of its own only where the one that closes it is missing. */
  private static boolean isOpenQuote(Token token) {
    return "'".equals(token.image) || "\"".equals(token.image);
  }

  private static String shown(String image) {
    return image.length() > SHOWN_MAX ? image.substring(0, SHOWN_MAX) + "…" : image;
  }

  private String expectation() {
    String expected = EXPECTED.get(before.kind);
    return expected == null ? "" : ", expected \"" + expected + '"';
  }
}
