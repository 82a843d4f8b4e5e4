package io.gpdb.planner.run.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.library.join.KeyFilter;
import io.gpdb.exec.library.scan.PassingRows;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.BatchWindows;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.tablet.Tablet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rows with a key come out, in their order, however little memory there is to find them. */
class BatchesAmongTest {
  private static final int ROUNDS = 200;

  /** Those of a batch that are tried alone. */
  private static final int FIRST_ROWS = 2048;

  private final Device device = new EmulatedDevice(new EmulatedOptions(Mode.AUTO, 2, false));

  @AfterEach
  void close() {
    device.close();
  }

  /** Whole numbers, and a copy of {@code copied} bytes that is made when the batch is. */
  private static final class Numbers extends Batch {
    private final int[] numbers;
    private final HostBuffer values;
    private final int copied;
    private final BatchMemory memory = new BatchMemory();
    private final List<Numbers> open;

    Numbers(int[] numbers, int copied, List<Numbers> open) {
      this.numbers = numbers;
      this.copied = copied;
      this.open = open;
      values = HostBuffer.collected((long) numbers.length * Integer.BYTES);
      values.write(0, numbers, 0, numbers.length);
      try {
        memory.pin(copied);
      } catch (GpdbException e) {
        memory.close();
        throw e;
      }
      open.add(this);
    }

    @Override
    public int rows() {
      return numbers.length;
    }

    @Override
    public long copiedBytes() {
      return copied;
    }

    @Override
    public DeviceBuffer values(int field) {
      return values;
    }

    @Override
    public @Nullable DeviceBuffer validity(int field) {
      return null;
    }

    @Override
    public StringDomain strings(int field) {
      throw new IllegalStateException("no strings");
    }

    @Override
    public void close() {
      open.remove(this);
      memory.close();
    }
  }

  /** The batches of a table: one that finds no memory is still to come. */
  private static final class Source implements Batches {
    private final List<int[]> rows;
    private final int copied;
    private final List<Numbers> open = new ArrayList<>();
    private int next;

    Source(List<int[]> rows, int copied) {
      this.rows = rows;
      this.copied = copied;
    }

    @Override
    public @Nullable Batch next() {
      if (next == rows.size()) {
        return null;
      }
      Batch batch = new Numbers(rows.get(next), copied, open);
      next++;
      return batch;
    }

    @Override
    public @Nullable Batch nextTogether() {
      return next();
    }

    @Override
    public void close() {}
  }

  @Test
  void rowsWithAKeyComeOutWhateverMemoryThereIs() {
    int found = 0;
    int ended = 0;
    long first = Long.getLong("gpdb.seed", 1);
    for (long seed = first; seed < first + ROUNDS; seed++) {
      Random random = new Random(seed);
      List<int[]> rows = new ArrayList<>();
      for (int b = random.nextInt(12); b >= 0; b--) {
        int range = random.nextInt(3) == 0 ? 40 : 2000;
        rows.add(random.ints(random.nextInt(20_000), 0, range).toArray());
      }
      HostBuffer kept = HostBuffer.collected(20 * Integer.BYTES);
      kept.write(0, random.ints(20, 0, 50).toArray(), 0, 20);
      try (DatabaseMemory memory = new DatabaseMemory()) {
        memory.work().limit((1 + random.nextInt(64)) * 4096L * (random.nextBoolean() ? 1 : 8));
        try (MemoryAccount statement = memory.work().statement("a join");
            MemoryAccount.Scope _ = statement.bind()) {
          KeyFilter keys =
              KeyFilter.of(device, ElementType.I32, new PassingRows.Column(kept, null, 20));
          if (keys == null) {
            continue;
          }
          List<Integer> passing = found(rows, keys, random, "-Dgpdb.seed=" + seed);
          if (passing == null) {
            ended++;
          } else {
            found++;
            assertThat(passing).as("-Dgpdb.seed=%d", seed).isEqualTo(expected(rows, kept));
          }
          assertThat(statement.usedBytes()).as("-Dgpdb.seed=%d", seed).isZero();
        }
      }
    }
    assertThat(found).isGreaterThan(ROUNDS / 4);
    assertThat(ended).isPositive();
  }

