package io.gpdb.sql.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EscapeClausesTest {
  @Test
  void bracesOfOuterJoinsAndEscapesBecomeBlanksOfTheSameWidth() {
    assertThat(EscapeClauses.blanked("SELECT * FROM {oj a LEFT OUTER JOIN b ON a.x = b.x} WHERE c"))
        .isEqualTo("SELECT * FROM     a LEFT OUTER JOIN b ON a.x = b.x  WHERE c");
    assertThat(EscapeClauses.blanked("s LIKE '!%' {ESCAPE '!'}"))
        .isEqualTo("s LIKE '!%'  ESCAPE '!' ");
    assertThat(EscapeClauses.blanked("{ OJ a JOIN {oj b JOIN c ON {fn f(1)} = 1} ON 2}"))
        .isEqualTo("     a JOIN     b JOIN c ON {fn f(1)} = 1  ON 2 ");
  }

  @Test
  void whatIsNoSuchEscapeStays() {
    for (String sql :
        new String[] {
          "SELECT {fn upper('a')}, {d '2001-01-01'}",
          "SELECT '{oj x}', \"{escape '!'}\"",
          "SELECT 1 -- {oj x}\n, 2 /* {oj x} */",
          "SELECT * FROM {oj a",
          "SELECT } {ojx a} {escaped 'a'}",
          "{oj",
          "SELECT 'it''s {oj x}' - 1 / 2"
        }) {
      assertThat(EscapeClauses.blanked(sql)).isEqualTo(sql);
    }
  }
}
