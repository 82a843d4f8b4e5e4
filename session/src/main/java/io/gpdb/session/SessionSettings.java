package io.gpdb.session;

import io.gpdb.planner.Prepared;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.type.InstantText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.Protocol;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** SET and SHOW: the session's own settings, and those of the open database to look at. */
final class SessionSettings {
  private static final String AUTOCOMMIT = "autocommit";
  private static final String READ_ONLY = "transaction_read_only";
  private static final String ISOLATION = "transaction_isolation";
  private static final String SCHEMA = "schema";

  private static final String SESSION_AUTHORIZATION = "session_authorization";
  private static final String CATALOG = "catalog";
  private static final String NAMES = "names";
  private static final String ROLE = "role";
  private static final String TIME_ZONE = "time_zone";

  /** Another name of the schema, and of one schema alone. */
  private static final String SEARCH_PATH = "search_path";

  private static final String AUTO_VACUUM = "auto_vacuum";
  private static final String FILE_ACCESS = FileAccess.NAME;
  private static final String DEVICE = "device";
  private static final String PERSISTENCY = "persistency";
  private static final String LOCK_TIMEOUT = "lock_timeout";

  private static final String DATABASE_SETTINGS =
      "SELECT name, setting FROM information_schema.gpdb_settings";

  private static final List<OutputColumn> ONE =
      List.of(new OutputColumn("SETTING", SqlTypeSpec.VARCHAR, true));
  private static final List<OutputColumn> ALL =
      List.of(
          new OutputColumn("NAME", SqlTypeSpec.VARCHAR, false),
          new OutputColumn("SETTING", SqlTypeSpec.VARCHAR, true));

  private SessionSettings() {}

