package io.gpdb.shell;

import io.gpdb.jdbc.GpdbConnection;
import io.gpdb.jdbc.GpdbDataSource;
import java.sql.SQLException;

/** Opens what the command line names: a directory, or anything that begins with jdbc:gpdb:. */
final class Connections {
  private static final String PREFIX = "jdbc:gpdb:";

  private Connections() {}

  static GpdbConnection open(String place, String options) throws SQLException {
    String url = place.startsWith(PREFIX) ? place : PREFIX + place;
    // Not by DriverManager, which would load the drivers of other libraries first.
    return new GpdbDataSource(url + options).getConnection().unwrap(GpdbConnection.class);
  }
}
