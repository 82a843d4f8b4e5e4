package io.gpdb.sql;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.statement.Analyzed;
import java.util.ArrayList;
import java.util.List;

/** Tables for tests of the front end, made by its own CREATE TABLE. */
public final class SampleCatalog {
  static final CatalogSnapshot SNAPSHOT =
      of(
          "CREATE TABLE T (ID INTEGER PRIMARY KEY, A INTEGER, B INTEGER, NAME VARCHAR(20) NOT NULL,"
              + " PRICE DECIMAL(15, 2) DEFAULT 1.50, AT TIMESTAMP DEFAULT CURRENT_TIMESTAMP)",
          "CREATE TABLE U (ID BIGINT, T_ID INTEGER, D DOUBLE, UNIQUE (ID))",
          "CREATE TABLE FLIGHTS (DATE TIMESTAMP, DELAY INT, DISTANCE INT, ORIGIN VARCHAR(3),"
              + " DESTINATION VARCHAR(3))");

  private SampleCatalog() {}

  static CatalogSnapshot of(String... creates) {
    List<TableDef> tables = new ArrayList<>();
    for (String sql : creates) {
      Analyzed.CreateTable create =
          (Analyzed.CreateTable) new SqlFrontEnd().analyze(sql, CatalogSnapshot.EMPTY, null);
      tables.add(create.def().withTableId(16 + tables.size()));
    }
    return new CatalogSnapshot(1, tables);
  }

  public static Analyzed analyze(String sql) {
    return new SqlFrontEnd().analyze(sql, SNAPSHOT, null);
  }
}
