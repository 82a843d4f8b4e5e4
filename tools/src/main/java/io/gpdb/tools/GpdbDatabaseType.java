package io.gpdb.tools;

import java.sql.Connection;
import java.sql.Types;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.internal.database.base.BaseDatabaseType;
import org.flywaydb.core.internal.jdbc.JdbcConnectionFactory;
import org.flywaydb.core.internal.jdbc.StatementInterceptor;
import org.flywaydb.core.internal.parser.Parser;
import org.flywaydb.core.internal.parser.ParsingContext;

/** gpDB for Flyway 13. */
public final class GpdbDatabaseType extends BaseDatabaseType {
  @Override
  public String getName() {
    return GpdbProduct.NAME;
  }

  @Override
  public int getNullType() {
    return Types.VARCHAR;
  }

  @Override
  public boolean handlesJDBCUrl(String url) {
    return url.startsWith(GpdbProduct.URL);
  }

  @Override
  public String getDriverClass(String url, ClassLoader loader) {
    return GpdbProduct.DRIVER;
  }

  @Override
  public boolean handlesDatabaseProductNameAndVersion(
      String name, String version, Connection connection) {
    return name.startsWith(GpdbProduct.NAME);
  }

  @Override
  public FlywayDatabase createDatabase(
      Configuration configuration, JdbcConnectionFactory factory, StatementInterceptor listener) {
    return new FlywayDatabase(configuration, factory, listener);
  }

  @Override
  public Parser createParser(
      Configuration configuration, ResourceProvider resources, ParsingContext context) {
    return new FlywayParser(configuration, context);
  }
}
