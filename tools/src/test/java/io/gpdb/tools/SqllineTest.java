package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import sqlline.SqlLine;

/** sqlline 1.12, which asks for nearly all metadata. */
class SqllineTest extends ClientTest {
  @Override
  void run(String url) throws Exception {
    String script =
        """
        CREATE TABLE tree (id INTEGER PRIMARY KEY, name VARCHAR(10));
        INSERT INTO tree VALUES (1, 'oak'), (2, 'elm');
        SELECT name FROM tree ORDER BY name;
        !tables
        !columns TREE
        !primarykeys TREE
        !indexes TREE
        !typeinfo
        !dbinfo
        !metadata getSchemas
        !autocommit off
        DELETE FROM tree;
        !rollback
        SELECT count(*) AS trees FROM tree;
        SELECT nonsense FROM tree;
        !quit
        """;
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    SqlLine line = new SqlLine();
    try (PrintStream stream = new PrintStream(written, true, StandardCharsets.UTF_8)) {
      line.setOutputStream(stream);
      line.setErrorStream(stream);
      String[] arguments = {
        "-u",
        url,
        "-n",
        "",
        "-p",
        "",
        "-d",
        "io.gpdb.jdbc.GpdbDriver",
        "--outputformat=csv",
        "--maxWidth=200"
      };
      line.begin(
          arguments, new ByteArrayInputStream(script.getBytes(StandardCharsets.UTF_8)), true);
    }
    String output = written.toString(StandardCharsets.UTF_8);
    assertThat(output)
        .contains("'elm'", "'oak'", "'TREE'", "'NAME'", "'TIMESTAMP'", "getDatabaseProductName")
        .containsPattern("'TREES'\\s+'2'")
        .contains("NONSENSE does not exist")
        .doesNotContain("0A000", "XX000", "NullPointer");
  }
}
