package io.gpdb.txn.log;

import static io.gpdb.txn.SampleDatabase.insert;
import static io.gpdb.txn.SampleDatabase.update;
import static io.gpdb.txn.SampleDatabase.withTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.table.TableStore;
import io.gpdb.txn.SampleDatabase;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which records and sections a transaction writes, and no others. */
class TransactionRecordsTest {
  private final CrashableDirectory directory = new CrashableDirectory();

  @AfterEach
  void close() {
    directory.close();
  }

  /** A record, without what it says of its place. */
  private record Found(boolean isFirst, boolean isLast, List<SectionKind> sections) {}

  /** The records from a position on. */
  private List<Found> records(long from) {
    List<Found> found = new ArrayList<>();
    try (DatabaseMemory memory = new DatabaseMemory()) {
      for (String name : directory.names().stream().filter(WalLayout::isFileName).toList()) {
        WalSegment segment = WalSegment.read(directory, name, null);
        if (segment == null) {
          continue; // made ahead
        }
        try (WalReader reader = new WalReader(directory, memory.work(), segment)) {
          for (WalRecord r = reader.nextHere(); r != null; r = reader.nextHere()) {
            List<SectionKind> sections = new ArrayList<>();
            r.forEachSection(section -> sections.add(section.kind()));
            if (r.position() >= from) {
              found.add(new Found(r.isFirst(), r.isLast(), sections));
            }
          }
        }
      }
    }
    return found;
  }

  private List<Found> recordsOf(Protocol protocol, Consumer<Transaction> work) {
    TransactionManager manager = withTable(directory, protocol);
    Transaction before = manager.begin();
    insert(before, 0, 10, id -> id);
    before.commit();
    long from = manager.logPosition();
    Transaction tx = manager.begin();
    work.accept(tx);
    tx.commit();
    manager.abandon();
    return records(from);
  }

  @Test
  void aSmallTransactionIsOneRecordOfWhatItDid() {
    assertThat(
            recordsOf(
                Protocol.REDO,
                tx -> {
                  insert(tx, 100, 1, id -> 3);
                  SampleDatabase.delete(tx, id -> id == 5);
                }))
        .containsExactly(new Found(true, true, List.of(SectionKind.INSERT, SectionKind.DELETE)));
  }

  @Test
  void valuesInPlaceAreNamedByTheirExtents() {
    List<Found> found = recordsOf(Protocol.UNDO, tx -> update(tx, id -> id == 5, id -> 6));
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().sections()).isNotEmpty().containsOnly(SectionKind.EXTENT);
  }

  /** The first one of a transaction says so, and the last one, and none between. */
  @Test
  void aLongTransactionBeginsAndEndsOnce() {
    List<Found> found = recordsOf(Protocol.REDO, tx -> insert(tx, 100, 500_000, id -> 3));
    assertThat(found).hasSizeGreaterThan(2);
    for (int i = 0; i < found.size(); i++) {
      assertThat(found.get(i).isFirst()).as("record %d", i).isEqualTo(i == 0);
      assertThat(found.get(i).isLast()).as("record %d", i).isEqualTo(i == found.size() - 1);
    }
  }

  /** Its first records are read again when its last one has come. */
  @Test
  void everyRecordOfALongTransactionIsReplayed() {
    int rows = 700_000;
    assertThat(recordsOf(Protocol.REDO, tx -> insert(tx, 100, rows, id -> 3)))
        .hasSizeGreaterThan(3);
    try (TransactionManager again = SampleDatabase.open(directory, Protocol.REDO)) {
      TableStore table = Objects.requireNonNull(again.space().table(SampleDatabase.TABLE));
      long live = 0;
      for (int t = 0; t < table.tabletCount(); t++) {
        live += table.tablet(t).liveCount();
      }
      assertThat(live).isEqualTo(10 + rows);
    }
  }
}
