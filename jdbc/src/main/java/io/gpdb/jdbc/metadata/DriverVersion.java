package io.gpdb.jdbc.metadata;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Names and version of the product, the version as the build wrote it. */
public final class DriverVersion {
  public static final String PRODUCT = "gpDB";
  public static final String DRIVER = "gpDB JDBC driver";
  public static final String TEXT = read();
  public static final int MAJOR = part(0);
  public static final int MINOR = part(1);

  private DriverVersion() {}

  private static String read() {
    Properties properties = new Properties();
    try (InputStream in =
        DriverVersion.class.getResourceAsStream("/io/gpdb/jdbc/version.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "0.0");
  }

  private static int part(int index) {
    String[] parts = TEXT.split("[.-]", -1);
    boolean isNumber = index < parts.length && parts[index].matches("[0-9]{1,9}");
    return isNumber ? Integer.parseInt(parts[index]) : 0;
  }
}
