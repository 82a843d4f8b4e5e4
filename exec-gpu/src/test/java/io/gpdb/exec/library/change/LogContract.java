package io.gpdb.exec.library.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.Cases;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.base.TestColumn;
import io.gpdb.storage.memory.HostBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every log that kernels append to must hold. */
abstract class LogContract {
  /** A log with room for the entries of n rows. */
  abstract UpdateLog create(Element element, int n);

  /** The words of every entry in the log, in any order. */
  abstract List<int[]> entries(UpdateLog log, Element element, int n);

  /** Applies the log to a column. */
  abstract void replay(
      Device device, UpdateLog log, Element element, int n, HostBuffer values, HostBuffer validity);

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void everyChangedRowHasOneEntryWithItsNewValue(Mode mode, int n, boolean nulls) {
    for (Element element : List.of(Element.I16, Element.F32, Element.I64)) {
      TestColumn values = TestColumn.random(element, n, nulls, 3);
      UpdateLog log = create(element, n);
      append(mode, element, values, n, log);
      int[][] expected = new int[n][];
      for (int i = 0; i < n; i++) {
        int word0 = row(i, n) | (values.present[i] ? 0 : HclLayout.NULL_FLAG);
        int low = (int) values.raw[i];
        expected[i] =
            HclLayout.updateEntryWords(element) == 3
                ? new int[] {word0, low, (int) (values.raw[i] >> 32)}
                : new int[] {word0, low};
      }
      int[][] actual = entries(log, element, n).toArray(int[][]::new);
      Arrays.sort(expected, Arrays::compare);
      Arrays.sort(actual, Arrays::compare);
      assertThat(Arrays.deepEquals(actual, expected)).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("io.gpdb.exec.library.Cases#all")
  void replayGivesTheColumnThatTheUpdateMade(Mode mode, int n, boolean nulls) {
    for (Element element : List.of(Element.I8, Element.I32, Element.F64)) {
      TestColumn values = TestColumn.random(element, n, nulls, 4);
      UpdateLog log = create(element, n);
      TestColumn column = append(mode, element, values, n, log);
      TestColumn fresh = TestColumn.random(element, Math.max(1, n), true, 5);
      replay(Cases.device(mode), log, element, n, fresh.values, fresh.validity);
      long bytes = (long) n * element.bytes();
      assertThat(
              fresh
                  .values
                  .slice(0, bytes)
                  .segment()
                  .mismatch(column.values.slice(0, bytes).segment()))
          .isEqualTo(-1);
      for (int i = 0; i < n; i++) {
        if (TestColumn.bit(fresh.validity, i) != TestColumn.bit(column.validity, i)) {
          assertThat(i).as("row whose presence differs").isNegative();
        }
      }
    }
  }

  /** Updates all n rows of a column, in another order. */
  private static TestColumn append(
      Mode mode, Element element, TestColumn values, int n, UpdateLog log) {
    TestColumn column = TestColumn.random(element, Math.max(1, n), true, 5);
    HostBuffer rows = TestColumn.ints(IntStream.range(0, n).map(i -> row(i, n)).toArray());
    new GridApplyUpdate(Cases.device(mode))
        .redo(
            new ColumnUpdate(element, rows, n)
                .newValues(values.values, values.validity)
                .column(column.values, column.validity)
                .log(log));
    return column;
  }

  private static int row(int i, int n) {
    return n - 1 - i;
  }

  static HostBuffer words(long count) {
    return HostBuffer.collected(Math.max(4, count * 4));
  }

  static int word(HostBuffer words, long index) {
    return words.intAt(index);
  }
}
