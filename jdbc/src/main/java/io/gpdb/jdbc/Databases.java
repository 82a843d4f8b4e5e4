package io.gpdb.jdbc;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The databases open in this process. Connections to one path (however it is written) or to one
 * memory name share one database; it closes with the last of them.
 */
final class Databases {
  private static final Map<String, Shared> OPEN = new ConcurrentHashMap<>();

  private Databases() {}

  /** One database and the number of its connections; states: new, open, dead. */
  private static final class Shared {
    private @Nullable Database database;
    private int connections;
    private boolean dead;
  }

  /** A hold on a database, to be closed once. */
  static final class Lease implements AutoCloseable {
    private final String key;
    private final Shared shared;
    private final Database database;
    private boolean closed;

    private Lease(String key, Shared shared, Database database) {
      this.key = key;
      this.shared = shared;
      this.database = database;
    }

    Database database() {
      return database;
    }

    @Override
    public void close() {
      synchronized (shared) {
        if (closed) {
          return;
        }
        closed = true;
        shared.connections--;
        if (shared.connections == 0) {
          shared.dead = true;
          try {
            database.close();
          } finally {
            OPEN.remove(key, shared);
          }
        }
      }
    }
  }

  static Lease acquire(JdbcUrl url) throws SQLException {
    String key = key(url);
    while (true) {
      Shared shared = OPEN.computeIfAbsent(key, absent -> new Shared());
      synchronized (shared) {
        if (!shared.dead) {
          Database database = shared.database;
          if (database == null) {
            database = open(key, shared, url);
          } else {
            database.requireSameOptions(url);
          }
          shared.connections++;
          return new Lease(key, shared, database);
        }
      }
    }
  }

  private static Database open(String key, Shared shared, JdbcUrl url) throws SQLException {
    try {
      Database database = Database.open(url);
      shared.database = database;
      return database;
    } catch (SQLException | RuntimeException | Error e) {
      shared.dead = true;
      OPEN.remove(key, shared);
      throw SqlErrors.translate(e);
    }
  }

  private static String key(JdbcUrl url) throws SQLException {
    if (url.memory()) {
      return url.place().isEmpty() ? "mem:" + java.util.UUID.randomUUID() : "mem:" + url.place();
    }
    return "path:" + canonical(url.path().toAbsolutePath().normalize());
  }

  /** The path with links followed as far as it exists. */
  private static Path canonical(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      Path parent = path.getParent();
      Path name = path.getFileName();
      return parent == null || name == null ? path : canonical(parent).resolve(name);
    }
  }
}
