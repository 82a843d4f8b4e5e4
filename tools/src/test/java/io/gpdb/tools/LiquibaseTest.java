package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import liquibase.Contexts;
import liquibase.Liquibase;
import liquibase.Scope;
import liquibase.database.Database;
import liquibase.database.DatabaseFactory;
import liquibase.database.jvm.JdbcConnection;
import liquibase.resource.ClassLoaderResourceAccessor;
import liquibase.ui.LoggerUIService;

/** Liquibase 4: the database is found by its service. */
class LiquibaseTest extends ClientTest {
  /** Something done with the change log. */
  private interface Act {
    void of(Liquibase liquibase) throws Exception;
  }

  private static void with(String url, Act act) throws Exception {
    try (Connection connection = DriverManager.getConnection(url)) {
      Database database =
          DatabaseFactory.getInstance()
              .findCorrectDatabaseImplementation(new JdbcConnection(connection));
      assertThat(database).isInstanceOf(GpdbLiquibaseDatabase.class);
      Scope.child(
          Scope.Attr.ui,
          new LoggerUIService(),
          () ->
              act.of(
                  new Liquibase(
                      "liquibase/changes.xml", new ClassLoaderResourceAccessor(), database)));
    }
  }

  @Override
  void run(String url) throws Exception {
    System.setProperty("liquibase.analytics.enabled", "false");
    with(url, liquibase -> liquibase.update(new Contexts()));
    assertThat(rows(url, "SELECT name, tons, active FROM ship ORDER BY id"))
        .containsExactly("Beagle|242.00|TRUE", "Fram|402.00|TRUE", "Endurance|348.00|TRUE");
    assertThat(rows(url, "SELECT name FROM active_ship WHERE tons > 400")).containsExactly("Fram");
    with(url, liquibase -> liquibase.update(new Contexts()));
    assertThat(rows(url, "SELECT count(*) FROM databasechangelog")).containsExactly("3");
    with(url, liquibase -> assertThat(liquibase.listUnrunChangeSets(null, null)).isEmpty());
    with(url, liquibase -> liquibase.rollback(2, ""));
    assertThat(rows(url, "SELECT name FROM ship")).containsExactly("Beagle");
    assertThat(rows(url, "SELECT locked FROM databasechangeloglock")).containsExactly("FALSE");
    // Liquibase remembers for these contexts that all is done, and does not look again.
    with(url, liquibase -> liquibase.update(new Contexts("again")));
    assertThat(rows(url, "SELECT count(*) FROM active_ship")).containsExactly("3");
    with(url, Liquibase::dropAll);
    assertThat(
            rows(
                url,
                "SELECT table_name FROM information_schema.tables WHERE table_name LIKE '%SHIP'"))
        .isEmpty();
  }
}
