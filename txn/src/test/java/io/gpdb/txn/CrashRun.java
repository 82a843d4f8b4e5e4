package io.gpdb.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashImage;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.TxnOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs transactions on a crashable directory and crashes it before every store, flush, drain,
 * growth and change of names. After each crash the database must hold the acknowledged
 * transactions, and either all or nothing of the one being committed.
 */
final class CrashRun {
  private static final Map<Integer, Long> NO_TABLE = Map.of(-1, -1L);

  private final TxnOptions options;
  private final CrashableDirectory directory = new CrashableDirectory();
  private final int every;

  /** The contents of images that were recovered and written to, by their hashes. */
  private final Map<Long, Map<Integer, Long>> recovered = new HashMap<>();

  private Map<Integer, Long> acknowledged = NO_TABLE;
  private Map<Integer, Long> pending = NO_TABLE;
  private long acts;
  private long states;

  CrashRun(TxnOptions options, int every) {
    this.options = options;
    this.every = every;
  }

  /** A transaction's work; leaves commit to the run. */
  interface Work {
    void on(Transaction tx);
  }

  CrashableDirectory directory() {
    return directory;
  }

  long states() {
    return states;
  }

  TransactionManager open() {
    directory.listener(
        (act, memory, offset, bytes) -> crashHere(act + " " + memory + ":" + offset));
    return TransactionManager.open(directory, SampleDatabase.DEVICE, options);
  }

  /** Crashes nowhere from now on. */
  void rest() {
    directory.listener(null);
  }

  void commit(TransactionManager manager, Work work) {
    Transaction tx = manager.begin();
    work.on(tx);
    pending = contents(tx);
    tx.commit();
    acknowledged = pending;
  }

  /**
   * Commits a transaction that was open at the same time as others; {@code after} is what the
   * database contains then.
   */
  void commit(Transaction tx, Map<Integer, Long> after) {
    pending = new TreeMap<>(after);
    tx.commit();
    acknowledged = pending;
  }

  private static Map<Integer, Long> contents(Transaction tx) {
    try {
      return new TreeMap<>(SampleDatabase.contents(tx));
    } catch (GpdbException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.TABLE_NOT_FOUND);
      return NO_TABLE;
    }
  }

  private void crashHere(String place) {
    if (acts++ % every != 0) {
      return;
    }
    CrashChoice[] choices = {
      CrashChoice.keepNothing(), CrashChoice.keepAll(), CrashChoice.random(acts)
    };
    for (int i = 0; i < choices.length; i++) {
      try (CrashableDirectory crashed = directory.crash(choices[i])) {
        check(crashed, "act " + acts + " " + place + ", choice " + i);
      }
    }
  }

  private void check(CrashableDirectory crashed, String place) {
    states++;
    Map<Integer, Long> found = recover(crashed, place, false);
    CrashImage again = crashed.capture().image(CrashChoice.random(acts));
    assertThat(recoverAndWrite(again, place + ", recovered twice")).isEqualTo(found);
    if (acts % 7 == 0) {
      checkCrashesInRecovery(crashed, found, place);
    }
  }

  /** Recovery is itself interrupted at every act, and still has the same result. */
  private void checkCrashesInRecovery(
      CrashableDirectory crashed, Map<Integer, Long> found, String place) {
    try (CrashableDirectory victim = crashed.crash(CrashChoice.keepAll())) {
      crashInRecovery(victim, found, place);
    }
  }

  private void crashInRecovery(CrashableDirectory victim, Map<Integer, Long> found, String place) {
    long[] step = {0};
    victim.listener(
        (act, memory, offset, bytes) -> {
          step[0]++;
          states++;
          String where = place + ", recovery step " + step[0] + " " + act + " " + memory;
          CrashImage left = victim.capture().image(CrashChoice.random(step[0]));
          assertThat(recoverAndWrite(left, where)).isEqualTo(found);
        });
    TransactionManager.open(victim, SampleDatabase.DEVICE, options).abandon();
    victim.listener(null);
  }

  /** Of images that are the same to the last byte, the first is enough. */
  private Map<Integer, Long> recoverAndWrite(CrashImage image, String place) {
    Map<Integer, Long> known = recovered.get(image.hash());
    if (known != null) {
      expect(known, place);
      return known;
    }
    try (CrashableDirectory crashed = image.open()) {
      Map<Integer, Long> found = recover(crashed, place, true);
      recovered.put(image.hash(), found);
      return found;
    }
  }

  private void expect(Map<Integer, Long> found, String place) {
    if (!found.equals(acknowledged)) {
      assertThat(found).as(place).isEqualTo(pending);
    }
  }

  private Map<Integer, Long> recover(CrashableDirectory crashed, String place, boolean goesOn) {
    try {
      TransactionManager manager = TransactionManager.open(crashed, SampleDatabase.DEVICE, options);
      Transaction tx = manager.begin();
      Map<Integer, Long> found = contents(tx);
      tx.commit();
      expect(found, place);
      if (goesOn) {
        write(manager, found);
        assertThat(manager.space().check()).as(place).isEmpty();
        manager.close();
      } else {
        manager.abandon();
      }
      return found;
    } catch (RuntimeException | Error e) {
      throw new AssertionError("after a crash before " + place, e);
    }
  }

  /** The recovered database takes another transaction. */
  private static void write(TransactionManager manager, Map<Integer, Long> found) {
    if (found.equals(NO_TABLE)) {
      return;
    }
    Transaction tx = manager.begin();
    SampleDatabase.insert(tx, 1_000_000, 3, id -> id);
    SampleDatabase.update(tx, id -> id == 1_000_001, id -> 5);
    tx.commit();
    Map<Integer, Long> expected = new TreeMap<>(found);
    expected.putAll(Map.of(1_000_000, 1_000_000L, 1_000_001, 5L, 1_000_002, 1_000_002L));
    assertThat(SampleDatabase.contents(manager)).isEqualTo(expected);
  }
}
