package io.gpdb.session.database;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.TxnOptions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads every byte of a database and says what is wrong: first the files, which need no opening,
 * then the recovered tables and the catalog. Nothing is written.
 */
public final class DatabaseProblems {
  private static final Pattern TABLE = Pattern.compile("\\btable=(\\d{1,9})");

  private DatabaseProblems() {}

  /** Every problem of a database that nobody has open, one line each; the directory stays open. */
  public static List<String> of(StorageDirectory directory) {
    Set<String> problems = new LinkedHashSet<>(TransactionManager.checkFiles(directory));
    Map<Integer, String> names = checkOpened(directory, problems);
    return problems.stream().map(problem -> named(problem, names)).toList();
  }

  /** The problem, with its tables by number and by name, as far as the catalog knows them. */
  private static String named(String problem, Map<Integer, String> names) {
    return TABLE
        .matcher(problem)
        .replaceAll(
            table -> {
              String name = names.get(Integer.valueOf(table.group(1)));
              String known = name == null ? "" : " (" + name + ")";
              return Matcher.quoteReplacement(table.group() + known);
            });
  }

  /** Returns the names of the tables; none when the database cannot be opened. */
  private static Map<Integer, String> checkOpened(
      StorageDirectory directory, Set<String> problems) {
    try (Device device = new EmulatedDevice(EmulatedOptions.standard());
        TransactionManager manager =
            TransactionManager.open(directory, device, TxnOptions.standard().withReadOnly(true))) {
      problems.addAll(manager.check());
      problems.addAll(Catalog.check(manager));
      return Catalog.names(manager);
    } catch (RuntimeException e) {
      problems.add("cannot be opened: " + e.getMessage());
      return Map.of();
    }
  }
}
