package io.gpdb.storage.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.space.TableSpace.SnapshotImages;
import io.gpdb.storage.table.SampleTables;
import io.gpdb.storage.table.TableStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever changes bytes or buffers of a tablet ends its table's mark, and nothing else does. */
class ChangeMarksTest {
  private final VolatileDirectory directory = new VolatileDirectory("marks");
  private TableSpace space;
  private TableStore table;
  private Tablet tablet;

  @BeforeEach
  void begin() {
    space = TableSpace.open(directory, false);
    table = space.createTable(16, SampleTables.SHAPE);
    SampleTables.append(table, 100, 0);
    tablet = table.tablet(0);
  }

  @AfterEach
  void end() {
    space.close();
    directory.close();
  }

  private void requireEnded(String what, Runnable change) {
    ChangeMark mark = table.marks().mark();
    assertThat(mark.isCurrent()).isTrue();
    change.run();
    assertThat(mark.isCurrent()).as(what).isFalse();
    assertThat(table.marks().mark().isCurrent()).isTrue();
  }

  private void requireCurrent(String what, Runnable work) {
    ChangeMark mark = table.marks().mark();
    work.run();
    assertThat(mark.isCurrent()).as(what).isTrue();
    assertThat(table.marks().mark()).isSameAs(mark);
  }

  private void locked(Runnable work) {
    tablet.latch().writeLock().lock();
    try {
      work.run();
    } finally {
      tablet.latch().writeLock().unlock();
    }
  }

  @Test
  void changesEndTheMark() {
    requireEnded("values", () -> locked(() -> tablet.writableValues(0)));
    requireEnded("values again", () -> locked(() -> tablet.writableValues(0)));
    requireEnded("validity", () -> locked(() -> tablet.writableValidity(0)));
    requireEnded("live bits", () -> locked(tablet::writableLive));
    requireEnded("rows", () -> SampleTables.append(table, 1, 0));
    requireEnded("room", () -> table.appendRows(2000));
    requireEnded("column", () -> table.addColumn(new ColumnShape("MORE", ElementType.I32)));
    requireEnded("value of all", () -> table.fillColumn(3, 7, false));
    requireEnded("column gone", table::removeLastColumn);
    requireEnded("in place", () -> locked(() -> tablet.adoptInPlace(ChunkKind.VALUES, 0)));
    requireEnded("home of it", () -> locked(() -> tablet.homeValues(0)));
    requireEnded("home moved", () -> locked(() -> tablet.moveHome(ChunkKind.VALUES, 0, home())));
    requireEnded("not in place", () -> locked(tablet::leaveInPlace));
    requireEnded("gone", tablet::discard);
  }

  private long home() {
    return tablet.homeOffset(ChunkKind.VALUES, 0);
  }

  @Test
  void anotherTabletsChangesEndTheMark() {
    SampleTables.append(table, Tablet.ROWS, 0);
    tablet = table.tablet(1);
    requireEnded("values", () -> locked(() -> tablet.writableValues(0)));
  }

  @Test
  void readersAndCheckpointsLeaveTheMark() {
    requireCurrent("reads", () -> SampleTables.contents(table));
    requireCurrent("checkpoint", () -> space.checkpoint(SnapshotImages.current(), 1, new byte[0]));
    requireCurrent("reads of it", () -> SampleTables.contents(table));
    requireCurrent("check", () -> assertThat(space.check()).isEmpty());
  }

  @Test
  void aChangeOfATableLeavesThoseOfOthers() {
    TableStore other = space.createTable(17, SampleTables.SHAPE);
    requireCurrent("another's rows", () -> SampleTables.append(other, 10, 0));
  }
}
