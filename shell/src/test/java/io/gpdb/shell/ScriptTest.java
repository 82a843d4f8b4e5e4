package io.gpdb.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ScriptTest {
  @Test
  void statementsEndAtSemicolonsOutsideOfQuotesAndComments() {
    Script script =
        Script.parse(
            "SELECT ';', \"a;b\" -- not here;\n FROM t;; /* nor ; here */ INSERT INTO t VALUES (1);\n");
    assertThat(script.items())
        .containsExactly("SELECT ';', \"a;b\" -- not here;\n FROM t", "INSERT INTO t VALUES (1)");
    assertThat(script.open()).isEqualTo(Script.Open.NOTHING);
  }

  @Test
  void dotCommandsEndWithTheirLine() {
    Script script = Script.parse(".timing on\nSELECT 1.5\n , 2; .tables\n-- note\n.quit");
    assertThat(script.items())
        .containsExactly(".timing on", "SELECT 1.5\n , 2", ".tables", ".quit");
  }

  @Test
  void whatIsNotEndedIsTold() {
    assertThat(Script.parse("SELECT 1").open()).isEqualTo(Script.Open.STATEMENT);
    assertThat(Script.parse("SELECT 'a;").open()).isEqualTo(Script.Open.STRING);
    assertThat(Script.parse("SELECT \"a;").open()).isEqualTo(Script.Open.NAME);
    assertThat(Script.parse("SELECT /* a;").open()).isEqualTo(Script.Open.COMMENT);
    assertThat(Script.parse("SELECT 1; SELECT").rest()).isEqualTo("SELECT");
    assertThat(Script.parse("  \n-- nothing\n").open()).isEqualTo(Script.Open.NOTHING);
  }

  @Test
  void wordsMayStandInQuotes() {
    assertThat(Words.split("a 'b c' d''e ''")).containsExactly("a", "b c", "de", "");
    assertThat(Words.split("'it''s' x")).containsExactly("it's", "x");
    assertThatThrownBy(() -> Words.split("'open")).hasMessageContaining("not closed");
    assertThat(Words.nameOf("flights")).isEqualTo("FLIGHTS");
    assertThat(Words.nameOf("\"a\"\"b\"")).isEqualTo("a\"b");
    assertThat(Words.readable("FLIGHTS")).isEqualTo("FLIGHTS");
    assertThat(Words.readable("DATE")).isEqualTo("\"DATE\"");
    assertThat(Words.readable("lower")).isEqualTo("\"lower\"");
  }
}
