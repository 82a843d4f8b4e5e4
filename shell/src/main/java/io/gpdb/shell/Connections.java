package io.gpdb.shell;

import io.gpdb.jdbc.GpdbConnection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Opens what the command line names: a directory, or anything that begins with jdbc:gpdb:. */
final class Connections {
  private static final String PREFIX = "jdbc:gpdb:";

  private Connections() {}

  static GpdbConnection open(String place, String options) throws SQLException {
    String url = place.startsWith(PREFIX) ? place : PREFIX + place;
    return DriverManager.getConnection(url + options).unwrap(GpdbConnection.class);
  }
}
