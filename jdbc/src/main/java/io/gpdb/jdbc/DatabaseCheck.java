package io.gpdb.jdbc;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.sql.Catalog;
import io.gpdb.storage.FileDirectory;
import io.gpdb.storage.StorageDirectory;
import io.gpdb.storage.TableSpace;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.TxnOptions;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads every byte of a database and says what is wrong: first the files, which need no opening,
 * then the recovered tables and the catalog. Nothing is written.
 */
public final class DatabaseCheck {
  private DatabaseCheck() {}

  /**
   * Every problem, one line each.
   *
   * @throws SQLException when there is no database to check, or it is in use
   */
  public static List<String> run(Path database) throws SQLException {
    try (StorageDirectory directory = FileDirectory.openReadOnly(database)) {
      Set<String> problems = new LinkedHashSet<>(TableSpace.checkFile(directory));
      problems.addAll(TransactionManager.checkLogs(directory));
      checkOpened(directory, problems);
      return List.copyOf(problems);
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    }
  }

  private static void checkOpened(StorageDirectory directory, Set<String> problems) {
    try (Device device = Device.emulated(EmulatedOptions.standard());
        TransactionManager manager =
            TransactionManager.open(directory, device, TxnOptions.standard().withReadOnly(true))) {
      problems.addAll(manager.space().check());
      problems.addAll(Catalog.check(manager));
    } catch (RuntimeException e) {
      problems.add("cannot be opened: " + e.getMessage());
    }
  }
}
