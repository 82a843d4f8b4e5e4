package io.gpdb.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpdb.storage.error.GpdbException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorTest {
  private static GpdbException error(String sql) {
    GpdbException error =
        catchThrowableOfType(GpdbException.class, () -> SampleCatalog.analyze(sql));
    assertThat(error).as(sql).isNotNull();
    return error;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT foo FROM t | 42S22 | column FOO does not exist at line 1, column 8",
        "SELECT nam FROM t | 42S22 | column NAM does not exist; did you mean NAME? at line 1,"
            + " column 8",
        "SELECT t.foo FROM t | 42S22 | column FOO does not exist in table T at line 1, column 10",
        "SELECT * FROM flihgts | 42S02 | table FLIHGTS does not exist; did you mean FLIGHTS? at"
            + " line 1, column 15",
        "SELECT * FROM x.y | 42S02 | table X does not exist at line 1, column 15",
        "SELECT t.* FROM t AS x | 42S02 | table T is not in FROM here under that name at line 1,"
            + " column 8",
        "SELECT t.a FROM t AS x | 42S02 | table T is not in FROM here under that name at line 1,"
            + " column 8",
        "SELECT x.* FROM (SELECT a FROM t) AS y | 42S02 | table X does not exist at line 1, column"
            + " 8",
        "SELECT s.x . * FROM t | 42S02 | table S.X does not exist at line 1, column 8",
        "SELECT COUNT(t.*) FROM t AS x | 42S02 | table T is not in FROM here under that name at"
            + " line 1, column 14",
        "SELECT COUNT(t.*) FROM t | 0A000 | table.* as a value is not supported at line 1, column"
            + " 16",
        "SELECT x.a FROM t AS x GROUP BY t.* | 42S02 | table T is not in FROM here under that name"
            + " at line 1, column 33",
        "SELECT x.a FROM t AS x WHERE EXISTS (SELECT \"T\".* FROM u) | 42S02 | table T is not in"
            + " FROM here under that name at line 1, column 45",
        "SELECT a.* FROM t | 42000 | what is written before .* is no table at line 1, column 8",
        "SELECT CAST(a AS foo) FROM t | 0A000 | type FOO is not supported at line 1, column 18",
        "SELECT CAST(a AS foo)*a FROM t | 0A000 | type FOO is not supported at line 1, column 18",
        "SELECT * FROM t WHERE WHERE | 42601 | syntax error: unexpected \"WHERE\" at line 1, column"
            + " 23",
        "CREATE TABLE (a INT) | 42601 | syntax error: unexpected \"(\" at line 1, column 14",
        "SELECT 'abc | 42601 | syntax error: the quote is not closed at line 1, column 8",
        "SELECT @ FROM t | 42601 | syntax error: unexpected character \"@\" at line 1, column 8",
        "SELECT a FROM t GROUP BY b | 42000 | A is neither in GROUP BY nor in an aggregate at line"
            + " 1, column 8",
        "SELECT foo(a) FROM t | 42000 | function FOO(NUMERIC) does not exist at line 1, column 8",
        "SELECT id FROM t, u | 42000 | column ID is in several of the tables: write table.column at"
            + " line 1, column 8",
        "SELECT a FROM t WHERE a = DATE '2001-01-01' | 42804 | = does not take these types: INTEGER"
            + " = DATE",
        "SELECT 123456789012345678901234567890123456789 | 22003 | number"
            + " 123456789012345678901234567890123456789 is out of range",
        "SELECT DATE '2001-02-30' | 22007 | invalid DATE value '2001-02-30' at line 1",
        "SELECT INTERVAL 'x' DAY | 22006 | 'x' is not a value of type INTERVAL DAY",
        "SELECT CAST(a AS DECIMAL(39, 2)) FROM t | 0A000 | DECIMAL(39) is beyond the limit 38",
        "INSERT INTO t (id, foo) VALUES (1, 2) | 42S22 | column FOO does not exist in table T at"
            + " line 1, column 20",
        "INSERT INTO t (id, id) VALUES (1, 2) | 42000 | column ID is given twice",
        "INSERT INTO t (id) VALUES (1, 2) | 42000 | INSERT has 1 columns but 2 values",
        "INSERT INTO u SELECT 1 | 42000 | INSERT has 3 columns but its query 1",
        "INSERT INTO t (id, a) VALUES (1, TRUE) | 42804 | cannot assign BOOLEAN to column A of"
            + " table T, which is INTEGER",
        "INSERT INTO information_schema.tables VALUES (1) | 42000 | INFORMATION_SCHEMA.TABLES"
            + " cannot be changed",
        "UPDATE t SET foo = 1 | 42S22 | column FOO does not exist in table T at line 1, column 14",
        "DELETE FROM nosuch | 42S02 | table NOSUCH does not exist",
        "CREATE TABLE x (a DECIMAL(39, 2)) | 0A000 | DECIMAL(39) is beyond the limit 38 at line 1,"
            + " column 19",
        "CREATE TABLE x (a DECIMAL(4, 6)) | 42000 | DECIMAL(4, 6) is not a type",
        "CREATE TABLE x (a INT CHECK (a > (SELECT 1))) | 0A000 | a subquery is not supported",
        "CREATE TABLE x (a INT CHECK (a > ?)) | 0A000 | a parameter is not supported in a CHECK",
        "CREATE TABLE x (a DATE CHECK (a < CURRENT_DATE)) | 0A000 | CURRENT_DATE",
        "CREATE TABLE x (a INT CHECK (b > 0)) | 42S22 | CHECK X_CHECK_1: column B does not exist",
        "CREATE TABLE x (a INT CHECK (a)) | 42804 | NOT INTEGER",
        "CREATE TABLE x (FOREIGN KEY (a, b) REFERENCES t MATCH PARTIAL) | 0A000 | MATCH PARTIAL is"
            + " not supported",
        "CREATE TABLE x (a INT NOT NULL DEFERRABLE) | 0A000 | DEFERRABLE of NOT NULL",
        "CREATE TABLE x (a INT REFERENCES missing) | 42S02 | table MISSING does not exist",
        "CREATE TABLE x (a INT REFERENCES x) | 42830 | has no primary key",
        "CREATE TABLE x (a INT, a INT) | 42S21 | table X has two columns named A",
        "CREATE TABLE x (a INT PRIMARY KEY, b INT PRIMARY KEY) | 42000 | table X has two primary"
            + " keys",
        "CREATE TABLE x (a INT NULL PRIMARY KEY) | 42000 | column A of the primary key is declared"
            + " NULL",
        "CREATE TABLE x (a DOUBLE UNIQUE REFERENCES x (a)) | 0A000 | a FOREIGN KEY over the DOUBLE",
        "CREATE TABLE x (a INT DEFAULT 1 + TRUE) | 42804 | DEFAULT of column A",
        "CREATE TABLE x (a INT DEFAULT (SELECT 1)) | 0A000 | DEFAULT of column A has a query",
        "CREATE TABLE x (a MONEY) | 0A000 | type MONEY is not supported",
        "CREATE UNIQUE INDEX i ON t (a + 1) | 0A000 | an expression as part of an index",
        "CREATE INDEX i ON t USING GIN (a) | 0A000 | an index USING GIN is not supported",
        "CREATE TEMPORARY VIEW v AS SELECT 1 | 0A000 | CREATE TEMPORARY VIEW is not supported",
        "CREATE VIEW v AS SELECT 1 WITH CHECK OPTION | 42000 | WITH CHECK OPTION: V is a view",
        "ALTER VIEW v OWNER TO w | 0A000 | ALTER VIEW is not supported",
        "ALTER TABLE t ALTER id TYPE BIGINT USING id IN (?, 2) | 42000 | USING has no parameters",
        "CREATE VIEW v AS SELECT ? | 42000 | a view has no parameters at line 1, column 13",
        "CREATE VIEW v (a, b) AS SELECT 1 | 42000 | view V has 2 columns, its query 1",
        "CREATE VIEW v AS SELECT id, id FROM t | 42S21 | view V has two columns named ID",
        "CREATE VIEW v AS SELECT id FROM | 42601 | syntax error: unexpected end",
        "MERGE INTO t USING t u ON t.id = u.id WHEN MATCHED THEN INSERT (id) VALUES (1) | 42601 |"
            + " such rows of MERGE have no INSERT at line 1, column 39",
        "INSERT INTO t (id) VALUES (1) ON CONFLICT (nope) DO NOTHING | 42P10 | table T has no"
            + " primary key or unique key of the columns",
        "UPDATE t SET (id) = (1, 2) | 42000 | SET has 1 columns but 2 values at line 1, column 14",
        "COPY t FROM 'x' (FORMAT PARQUET) | 0A000 | COPY format PARQUET; only CSV is supported",
        "COPY t FROM 'x' (DELIMITER 'ab') | 42000 | COPY option DELIMITER must be one ASCII"
            + " character",
        "DELETE t WHERE id = 1 | 42601 | syntax error: unexpected \"t\", expected \"FROM\" at line"
            + " 1, column 8",
        "DROP TABEL t | 42601 | syntax error: unexpected \"TABEL\", expected \"TABLE\" at line 1,"
            + " column 6",
        "SELECT 1 BETWEEN 1 AND NOT TRUE | 42601 | syntax error in an expression: an operand that"
            + " begins with NOT or another operator needs parentheses",
        "SELECT id, FROM t | 42601 | syntax error: unexpected \"FROM\" at line 1, column 12",
        "CREATE TABLE x (a INT,) | 42601 | syntax error: unexpected \")\" at line 1, column 23",
        "SELECT id FROM t LIMIT 'x' | 42804 | LIMIT is a CHAR, not a number of rows at line 1,"
            + " column 24",
        "SELECT id FROM t WHERE id = 1 2 | 42601 | unexpected \"2\" at line 1, column 31",
        "SELCT 1 | 42601 | syntax error: a statement cannot begin with \"SELCT\" at line 1, column"
            + " 1",
        "SELECT max(id) FROM t WHERE max(id) > 1 | 42000 | an aggregate is not allowed in WHERE at"
            + " line 1, column 29",
        "SELECT id FROM t ORDER BY 7 | 42000 | there is no column of that number in the select list"
            + " at line 1, column 27",
        "SELECT (SELECT id, a FROM t) | 42804 | a query used as a value must have one column at"
            + " line 1, column 8",
        "SELECT id FROM t UNION SELECT id, a FROM t | 42000 | the queries of UNION have different"
            + " numbers of columns",
        "SELECT NOT 1 | 42804 | NOT does not take these types: NOT INTEGER at line 1, column 8",
        "SELECT UPPER(1, 2) | 42000 | wrong number of arguments for function UPPER, which takes 1"
            + " at line 1, column 8",
        "SELECT COALESCE() | 42000 | COALESCE",
        "CREATE TABLE x (a VARCHAR(0)) | 42000 | VARCHAR(0) is not a type at line 1, column 19",
        "COPY t FROM 'x' (FOO) | 42000 | COPY option FOO is unknown"
      })
  void saysWhatAndWhere(String sql, String state, String message) {
    GpdbException error = error(sql);
    assertThat(error.getMessage()).contains(message);
    assertThat(error.sqlState()).as(error.getMessage()).isEqualTo(state);
    assertThat(error.getMessage()).doesNotContain("calcite").doesNotContain("From line");
  }

  @Test
  void emptyStatementsAreRefused() {
    assertThat(error(" ; ").getMessage()).isEqualTo("the statement is empty");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE FULLTEXT INDEX i ON t (a)",
        "SELECT * FROM t WHERE WHERE",
        "SELECT id FRM t x y"
      })
  void anErrorOfSyntaxTakesLessThanAMillisecond(String sql) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanosBest = Long.MAX_VALUE;
    for (int round = 0; round < 40; round++) {
      long start = threads.getCurrentThreadCpuTime();
      for (int i = 0; i < 50; i++) {
        error(sql);
      }
      nanosBest = Math.min(nanosBest, (threads.getCurrentThreadCpuTime() - start) / 50);
    }
    assertThat(nanosBest).isLessThan(1_000_000);
  }

  @Test
  void deepNestingIsALimitNotACrash() {
    String deep = "SELECT " + "(".repeat(20_000) + "1" + ")".repeat(20_000);
    assertThat(error(deep).sqlState()).isEqualTo("54001");
  }

  @Test
  void tooManyColumnsAreRefusedWithTheLimit() {
    StringBuilder sql = new StringBuilder("CREATE TABLE x (c0 INT");
    for (int i = 1; i <= 1000; i++) {
      sql.append(", c").append(i).append(" INT");
    }
    assertThat(error(sql.append(')').toString()).getMessage())
        .isEqualTo("table X has too many columns: columns=1001, limit=1000");
  }

  @Test
  void tooLongNamesAreRefused() {
    GpdbException error = error("CREATE TABLE " + "x".repeat(129) + " (a INT)");
    assertThat(error.getMessage()).contains("128");
    assertThat(error.sqlState()).startsWith("42");
  }
}
