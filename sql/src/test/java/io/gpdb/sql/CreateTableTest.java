package io.gpdb.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.catalog.TableDefCodec;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.ElementType;
import org.junit.jupiter.api.Test;

class CreateTableTest {
  private static TableDef create(String sql) {
    return ((Analyzed.CreateTable) SampleCatalog.analyze(sql)).def();
  }

  @Test
  void clausesOfAColumnStandInAnyOrder() {
    TableDef table =
        create(
            "CREATE TABLE x (a INT DEFAULT 0 NOT NULL, b INT NOT NULL DEFAULT -1,"
                + " c VARCHAR(10) UNIQUE, d DECIMAL(10,2) PRIMARY KEY,"
                + " CONSTRAINT foo UNIQUE (a, b))");
    assertThat(table.columns())
        .containsExactly(
            new ColumnDef("A", SqlTypeSpec.INTEGER, false, "0"),
            new ColumnDef("B", SqlTypeSpec.INTEGER, false, "-1"),
            new ColumnDef("C", SqlTypeSpec.varchar(10), true, null),
            new ColumnDef("D", SqlTypeSpec.decimal(10, 2), false, null));
    assertThat(table.keys())
        .containsExactly(
            new KeyDef("X_PKEY", true, new int[] {3}, 0),
            new KeyDef("X_C_KEY", false, new int[] {2}, 1),
            new KeyDef("FOO", false, new int[] {0, 1}, 2));
  }

  @Test
  void wordsOfSqlNameColumns() {
    TableDef table =
        create(
            "CREATE TABLE x (date DATE, time TIME, timestamp TIMESTAMP, value INT, year INT,"
                + " user VARCHAR, result DOUBLE, name TEXT, count INT, month INT, start INT,"
                + " \"end\" INT, rank INT, position INT, language CHAR(2))");
    assertThat(table.columns()).hasSize(15);
    assertThat(table.columns().get(11).name()).isEqualTo("end");
  }

  @Test
  void typesHaveTheirElements() {
    TableDef table =
        create(
            "CREATE TABLE x (a BOOLEAN, b SMALLINT, c INT, d BIGINT, e REAL, f DOUBLE PRECISION,"
                + " g DECIMAL(18, 4), h DATE, i TIME(3), j TIMESTAMP, k CHAR(4), l VARCHAR,"
                + " m VARBINARY(8), n TINYINT, o FLOAT, p NUMERIC, q DATETIME, r TEXT)");
    assertThat(table.columns())
        .extracting(c -> c.type().element())
        .containsExactly(
            ElementType.I8,
            ElementType.I16,
            ElementType.I32,
            ElementType.I64,
            ElementType.F32,
            ElementType.F64,
            ElementType.I64,
            ElementType.I32,
            ElementType.I64,
            ElementType.I64,
            ElementType.CODE,
            ElementType.CODE,
            ElementType.CODE,
            ElementType.I8,
            ElementType.F64,
            ElementType.I64,
            ElementType.I64,
            ElementType.CODE);
    assertThat(table.column(8).type()).hasToString("TIME(3)");
    assertThat(table.column(15).type()).isEqualTo(SqlTypeSpec.decimal(18, 0));
  }

  @Test
  void aQueryGivesTheColumns() {
    Analyzed.CreateTable create =
        (Analyzed.CreateTable)
            SampleCatalog.analyze(
                "CREATE TABLE IF NOT EXISTS x (n, m BIGINT) AS SELECT id, a FROM t");
    assertThat(create.ifNotExists()).isTrue();
    assertThat(create.asSelect()).isNotNull();
    assertThat(create.def().columns())
        .containsExactly(
            new ColumnDef("N", SqlTypeSpec.INTEGER, true, null),
            new ColumnDef("M", SqlTypeSpec.BIGINT, true, null));
  }

  @Test
  void definitionsSurviveEncoding() {
    TableDef table =
        create(
                "CREATE TABLE \"Größe\" (a INT DEFAULT 1 PRIMARY KEY, b VARCHAR(3) NOT NULL,"
                    + " c DECIMAL(9, 3), d VARCHAR, UNIQUE (b, c))")
            .withTableId(17);
    assertThat(TableDefCodec.decode(17, TableDefCodec.encode(table))).isEqualTo(table);
  }
}