  static void set(Session session, String name, @Nullable String value) {
    switch (name.toLowerCase(Locale.ROOT)) {
      case AUTOCOMMIT -> session.setAutoCommit(value == null || flag(name, value));
      case READ_ONLY -> session.setReadOnly(value != null && flag(name, value));
      case ISOLATION -> {
        if (value != null) {
          session.isolation().set(SessionIsolation.ofText(value));
        }
      }
      case LOCK_TIMEOUT ->
          session.current().lockTimeoutMillis(value == null ? 0 : millis(name, value));
      case PERSISTENCY -> session.current().protocol(value == null ? null : protocol(value));
      case DEVICE -> session.changeDevice(value == null ? null : value.toLowerCase(Locale.ROOT));
      case AUTO_VACUUM ->
          session.database().engine().vacuum().enable(value == null || flag(name, value));
      case FILE_ACCESS -> {
        if (value != null) {
          session.narrow(FileAccess.of(value));
        }
      }
      case SESSION_AUTHORIZATION -> requireOnly(name, value, SchemaNames.USER);
      case CATALOG -> requireOnly(name, value, SchemaNames.CATALOG);
      case NAMES -> requireOnly(name, value, "UTF8");
      case ROLE -> requireOnly(name, value, "NONE");
      case TIME_ZONE -> requireZone(value);
      case SCHEMA, SEARCH_PATH -> session.schema().set(value == null ? SchemaNames.PUBLIC : value);
      default ->
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED,
              "SET "
                  + name
                  + " is not supported; what can be set: "
                  + String.join(
                      ", ",
                      AUTOCOMMIT,
                      READ_ONLY,
                      ISOLATION,
                      SCHEMA,
                      AUTO_VACUUM,
                      DEVICE,
                      PERSISTENCY,
                      FILE_ACCESS,
                      LOCK_TIMEOUT)
                  + " (the log is chosen in the URL)");
    }
  }

  /** What has one value may be set to that. */
  private static void requireOnly(String name, @Nullable String value, String only) {
    if (value != null && !value.equalsIgnoreCase(only)) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, "SET " + name + " to '" + value + "': there is only " + only);
    }
  }

  /** The zone is that of the JVM: another is refused. */
  private static void requireZone(@Nullable String value) {
    if (value == null) {
      return;
    }
    ZoneRules own = ZoneId.systemDefault().getRules();
    ZoneRules asked = InstantText.zone(value).getRules();
    boolean same =
        asked.equals(own)
            || (asked.isFixedOffset()
                && own.isFixedOffset()
                && asked.getOffset(Instant.EPOCH).equals(own.getOffset(Instant.EPOCH)));
    if (!same) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "SET TIME ZONE '"
              + value
              + "': a session's zone is that of the JVM, "
              + ZoneId.systemDefault());
    }
  }

  /** Whether setting it may end the current transaction or change it. */
  static boolean isOfTransaction(String name) {
    return name.equalsIgnoreCase(AUTOCOMMIT) || name.equalsIgnoreCase(ISOLATION) || isDevice(name);
  }

  static boolean isDevice(String name) {
    return name.equalsIgnoreCase(DEVICE);
  }

  private static boolean flag(String name, String value) {
    return switch (value.toUpperCase(Locale.ROOT)) {
      case "ON", "TRUE", "1" -> true;
      case "OFF", "FALSE", "0" -> false;
      default ->
          throw new GpdbException(
              ErrorCode.INVALID_ARGUMENT, name + " is on or off, not '" + value + "'");
    };
  }

  private static long millis(String name, String value) {
    try {
      long millis = Long.parseLong(value);
      if (millis >= 0 && millis <= Integer.MAX_VALUE) {
        return millis;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a number out of range.
    }
    throw new GpdbException(
        ErrorCode.INVALID_ARGUMENT,
        name + " is milliseconds from 0 to " + Integer.MAX_VALUE + ", not '" + value + "'");
  }

  private static Protocol protocol(String text) {
    String word = text.toLowerCase(Locale.ROOT).replace('_', '-');
    for (Protocol protocol : Protocol.values()) {
      if (protocol.word().equals(word)) {
        return protocol;
      }
    }
    throw new GpdbException(
        ErrorCode.INVALID_ARGUMENT,
        "persistency is auto, redo, undo, versioned or checksummed, not '" + text + "'");
  }

  /** SHOW of one setting returns its value, SHOW ALL names and values. */
  static Outcome show(Session session, String name, @Nullable Transaction own) {
    boolean done = false;
    try {
      Map<String, @Nullable String> settings = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      settings.put(AUTOCOMMIT, session.isAutoCommit() ? "on" : "off");
      boolean readOnly =
          session.isReadOnly() || Boolean.TRUE.equals(session.isolation().readOnly());
      settings.put(READ_ONLY, readOnly ? "on" : "off");
      settings.put(ISOLATION, SessionIsolation.toText(session.isolation().now()));
      settings.put(SCHEMA, session.schema().name());
      settings.put(FILE_ACCESS, session.fileAccess().text());
      settings.put(LOCK_TIMEOUT, Long.toString(session.current().lockTimeoutMillis()));
      Transaction transaction = own == null ? session.current().transaction() : own;
      if (transaction != null) {
        readDatabaseSettings(session, transaction, settings);
      }
      settings.put(PERSISTENCY, session.current().protocol().word());
      boolean all = name.equalsIgnoreCase("ALL");
      if (!all && !settings.containsKey(name)) {
        throw new GpdbException(
            ErrorCode.INVALID_ARGUMENT,
            "there is no setting " + name + ", but " + String.join(", ", settings.keySet()));
      }
      List<OutputColumn> columns = all ? ALL : ONE;
      BufferedRows rows = new BufferedRows(Outcome.types(columns));
      if (all) {
        settings.forEach((key, value) -> rows.append(key, value));
      } else {
        rows.append(settings.get(name));
      }
      done = true;
      return session.rows(columns, rows, own, null);
    } finally {
      if (!done && own != null) {
        own.rollback();
      }
    }
  }

  private static void readDatabaseSettings(
      Session session, Transaction transaction, Map<String, @Nullable String> settings) {
    Prepared query = session.database().engine().prepare(DATABASE_SETTINGS, transaction);
    if (query.execute(transaction, Binding.EMPTY) instanceof Result.Rows result) {
      try (RowSet rows = result.rows()) {
        while (rows.next()) {
          settings.put(rows.string(0), rows.isNull(1) ? null : rows.string(1));
        }
      }
    }
  }
}
