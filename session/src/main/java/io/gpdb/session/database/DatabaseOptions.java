package io.gpdb.session.database;

import io.gpdb.planner.statement.EngineOptions;
import io.gpdb.txn.api.TxnOptions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which database is opened, and how.
 *
 * @param create whether a directory that has no database gets one
 * @param required what was asked for: a database that is open already must have it
 * @param memoryLimit bytes that transactions may take; null is the standard limit
 */
public record DatabaseOptions(
    DatabasePlace place,
    boolean create,
    TxnOptions transactions,
    Set<Required> required,
    @Nullable Long memoryLimit,
    EngineOptions engine,
    DeviceChoice device) {

  /** An option that all connections to one database share. */
  public enum Required {
    PROTOCOL,
    LOG,
    READ_ONLY
  }

  /** Whether a database that was opened with those options has what is required here. */
  boolean agreesWith(TxnOptions opened) {
    return required.stream()
        .allMatch(
            option ->
                switch (option) {
                  case PROTOCOL -> transactions.protocol() == opened.protocol();
                  case LOG -> transactions.log() == opened.log();
                  case READ_ONLY -> transactions.readOnly() == opened.readOnly();
                });
  }
}
