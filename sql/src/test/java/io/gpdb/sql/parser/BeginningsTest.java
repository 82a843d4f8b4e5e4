package io.gpdb.sql.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpdb.sql.dialect.GpConformance;
import io.gpdb.sql.parser.generated.GpSqlParser;
import io.gpdb.sql.parser.generated.GpSqlParserConstants;
import io.gpdb.sql.parser.generated.ParseException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl.LexicalState;
import org.junit.jupiter.api.Test;

/** Productions that the first token alone rules out, against those that try it. */
final class BeginningsTest {
  private static final List<String> TAILS =
      List.of("", "(x)", "(x, 1)", "(x AS INTEGER)", "(x FROM y)");

  /** One production of the grammar. */
  private interface Production {
    Object parse(GpSqlParser parser) throws ParseException;
  }

  @Test
  void theFirstTokenRulesOutOnlyWhatCannotBegin() {
    int parsed = 0;
    for (String word : words()) {
      for (String tail : TAILS) {
        String text = word + " " + tail;
        parsed += same(text, p -> p.CalciteBuiltinFunctionCall(), p -> p.BuiltinFunctionCall());
      }
      parsed += same(word, p -> p.CalciteReservedFunctionName(), p -> p.ReservedFunctionName());
      parsed += same(word, p -> p.CalciteNonReservedKeyWord(), p -> p.NonReservedKeyWord());
    }
    assertTrue(parsed > 300, "parsed: " + parsed);
  }

  private static int same(String text, Production tried, Production ruledOut) {
    String expected = outcome(text, tried);
    assertEquals(expected, outcome(text, ruledOut), text);
    return expected.equals("no parse") ? 0 : 1;
  }

  private static String outcome(String text, Production production) {
    GpSqlParser parser = new GpSqlParser(new StringReader(text));
    parser.switchTo(LexicalState.DQID);
    parser.setConformance(GpConformance.INSTANCE);
    parser.setUnquotedCasing(Casing.TO_UPPER);
    parser.setIdentifierMaxLength(128);
    try {
      return production.parse(parser) + " before " + parser.getToken(1).image;
    } catch (ParseException e) {
      return "no parse";
    } catch (CalciteException e) {
      return "refused: " + e.getMessage();
    }
  }

  /** Every keyword, and other tokens. */
  private static List<String> words() {
    List<String> words = new ArrayList<>(List.of("x", "\"x\"", "1", "1.5", "'x'", "?", "(", "-"));
    for (String image : GpSqlParserConstants.tokenImage) {
      String word = image.substring(1, image.length() - 1);
      if (word.matches("[A-Z][A-Z_0-9]*")) {
        words.add(word);
      }
    }
    return words;
  }
}
