package io.gpdb.tools;

/** How the driver calls the database, and how a URL of it begins. */
final class GpdbProduct {
  static final String NAME = "gpDB";
  static final String URL = "jdbc:gpdb:";
  static final String DRIVER = "io.gpdb.jdbc.GpdbDriver";
  static final String DEFAULT_SCHEMA = "PUBLIC";

  private GpdbProduct() {}
}
