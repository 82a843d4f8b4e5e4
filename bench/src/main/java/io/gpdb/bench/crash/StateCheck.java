package io.gpdb.bench.crash;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.simulation.medium.CrashImage;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.RecycledSlabs;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.TxnOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Recovers what a crash left and looks at all of it. */
final class StateCheck {
  /** Of databases that are opened for a moment each: closing one stops no other thread. */
  static final HostMemory MEMORY = new HostMemory(new RecycledSlabs());

  /** Shared: recovery launches few kernels, and equal ones. */
  private static final Device DEVICE =
      new EmulatedDevice(new EmulatedOptions(EmulatedOptions.Mode.AUTO, 1, false), MEMORY);

  /** Named last when a database is made. */
  private static final String HOME = "home.gpdb";

  /** What a checkpoint that was cut short leaves cannot be distinguished from damage. */
  private static final Pattern CUT_SHORT =
      Pattern.compile("superblock [AB] .*, or a checkpoint was cut short");

  /** Workloads of definitions have a hundred tables, all alike. */
  private static final int TABLES_WRITTEN_MAX = 6;

  private final TxnOptions options;
  private final UnaryOperator<StorageDirectory> wrapper;

  /** What was found; {@code problem} is empty when all was well. */
  record Found(Contents contents, Violation.Fault fault, String problem) {
    boolean isWell() {
      return problem.isEmpty();
    }
  }

  /**
   * @param wrapper what the database sees of the medium
   */
  StateCheck(TxnOptions options, UnaryOperator<StorageDirectory> wrapper) {
    this.options = options;
    this.wrapper = wrapper;
  }

  /** What opens the same, and sees the medium in another way. */
  StateCheck seeing(UnaryOperator<StorageDirectory> otherWrapper) {
    return new StateCheck(options, otherWrapper);
  }

  TransactionManager open(StorageDirectory medium) {
    return open(medium, DEVICE);
  }

  TransactionManager open(StorageDirectory medium, Device device) {
    return TransactionManager.open(wrapper.apply(medium), device, options);
  }

  /** Runs the verifier on the files, recovers, reads every table, runs the verifier on these. */
  Found recover(CrashImage image) {
    try (CrashableDirectory medium = image.openUncrashable()) {
      List<String> problems = problems(medium);
      if (!problems.isEmpty()) {
        return bad(Violation.Fault.CHECK, String.join("; ", problems));
      }
      TransactionManager manager;
      try {
        manager = open(medium);
      } catch (RuntimeException | Error e) {
        return bad(Violation.Fault.OPENING, e.toString());
      }
      try {
        return look(manager);
      } finally {
        manager.abandon();
      }
    }
  }

  /** Recovers and reads every table, for callers that do not look for problems. */
  Contents contents(CrashImage image) {
    try (CrashableDirectory medium = image.openUncrashable()) {
      TransactionManager manager = open(medium);
      try {
        return Contents.of(manager);
      } finally {
        manager.abandon();
      }
    }
  }

  /** As the command check finds them without opening; none before there is a database. */
  private static List<String> problems(StorageDirectory medium) {
    if (!medium.exists(HOME)) {
      return List.of();
    }
    List<String> problems = new ArrayList<>(TableSpace.checkFile(medium));
    problems.removeIf(CUT_SHORT.asMatchPredicate());
    problems.addAll(TransactionManager.checkLogs(medium, MEMORY));
    return problems;
  }

  private static Found bad(Violation.Fault fault, String problem) {
    return new Found(Contents.EMPTY, fault, problem);
  }

  private static Found look(TransactionManager manager) {
    Contents contents;
    try {
      contents = Contents.of(manager);
    } catch (RuntimeException | Error e) {
      return bad(Violation.Fault.TORN_ROW, e.toString());
    }
    List<String> problems = manager.space().check();
    String problem = problems.isEmpty() ? "" : String.join("; ", problems);
    return new Found(contents, Violation.Fault.CHECK, problem);
  }

  /** Whether the recovered database takes a transaction, closes, and opens with it; else why. */
  String goesOn(CrashImage image) {
    try (CrashableDirectory medium = image.openUncrashable()) {
      Contents expected;
      try (TransactionManager manager = open(medium)) {
        expected = write(manager);
      }
      try (TransactionManager again = open(medium)) {
        Contents found = Contents.of(again);
        List<String> problems = again.space().check();
        return found.equals(expected)
            ? String.join("; ", problems)
            : "after another transaction " + found.differenceFrom(expected);
      }
    } catch (RuntimeException | Error e) {
      return e.toString();
    }
  }

  private static Contents write(TransactionManager manager) {
    SortedMap<Integer, SortedMap<Integer, Long>> tables = Contents.of(manager).copy();
    Transaction tx = manager.begin();
    int step = Math.ceilDiv(tables.size(), TABLES_WRITTEN_MAX);
    int number = 0;
    for (Map.Entry<Integer, SortedMap<Integer, Long>> table : tables.entrySet()) {
      if (number++ % step == 0) {
        write(tx, table.getKey(), table.getValue());
      }
    }
    tx.commit();
    return new Contents(tables);
  }

  /** New rows, and new values for all, in the database and in {@code rows}. */
  static void write(Transaction tx, int table, SortedMap<Integer, Long> rows) {
    SortedMap<Integer, Long> added = SampleRows.rows(1_000_000, 33, id -> id);
    SampleTable.insert(tx, table, added);
    rows.putAll(added);
    SortedMap<Integer, Long> changed = new TreeMap<>();
    rows.keySet().forEach(id -> changed.put(id, id % 2 == 0 ? SampleTable.NULL : id * 3L));
    SampleTable.update(tx, table, changed);
    rows.putAll(changed);
  }
}
