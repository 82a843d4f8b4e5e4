package io.gpdb.jdbc;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.planner.statement.EngineOptions;
import io.gpdb.session.FileAccess;
import io.gpdb.session.database.DatabaseOptions;
import io.gpdb.session.database.DatabaseOptions.Required;
import io.gpdb.session.database.DatabasePlace;
import io.gpdb.session.database.DeviceChoice;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A parsed {@code jdbc:gpdb:PATH;name=value…} or {@code jdbc:gpdb:mem:NAME;…}.
 *
 * @param options properties by lower-case name; those of the URL win over the given ones
 */
record JdbcUrl(String text, DatabasePlace place, Map<String, String> options) {
  static final String PREFIX = "jdbc:gpdb:";
  static final String PROTOCOL = "protocol";
  static final String LOG = "log";
  static final String READ_ONLY = "readonly";
  static final String CREATE = "create";
  static final String CHECKPOINT_BYTES = "checkpoint_bytes";
  static final String COMMITS_IN_FLIGHT = "commits_in_flight";
  static final String DEVICE = "device";
  static final String HOST_ROWS = "host_rows";
  static final String EXECUTOR = "executor";
  static final String WORKERS = "workers";
  static final String AUTO_VACUUM = "auto_vacuum";
  static final String MEMORY_LIMIT = "memory_limit";
  static final String LOCK_TIMEOUT = "lock_timeout";
  static final String FILE_ACCESS = FileAccess.NAME;

  /** What each property is, for {@link java.sql.Driver#getPropertyInfo}. */
  static final Map<String, String> DESCRIPTIONS = descriptions();

  private static Map<String, String> descriptions() {
    Map<String, String> all = new TreeMap<>();
    all.put(
        PROTOCOL, "commit protocol: auto, redo, undo, versioned, checksummed, cap-fs or cap-mm");
    all.put(LOG, "log layout: hcl or conventional");
    all.put(READ_ONLY, "true: the database is opened for reading only");
    all.put(CREATE, "false: a missing database is an error");
    all.put(CHECKPOINT_BYTES, "log bytes after which a checkpoint starts");
    all.put(COMMITS_IN_FLIGHT, "batches of commits that are written and synced side by side");
    all.put(DEVICE, "what runs kernels: emulated, cuda, cuda:NUMBER or auto");
    all.put(HOST_ROWS, "rows up to which a plan's kernels are left to the host by a GPU; 0: none");
    all.put(EXECUTOR, "how kernels run: auto, compiled, interpreted or reference");
    all.put(WORKERS, "threads that run kernels");
    all.put(
        MEMORY_LIMIT, "bytes outside the heap that statements may take, with the tables of mem:");
    all.put(AUTO_VACUUM, "false: tables are compacted by VACUUM only");
    all.put(FILE_ACCESS, "files that SQL may read and write: all, none or those below a directory");
    all.put(LOCK_TIMEOUT, "milliseconds that a writer waits for another one; 0: not at all");
    return all;
  }

  static boolean isOurs(@Nullable String url) {
    return url != null && url.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
  }

  static JdbcUrl parse(String url, @Nullable Properties properties) throws SQLException {
    if (!isOurs(url)) {
      throw refused("'" + url + "' does not begin with " + PREFIX);
    }
    String[] parts = url.substring(PREFIX.length()).split(";", -1);
    Map<String, String> options = new TreeMap<>();
    if (properties != null) {
      for (String name : properties.stringPropertyNames()) {
        // Tools pass properties of their own; only those of the URL are checked against our list.
        if (DESCRIPTIONS.containsKey(name.toLowerCase(Locale.ROOT))) {
          options.put(name.toLowerCase(Locale.ROOT), properties.getProperty(name));
        }
      }
    }
    for (int i = 1; i < parts.length; i++) {
      if (!parts[i].isBlank()) {
        putOption(options, parts[i]);
      }
    }
    return new JdbcUrl(url, UrlPlace.of(parts[0]), options);
  }

  private static void putOption(Map<String, String> options, String part) throws SQLException {
    int equals = part.indexOf('=');
    String name = (equals < 0 ? part : part.substring(0, equals)).strip().toLowerCase(Locale.ROOT);
    if (equals < 0 || !DESCRIPTIONS.containsKey(name)) {
      throw refused(
          "'"
              + part
              + "' in the URL is not one of "
              + String.join("=, ", DESCRIPTIONS.keySet())
              + "=");
    }
    options.put(name, part.substring(equals + 1).strip());
  }

  /** How the database is to be opened. */
  DatabaseOptions databaseOptions() throws SQLException {
    if (!place.inMemory()) {
      path();
    }
    return new DatabaseOptions(
        place, create(), txnOptions(), required(), memoryLimit(), engineOptions(), device());
  }

