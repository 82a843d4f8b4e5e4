package io.gpdb.session.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.sql.statement.CopyFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CsvTokenizerTest {
  private static List<List<String>> records(String text) throws IOException {
    return records(text, ',');
  }

  private static List<List<String>> records(String text, char delimiter) throws IOException {
    List<List<String>> all = new ArrayList<>();
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (ReadAhead input = new ReadAhead(new ByteArrayInputStream(bytes))) {
      CsvTokenizer tokenizer = new CsvTokenizer(input, CopyFormat.CSV.withDelimiter(delimiter));
      while (tokenizer.next()) {
        List<String> record = new ArrayList<>();
        for (int i = 0; i < tokenizer.fieldCount(); i++) {
          int length = tokenizer.end(i) - tokenizer.start(i);
          String field =
              new String(tokenizer.buffer(), tokenizer.start(i), length, StandardCharsets.UTF_8);
          record.add(tokenizer.isQuoted(i) ? "<" + field + ">" : field);
        }
        all.add(record);
      }
    }
    return all;
  }

  @Test
  void plainFieldsAreCutAtTheDelimiter() throws IOException {
    assertThat(records("a,b,c\n1,2,3\n"))
        .containsExactly(List.of("a", "b", "c"), List.of("1", "2", "3"));
  }

  @Test
  void theLastLineNeedsNoLineEnd() throws IOException {
    assertThat(records("a,b\nc,d")).containsExactly(List.of("a", "b"), List.of("c", "d"));
    assertThat(records("a,")).containsExactly(List.of("a", ""));
    assertThat(records("\"a\"")).containsExactly(List.of("<a>"));
    assertThat(records("")).isEmpty();
  }

  @Test
  void carriageReturnsBeforeLineFeedsAreNoData() throws IOException {
    assertThat(records("a,b\r\n\"c\",\"d\"\r\n"))
        .containsExactly(List.of("a", "b"), List.of("<c>", "<d>"));
    assertThat(records("a\rb\n")).containsExactly(List.of("a\rb"));
  }

  @Test
  void quotedFieldsHoldDelimitersQuotesAndLineEnds() throws IOException {
    assertThat(records("\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\n\"\"\"\",\"\"\n"))
        .containsExactly(List.of("<a,b>", "<say \"x\">", "<two\nlines>"), List.of("<\">", "<>"));
  }

  @Test
  void anotherDelimiterLeavesCommasAlone() throws IOException {
    assertThat(records("a,b;c\n", ';')).containsExactly(List.of("a,b", "c"));
    assertThat(records("a\tb c\n", '\t')).containsExactly(List.of("a", "b c"));
  }

  @Test
  void aByteOrderMarkIsSkipped() throws IOException {
    assertThat(records("\uFEFFa,b\n")).containsExactly(List.of("a", "b"));
  }

  @Test
  void quotesOutOfPlaceAreErrorsWithLineAndColumn() {
    assertError("a,b\nc,d\"e\n", 2, 1, "inside a field");
    assertError("a\n\"b\"c,d\n", 2, 0, "follows a closing quote");
    assertError("\"a\nb\"\nx,\"never closed\n", 3, 1, "not closed");
  }

  private static void assertError(String text, long line, int column, String message) {
    assertThatThrownBy(() -> records(text))
        .isInstanceOfSatisfying(
            CsvTokenizer.CsvSyntaxError.class,
            e -> {
              assertThat(e.line()).isEqualTo(line);
              assertThat(e.column()).isEqualTo(column);
              assertThat(e).hasMessageContaining(message);
            });
  }

  @Test
  void aRecordThatIsTooLongIsAnError() {
    String endless = "\"" + "x".repeat(CsvTokenizer.RECORD_BYTES_MAX + 1);
    assertError(endless, 1, 0, "longer than " + CsvTokenizer.RECORD_BYTES_MAX);
  }

  @Test
  void recordsOverTheEdgesOfChunksAreWhole() throws IOException {
    Random random = new Random(42);
    StringBuilder text = new StringBuilder();
    List<List<String>> expected = new ArrayList<>();
    while (text.length() < 3 * ReadAhead.CHUNK_BYTES) {
      String plain = "p".repeat(random.nextInt(40));
      String quoted = "q\"\r\n,".repeat(random.nextInt(12));
      text.append(plain).append(",\"").append(quoted.replace("\"", "\"\"")).append("\"");
      text.append(random.nextBoolean() ? "\r\n" : "\n");
      expected.add(List.of(plain, "<" + quoted + ">"));
    }
    assertThat(records(text.toString())).isEqualTo(expected);
  }
}
