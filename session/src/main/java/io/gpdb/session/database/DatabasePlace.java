package io.gpdb.session.database;

import java.nio.file.Path;

/**
 * Where a database is: in a directory, or in memory under a name.
 *
 * @param inMemory whether the text is a name; an empty name is a database of one connection alone
 */
public record DatabasePlace(boolean inMemory, String text) {
  /** The directory; of one in memory there is none. */
  public Path path() {
    return Path.of(text);
  }

  @Override
  public String toString() {
    return text;
  }
}