  private Set<Required> required() {
    Set<Required> required = EnumSet.noneOf(Required.class);
    if (options.containsKey(PROTOCOL)) {
      required.add(Required.PROTOCOL);
    }
    if (options.containsKey(LOG)) {
      required.add(Required.LOG);
    }
    if (options.containsKey(READ_ONLY)) {
      required.add(Required.READ_ONLY);
    }
    return required;
  }

  /** The place as the path of a directory. */
  Path path() throws SQLException {
    try {
      return place.path();
    } catch (InvalidPathException e) {
      throw refused("'" + place + "' is not a path: " + e.getReason());
    }
  }

  boolean readOnly() throws SQLException {
    return flag(READ_ONLY, false);
  }

  boolean create() throws SQLException {
    return flag(CREATE, !readOnly());
  }

  private boolean flag(String name, boolean otherwise) throws SQLException {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw refused(name + "=" + value + " is neither true nor false");
    };
  }

  TxnOptions txnOptions() throws SQLException {
    TxnOptions txn = TxnOptions.standard().withReadOnly(readOnly());
    txn = txn.withProtocol(choice(PROTOCOL, Protocol.values(), Protocol::word, txn.protocol()));
    txn = txn.withLog(choice(LOG, LogKind.values(), LogKind::word, txn.log()));
    long bytes = number(CHECKPOINT_BYTES, txn.checkpointBytes());
    long inFlight =
        number(
            COMMITS_IN_FLIGHT, txn.commitsInFlight(), Range.to(TxnOptions.COMMITS_IN_FLIGHT_MAX));
    return txn.withCheckpointBytes(bytes).withCommitsInFlight((int) inFlight);
  }

  /** The limit of the memory of transactions; null where it is the standard one. */
  @Nullable Long memoryLimit() throws SQLException {
    Range range = Range.from(TransactionManager.MEMORY_BYTES_MIN);
    return options.containsKey(MEMORY_LIMIT) ? Long.valueOf(number(MEMORY_LIMIT, 0, range)) : null;
  }

  FileAccess fileAccess() throws SQLException {
    String value = options.get(FILE_ACCESS);
    try {
      return value == null ? FileAccess.ALL : FileAccess.of(value);
    } catch (GpdbException e) {
      throw SqlErrors.of(ErrorCode.CANNOT_OPEN, String.valueOf(e.getMessage()), e);
    }
  }

  /** Of this connection alone. */
  long lockTimeoutMillis() throws SQLException {
    return number(LOCK_TIMEOUT, 0, new Range(0, Integer.MAX_VALUE));
  }

  EngineOptions engineOptions() throws SQLException {
    return EngineOptions.standard().withAutoVacuum(flag(AUTO_VACUUM, true));
  }

  DeviceChoice device() throws SQLException {
    EmulatedOptions host = emulatedOptions();
    String text = options.getOrDefault(DEVICE, "emulated").toLowerCase(Locale.ROOT);
    Long hostRows = options.containsKey(HOST_ROWS) ? number(HOST_ROWS, 0, Range.from(0)) : null;
    try {
      return DeviceChoice.of(text, host, hostRows);
    } catch (GpdbException e) {
      throw SqlErrors.of(ErrorCode.CANNOT_OPEN, String.valueOf(e.getMessage()), e);
    }
  }

  private EmulatedOptions emulatedOptions() throws SQLException {
    EmulatedOptions standard = EmulatedOptions.standard();
    return new EmulatedOptions(
        choice(
            EXECUTOR,
            EmulatedOptions.Mode.values(),
            mode -> mode.name().toLowerCase(Locale.ROOT),
            standard.mode()),
        (int) number(WORKERS, standard.workers(), Range.to(Integer.MAX_VALUE)),
        standard.counting());
  }

  private long number(String name, long otherwise) throws SQLException {
    return number(name, otherwise, Range.from(1));
  }

  private long number(String name, long otherwise, Range range) throws SQLException {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= range.least() && number <= range.most()) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw refused(name + "=" + value + " is not a number " + range);
  }

  /** The numbers that an option takes. */
  private record Range(long least, long most) {
    static Range from(long least) {
      return new Range(least, Long.MAX_VALUE);
    }

    static Range to(long most) {
      return new Range(1, most);
    }

    @Override
    public String toString() {
      return most == Long.MAX_VALUE ? "of at least " + least : "from " + least + " to " + most;
    }
  }

  private <E> E choice(String name, E[] choices, Function<E, String> wording, E otherwise)
      throws SQLException {
    String value = options.get(name);
    if (value == null) {
      return otherwise;
    }
    StringBuilder known = new StringBuilder();
    for (E each : choices) {
      String word = wording.apply(each);
      if (word.equals(value.toLowerCase(Locale.ROOT))) {
        return each;
      }
      known.append(known.isEmpty() ? "" : ", ").append(word);
    }
    throw refused(name + "=" + value + " is not one of " + known);
  }

  static SQLException refused(String message) {
    return SqlErrors.of(ErrorCode.CANNOT_OPEN, message);
  }
}
