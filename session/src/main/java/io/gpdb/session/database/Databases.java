package io.gpdb.session.database;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The databases open in this process. Connections to one path (however it is written) or to one
 * memory name share one database; it closes with the last of them.
 */
public final class Databases {
  private static final Map<String, Shared> OPEN = new ConcurrentHashMap<>();

  private Databases() {}

  /** One database and the number of its connections; states: new, open, dead. */
  private static final class Shared {
    private @Nullable Database database;
    private int connections;
    private boolean dead;
  }

  /** A hold on a database, to be closed once. */
  public static final class Lease implements AutoCloseable {
    private final String key;
    private final Shared shared;
    private final Database database;
    private boolean closed;

    private Lease(String key, Shared shared, Database database) {
      this.key = key;
      this.shared = shared;
      this.database = database;
    }

    public Database database() {
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

  public static Lease acquire(DatabaseOptions options) {
    String key = key(options.place());
    while (true) {
      Shared shared = OPEN.computeIfAbsent(key, absent -> new Shared());
      synchronized (shared) {
        if (!shared.dead) {
          Database database = shared.database;
          if (database == null) {
            database = open(key, shared, options);
          } else {
            database.requireSame(options);
          }
          shared.connections++;
          return new Lease(key, shared, database);
        }
      }
    }
  }

  private static Database open(String key, Shared shared, DatabaseOptions options) {
    try {
      Database database = Database.open(options);
      shared.database = database;
      return database;
    } catch (RuntimeException | Error e) {
      shared.dead = true;
      OPEN.remove(key, shared);
      throw e;
    }
  }

  private static String key(DatabasePlace place) {
    if (place.inMemory()) {
      return "mem:" + (place.text().isEmpty() ? UUID.randomUUID().toString() : place.text());
    }
    return "path:" + canonical(place.path().toAbsolutePath().normalize());
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
