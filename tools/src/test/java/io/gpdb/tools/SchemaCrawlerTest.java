package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;

import schemacrawler.schema.Catalog;
import schemacrawler.schema.Column;
import schemacrawler.schema.NamedObject;
import schemacrawler.schema.Schema;
import schemacrawler.schema.Table;
import schemacrawler.schemacrawler.LoadOptionsBuilder;
import schemacrawler.schemacrawler.SchemaCrawlerOptions;
import schemacrawler.schemacrawler.SchemaCrawlerOptionsBuilder;
import schemacrawler.schemacrawler.SchemaInfoLevelBuilder;
import schemacrawler.tools.utility.SchemaCrawlerUtility;
import us.fatehi.utility.datasource.DatabaseConnectionSources;
import us.fatehi.utility.datasource.MultiUseUserCredentials;

/** SchemaCrawler 16, which reads a schema by the metadata alone. */
class SchemaCrawlerTest extends ClientTest {
  @Override
  void run(String url) throws Exception {
    execute(
        url,
        "CREATE TABLE river (id INTEGER PRIMARY KEY, name VARCHAR(30) NOT NULL UNIQUE,"
            + " length DECIMAL(8, 1))",
        "CREATE VIEW long_river AS SELECT name FROM river WHERE length > 1000");
    SchemaCrawlerOptions options =
        SchemaCrawlerOptionsBuilder.newSchemaCrawlerOptions()
            .withLoadOptions(
                LoadOptionsBuilder.builder()
                    .withSchemaInfoLevel(SchemaInfoLevelBuilder.maximum())
                    .toOptions());
    Catalog catalog =
        SchemaCrawlerUtility.getCatalog(
            DatabaseConnectionSources.newDatabaseConnectionSource(
                url, new MultiUseUserCredentials("", "")),
            options);
    Schema schema =
        catalog.getSchemas().stream()
            .filter(found -> found.getFullName().contains("PUBLIC"))
            .findFirst()
            .orElseThrow();
    assertThat(catalog.getTables(schema))
        .extracting(NamedObject::getName)
        .containsExactlyInAnyOrder("RIVER", "LONG_RIVER");
    Table river = catalog.lookupTable(schema, "RIVER").orElseThrow();
    assertThat(river.getColumns())
        .extracting(NamedObject::getName)
        .containsExactly("ID", "NAME", "LENGTH");
    assertThat(river.getPrimaryKey().getConstrainedColumns())
        .extracting(NamedObject::getName)
        .containsExactly("ID");
    Column name = river.lookupColumn("NAME").orElseThrow();
    assertThat(name.isNullable()).isFalse();
    assertThat(name.getSize()).isEqualTo(30);
  }
}
