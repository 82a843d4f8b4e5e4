package io.gpdb.exec.library.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.Device;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Update, delete, undo and replay of one column of a tablet. */
class GridApplyTest {
  /** Rows of a column that n of them change in. */
  private static int capacity(int n) {
    return Math.clamp(2L * n, 64, 65_536);
  }

  /** A column, changed at n distinct rows. */
  private static final class Change {
    final Element element;
    final int n;
    final int[] rows;
    final TestColumn before;
    final TestColumn after;
    final HostBuffer rowList;
    final HostBuffer undoValues;
    final HostBuffer undoValidity;

    Change(Element element, int n, boolean nulls) {
      this.element = element;
      this.n = n;
      rows = distinctRows(n);
      before = TestColumn.random(element, capacity(n), nulls, 1);
      after = TestColumn.random(element, n, nulls, 2);
      rowList = TestColumn.ints(rows);
      undoValues = HostBuffer.collected(Math.max(8, n * 8L));
      undoValidity = HostBuffer.collected(Math.max(8, DenseColumn.bitmapBytes(n)));
    }

    ColumnUpdate update() {
      return new ColumnUpdate(element, rowList, n)
          .newValues(after.values, after.validity)
          .column(before.values, before.validity);
    }

    void assertColumnIs(boolean changed) {
      long[] raw = before.raw.clone();
      boolean[] present = before.present.clone();
      for (int i = 0; changed && i < n; i++) {
        raw[rows[i]] = after.raw[i];
        present[rows[i]] = after.present[i];
      }
      assertHolds(element, before.values, before.validity, raw, present);
    }

    void assertCaptured() {
      long[] raw = new long[n];
      boolean[] present = new boolean[n];
      for (int i = 0; i < n; i++) {
        raw[i] = before.raw[rows[i]];
        present[i] = before.present[rows[i]];
      }
      HostBuffer validity = before.validity == null ? null : undoValidity;
      assertHolds(element, undoValues, validity, raw, present);
    }
  }