  @Test
  void whereTheFirstRowsPassBatchesComeAsTheyAre() {
    int[] numbers = new int[Tablet.ROWS];
    Arrays.fill(numbers, FIRST_ROWS, numbers.length, 100);
    assertThat(comeAsTheyAre(Collections.nCopies(6, numbers))).containsOnly(true);
  }

  @Test
  void whereOfAllTriedRowsManyPassBatchesComeAsTheyAre() {
    int[] numbers = new int[Tablet.ROWS];
    Arrays.fill(numbers, 0, FIRST_ROWS, 100);
    assertThat(comeAsTheyAre(Collections.nCopies(6, numbers))).containsOnly(true);
  }

  @Test
  void whereFewRowsPassTheOthersAreLeftOut() {
    int[] numbers = new int[Tablet.ROWS];
    Arrays.fill(numbers, 100);
    Arrays.fill(numbers, 0, FIRST_ROWS / 2, 0);
    Arrays.fill(numbers, numbers.length / 4 * 3, numbers.length, 0);
    assertThat(comeAsTheyAre(Collections.nCopies(6, numbers))).hasSize(6).containsOnly(false);
  }

  /** Of the batches that come, whether they are those of the table; the key is 0. */
  private List<Boolean> comeAsTheyAre(List<int[]> rows) {
    HostBuffer kept = HostBuffer.collected(Integer.BYTES);
    kept.write(0, new int[1], 0, 1);
    KeyFilter keys =
        Objects.requireNonNull(
            KeyFilter.of(device, ElementType.I32, new PassingRows.Column(kept, null, 1)));
    Source source = new Source(rows, 0);
    List<Boolean> come = new ArrayList<>();
    try (BatchWindows windows =
        new BatchWindows(new BatchesAmong(source, null, new RowTest.OfKeys(0, keys)))) {
      windows.expectAll();
      for (Batch batch : windows.next(Long.MAX_VALUE)) {
        come.add(batch instanceof Numbers);
      }
    }
    assertThat(source.open).isEmpty();
    return come;
  }

  /** The numbers that come out and are a key; null where there is too little memory. */
  private static @Nullable List<Integer> found(
      List<int[]> rows, KeyFilter keys, Random random, String replay) {
    BitSet read = new BitSet();
    read.set(0);
    BatchesAmong.Fields fields = new BatchesAmong.Fields(List.of(SqlTypeSpec.INTEGER), read);
    Source source = new Source(rows, random.nextInt(4) * 16_384);
    List<Integer> found = new ArrayList<>();
    try (BatchWindows windows =
        new BatchWindows(
            new BatchesAmong(
                source, random.nextBoolean() ? fields : null, new RowTest.OfKeys(0, keys)))) {
      if (random.nextBoolean()) {
        windows.expectAll();
      }
      for (List<Batch> window = windows.next(30_000);
          !window.isEmpty();
          window = windows.next(30_000)) {
        window.forEach(batch -> add(batch, keys, found));
      }
    } catch (GpdbException e) {
      assertThat(e.code()).as(replay).isEqualTo(ErrorCode.OUT_OF_MEMORY);
      return null;
    } finally {
      assertThat(source.open).as(replay).isEmpty();
    }
    return found;
  }

  private static void add(Batch batch, KeyFilter keys, List<Integer> to) {
    HostBuffer passing = HostBuffer.collected(Math.max(8, Bitmaps.bytes(batch.rows())));
    PassingRows.Column column = new PassingRows.Column(batch.hostValues(0), null, batch.rows());
    keys.pass(new KeyFilter.Rows(column, DeviceBuffer.onHostOrNull(batch.live()), passing));
    for (int row = 0; row < batch.rows(); row++) {
      if (Bitmaps.test(passing, row)) {
        to.add(batch.hostValues(0).intAt(row));
      }
    }
  }

  private static List<Integer> expected(List<int[]> rows, HostBuffer kept) {
    List<Integer> expected = new ArrayList<>();
    for (int[] numbers : rows) {
      for (int number : numbers) {
        for (int i = 0; i < 20; i++) {
          if (kept.intAt(i) == number) {
            expected.add(number);
            break;
          }
        }
      }
    }
    return expected;
  }
}
