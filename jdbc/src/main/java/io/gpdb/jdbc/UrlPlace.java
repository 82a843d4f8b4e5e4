package io.gpdb.jdbc;

import io.gpdb.session.database.DatabasePlace;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a URL names after {@code jdbc:gpdb:}: a directory, or a database in memory by its name.
 * Spellings of other databases are understood where they can mean one thing only, and refused with
 * the right one elsewhere.
 */
final class UrlPlace {
  private static final String PREFIX = JdbcUrl.PREFIX;
  private static final Pattern PROPERTY = Pattern.compile("[?&]\\w+=.*");

  /** Two letters at least: one is a drive. */
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):(.*)");

  private UrlPlace() {}

  static DatabasePlace of(String text) throws SQLException {
    if (text.isBlank()) {
      throw JdbcUrl.refused(
          "the URL names no database: " + PREFIX + "PATH or " + PREFIX + "mem:NAME");
    }
    if (PROPERTY.matcher(text).find()) {
      throw JdbcUrl.refused(
          "properties follow a semicolon, as in "
              + PREFIX
              + "PATH;create=false, not '"
              + text
              + "'");
    }
    if (text.equalsIgnoreCase("mem") || text.equalsIgnoreCase("memory")) {
      throw JdbcUrl.refused(
          "write "
              + PREFIX
              + "mem: for a database in memory, or "
              + PREFIX
              + "./"
              + text
              + " for a directory");
    }
    Matcher scheme = SCHEME.matcher(text);
    return scheme.matches() ? ofScheme(scheme.group(1), scheme.group(2), text) : directory(text);
  }

  private static DatabasePlace ofScheme(String scheme, String rest, String text)
      throws SQLException {
    if (scheme.equalsIgnoreCase("mem")) {
      return new DatabasePlace(true, rest);
    }
    if (scheme.equalsIgnoreCase("file") && !rest.isBlank()) {
      return directory(rest);
    }
    String right = scheme.equalsIgnoreCase("memory") ? "mem:" + rest : "./" + text;
    throw JdbcUrl.refused(
        "'" + scheme + ":' begins no place of a database; write " + PREFIX + right);
  }

  private static DatabasePlace directory(String path) throws SQLException {
    if (path.equals("~") || path.startsWith("~/")) {
      return new DatabasePlace(false, Path.of(System.getProperty("user.home")) + path.substring(1));
    }
    if (path.startsWith("~")) {
      throw JdbcUrl.refused(
          "only ~/ is known, the home of this user; write "
              + PREFIX
              + "./"
              + path
              + " for a directory of that name");
    }
    // Three slashes are two before an empty host and one that begins the path.
    if (path.startsWith("//") && !path.startsWith("///")) {
      String rest = path.substring(2);
      int slash = rest.indexOf('/');
      throw JdbcUrl.refused(
          "a database is opened in this process and has no host; write "
              + PREFIX
              + (slash < 0 ? "/PATH" : rest.substring(slash)));
    }
    return new DatabasePlace(false, path);
  }
}