  private static int[] distinctRows(int n) {
    int[] order = new int[capacity(n)];
    Random random = new Random(n);
    for (int i = 0; i < order.length; i++) {
      int j = random.nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return Arrays.copyOf(order, n);
  }

  static void assertHolds(
      Element element, HostBuffer values, HostBuffer validity, long[] raw, boolean[] present) {
    for (int i = 0; i < raw.length; i++) {
      if (TestColumn.bit(validity, i) != present[i]
          || TestColumn.read(element, values, i) != raw[i]) {
        assertThat(TestColumn.bit(validity, i)).as("presence of " + i).isEqualTo(present[i]);
        assertThat(TestColumn.read(element, values, i)).as("value of " + i).isEqualTo(raw[i]);
      }
    }
  }

  private static HostBuffer log(Element element, int n) {
    long bytes = HclLayout.regionBytes(n, HclLayout.updateEntryWords(element));
    return HostBuffer.collected(Math.max(4, bytes + 32 * 4));
  }

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void redoStoresCapturesAndLogsWhatReplayStoresAgain(Mode mode, int n, boolean nulls) {
    Device device = Cases.device(mode);
    GridApplyUpdate apply = new GridApplyUpdate(device);
    GridReplay replay = new GridReplay(device);
    for (Element element : Element.values()) {
      Change change = new Change(element, n, nulls);
      HostBuffer log = log(element, n);
      apply.redo(
          change
              .update()
              .captureInto(change.undoValues, change.undoValidity)
              .log(new UpdateLog.Hcl(log, 32)));
      change.assertColumnIs(true);
      change.assertCaptured();
      HostBuffer undoValidity = nulls ? change.undoValidity : null;
      apply.redo(change.update().newValues(change.undoValues, undoValidity));
      change.assertColumnIs(false);
      for (int times = 0; times < 2; times++) {
        replay.launch(element, false, log, 32, n, change.before.values, change.before.validity);
        change.assertColumnIs(true);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void columnsOfAVariantAreChangedByOneLaunch(Mode mode) {
    Device device = Cases.device(mode);
    List<Change> changes = new ArrayList<>();
    for (Element element : new Element[] {Element.I32, Element.F64}) {
      for (int n : new int[] {0, 1, 33, 1500, 7}) {
        changes.add(new Change(element, n, false));
        changes.add(new Change(element, n, true));
      }
    }
    long before = device.counters().snapshot().launches();
    new GridApplyUpdate(device)
        .redo(
            changes.stream()
                .map(c -> c.update().captureInto(c.undoValues, c.undoValidity))
                .toList());
    assertThat(device.counters().snapshot().launches() - before).isEqualTo(4);
    changes.forEach(Change::assertCaptured);
    changes.forEach(c -> c.assertColumnIs(true));
  }

  /** Counts the flushed bytes and the drains. */
  private static final class CountingTarget implements PersistTarget {
    private long flushedBytes;
    private int drains;

    @Override
    public synchronized void flush(long offset, long bytes) {
      flushedBytes += bytes;
    }

    @Override
    public synchronized void drain() {
      drains++;
    }
  }

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void replayInPlaceIsDurableOnReturn(Mode mode, int n, boolean nulls) {
    GridReplay replay = new GridReplay(Cases.device(mode));
    for (Element element : new Element[] {Element.I8, Element.I32, Element.F64}) {
      replayInPlace(replay::updateInPlace, Cases.device(mode), element, n, nulls);
      replayInPlace(replay::launchInPlace, Cases.device(mode), element, n, nulls);
    }
  }

  private static void replayInPlace(
      Consumer<List<GridReplay.InPlace>> replay,
      Device device,
      Element element,
      int n,
      boolean nulls) {
    Change change = new Change(element, n, nulls);
    HostBuffer log = log(element, n);
    new GridApplyUpdate(device)
        .redo(
            change
                .update()
                .captureInto(change.undoValues, change.undoValidity)
                .log(new UpdateLog.Hcl(log, 0)));
    new GridApplyUpdate(device)
        .redo(change.update().newValues(change.undoValues, nulls ? change.undoValidity : null));
    change.assertColumnIs(false);
    CountingTarget target = new CountingTarget();
    GridReplay.InPlace update =
        new GridReplay.InPlace(
            element, log, n, change.before.values, target, change.before.validity, target);
    replay.accept(n == 0 ? List.of() : List.of(update));
    change.assertColumnIs(true);
    assertThat(target.drains).as("values and validity of one memory").isEqualTo(n == 0 ? 0 : 1);
    assertThat(target.flushedBytes).isGreaterThanOrEqualTo((long) n * element.bytes());
  }

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void deleteClearsLiveBitsAndReplayClearsThemAgain(Mode mode, int n, boolean isLogged) {
    Device device = Cases.device(mode);
    int[] rows = distinctRows(n);
    boolean[] bits = TestColumn.randomBits(capacity(n), 50, 3);
    for (int row : rows) {
      bits[row] = true;
    }
    boolean[] deleted = bits.clone();
    for (int row : rows) {
      deleted[row] = false;
    }
    HostBuffer live = TestColumn.bitmap(bits);
    HostBuffer log = HostBuffer.collected(Math.max(4, HclLayout.regionBytes(n, 1)));
    UpdateLog.Hcl hcl = isLogged ? new UpdateLog.Hcl(log, 0) : null;
    new GridApplyDelete(device)
        .launch(List.of(new GridApplyDelete.Group(TestColumn.ints(rows), n, live, hcl)));
    assertBits(live, deleted);
    if (isLogged) {
      HostBuffer replayed = TestColumn.bitmap(bits);
      for (int times = 0; times < 2; times++) {
        new GridReplay(device).launchClear(log, 0, n, replayed);
        assertBits(replayed, deleted);
      }
    }
  }

  private static void assertBits(HostBuffer bitmap, boolean[] bits) {
    List<Integer> wrong = new ArrayList<>();
    for (int i = 0; i < bits.length; i++) {
      if (TestColumn.bit(bitmap, i) != bits[i]) {
        wrong.add(i);
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void aLogThatDoesNotFitItsColumnIsCorruption() {
    Device device = Cases.device(Mode.REFERENCE);
    Change change = new Change(Element.I32, 40, true);
    HostBuffer log = log(Element.I32, 40);
    GridApplyUpdate apply = new GridApplyUpdate(device);
    apply.redo(change.update().log(new UpdateLog.Hcl(log, 0)));
    GridReplay replay = new GridReplay(device);
    HostBuffer tooSmall = HostBuffer.collected(16);
    assertCorruption(() -> replay.update(Element.I32, log, 0, 40, tooSmall, null));
    assertCorruption(() -> replay.launch(Element.I32, false, log, 0, 40, tooSmall, null));
    assertCorruption(() -> replay.clearLive(log, 0, 40, HostBuffer.collected(4)));
    HostBuffer large = HostBuffer.collected(65_536 * 4);
    assertCorruption(() -> replay.update(Element.I32, log, 0, 40, large, null));
    assertCorruption(() -> replay.launch(Element.I32, false, log, 0, 40, large, null));
  }

  private static void assertCorruption(Runnable replay) {
    assertThatThrownBy(replay::run)
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPTION));
  }

  @Test
  void newNullsNeedAColumnWithValidity() {
    Change change = new Change(Element.I32, 5, true);
    ColumnUpdate update = change.update().column(change.before.values, null);
    GridApplyUpdate apply = new GridApplyUpdate(Cases.device(Mode.REFERENCE));
    assertThatThrownBy(() -> apply.redo(update)).isInstanceOf(IllegalArgumentException.class);
  }
}
