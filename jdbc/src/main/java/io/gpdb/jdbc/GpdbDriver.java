package io.gpdb.jdbc;

import io.gpdb.jdbc.metadata.DriverVersion;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.planner.ClassesAhead;
import io.gpdb.session.database.QuietLogs;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The JDBC driver for {@code jdbc:gpdb:PATH} and {@code jdbc:gpdb:mem:NAME}. */
public final class GpdbDriver implements Driver {
  static {
    QuietLogs.begin();
    try {
      DriverManager.registerDriver(new GpdbDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Used by the service loader. */
  public GpdbDriver() {}

  @Override
  public @Nullable Connection connect(String url, @Nullable Properties properties)
      throws SQLException {
    if (!acceptsURL(url)) {
      return null;
    }
    ClassesAhead.OPENING.begin();
    return GpdbConnection.open(JdbcUrl.parse(url, properties));
  }

  @Override
  public boolean acceptsURL(String url) throws SQLException {
    return JdbcUrl.isOurs(SqlErrors.given("the URL", url));
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, @Nullable Properties properties)
      throws SQLException {
    JdbcUrl parsed = JdbcUrl.parse(url, properties);
    List<DriverPropertyInfo> all = new ArrayList<>();
    JdbcUrl.DESCRIPTIONS.forEach(
        (name, description) -> {
          DriverPropertyInfo info = new DriverPropertyInfo(name, parsed.options().get(name));
          info.description = description;
          all.add(info);
        });
    return all.toArray(DriverPropertyInfo[]::new);
  }

  @Override
  public int getMajorVersion() {
    return DriverVersion.MAJOR;
  }

  @Override
  public int getMinorVersion() {
    return DriverVersion.MINOR;
  }

  /** False: the whole of SQL-92 entry level is not there. */
  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getLogger("io.gpdb");
  }
}
