package io.gpdb.sql;

import io.gpdb.sql.parser.generated.GpSqlParserConstants;
import io.gpdb.sql.parser.generated.ParseException;
import io.gpdb.sql.parser.generated.Token;
import java.util.Set;
import java.util.TreeSet;

/**
 * The token at which the parser found no way on. It looks two tokens ahead, and its exception names
 * the first of them, which often is as it should be: the one meant here is the first that continues
 * nothing that was expected.
 */
record UnexpectedToken(Token token, Set<String> expected) {
  private static final int EXPECTED_MAX = 4;

  static UnexpectedToken of(ParseException failure) {
    Token token = failure.currentToken.next;
    int depth = 0;
    while (token.next != null && continues(failure, depth + 1)) {
      token = token.next;
      depth++;
    }
    Set<String> expected = new TreeSet<>();
    for (int[] sequence : failure.expectedTokenSequences) {
      if (sequence.length > depth && matches(failure, sequence, depth)) {
        expected.add(failure.tokenImage[sequence[depth]]);
      }
    }
    return new UnexpectedToken(token, expected);
  }

  /** Whether something longer was expected that begins as the text does. */
  private static boolean continues(ParseException failure, int tokens) {
    for (int[] sequence : failure.expectedTokenSequences) {
      if (sequence.length > tokens && matches(failure, sequence, tokens)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(ParseException failure, int[] sequence, int tokens) {
    Token token = failure.currentToken.next;
    for (int i = 0; i < tokens; i++) {
      if (token == null || token.kind != sequence[i]) {
        return false;
      }
      token = token.next;
    }
    return true;
  }

  /** What is wrong, and what would be right where that is short. */
  String words() {
    if (token.kind == GpSqlParserConstants.EOF) {
      return "unexpected end of the statement" + expectation();
    }
    if (token.image.equals("'") || token.image.equals("\"")) {
      return "the quote is not closed";
    }
    return "unexpected \"" + token.image + '"' + expectation();
  }

  private String expectation() {
    return expected.isEmpty() || expected.size() > EXPECTED_MAX
        ? ""
        : ", expected " + String.join(" or ", expected);
  }
}
