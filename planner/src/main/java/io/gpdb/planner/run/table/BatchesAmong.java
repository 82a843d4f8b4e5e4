package io.gpdb.planner.run.table;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.ForwardingBatches;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.tablet.Tablet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a table without the rows that do not pass a test: these do not exist ({@link
 * Batch#live}), where few are left these are copied ({@link FewOfBatch}), and batches of which no
 * row is left do not come. Where many rows pass, batches come as they are: those of which the first
 * rows are tried and all behind them, or those with which it is found later. So which rows are left
 * out may depend on how many batches are read together, and their reader tests each row again.
 */
final class BatchesAmong extends ForwardingBatches {
  /** Rows after which it is seen whether many pass. */
  private static final long TRIED_ROWS = 1 << 18;

  private final @Nullable Fields fields;
  private final RowTest test;
  private final ArrayDeque<Batch> tried = new ArrayDeque<>();
  private boolean expectsAll;
  private long seen;
  private long passed;
  private boolean isNoUse;

  /** How many batches are asked together where all are wanted. */
  private static final int TOGETHER_MAX = 32;

  /** How many at first, when it is not known whether to ask pays. */
  private static final int TOGETHER_FIRST = (int) (TRIED_ROWS / Tablet.ROWS);

  /** First rows of a batch that one thread tries, which need not wake others for so few. */
  private static final int FIRST_ROWS = 1 << 11;

  /** Where so many times as many of the first rows pass as may, no other needs to be tried. */
  private static final int PLAINLY = 2;

  /** Copies that their batches hold may take one part in this many of the memory left. */
  private static final int MEMORY_SHARE = 16;

  /** What is read of a table's rows. */
  record Fields(List<SqlTypeSpec> types, BitSet read) {}

  /**
   * @param batches closed with this
   * @param fields to be copied of few rows; null where rows must stay where they are
   */
  BatchesAmong(Batches batches, @Nullable Fields fields, RowTest test) {
    super(batches);
    this.fields = fields;
    this.test = test;
  }

  @Override
  public @Nullable Batch next() {
    return left(batches::next);
  }

  @Override
  public @Nullable Batch nextTogether() {
    return left(batches::nextTogether);
  }

  /** The next batch of which rows are left. */
  private @Nullable Batch left(Supplier<@Nullable Batch> source) {
    while (true) {
      Batch known = tried.poll();
      if (known != null) {
        return known;
      }
      Batch batch = source.get();
      if (batch == null || isNoUse) {
        return batch;
      }
      attempt(withFollowing(batch));
    }
  }

  /**
   * A batch, and where all are asked for some behind it, so that threads have enough to do. Who
   * asks for all returns nothing before it has them: no batch that waits here keeps another
   * statement from its tablet for longer than this one runs.
   */
  private List<Batch> withFollowing(Batch batch) {
    List<Batch> some = new ArrayList<>();
    some.add(batch);
    try {
      long room = MemoryAccount.current().availableBytes() / MEMORY_SHARE - batch.copiedBytes();
      int most = seen < TRIED_ROWS ? TOGETHER_FIRST : TOGETHER_MAX;
      while (expectsAll && room > 0 && some.size() < most) {
        Batch next = following();
        if (next == null) {
          break;
        }
        some.add(next);
        room -= next.copiedBytes();
      }
      return some;
    } catch (RuntimeException | Error e) {
      some.forEach(Batch::close);
      throw e;
    }
  }

  private @Nullable Batch following() {
    try {
      return batches.nextTogether();
    } catch (GpdbException e) {
      if (e.code() == ErrorCode.OUT_OF_MEMORY) {
        return null; // it is still to come
      }
      throw e;
    }
  }

  /** Keeps what is left of the batches, in their order. */
  private void attempt(List<Batch> some) {
    List<Attempt> attempts = new ArrayList<>();
    try {
      some.forEach(batch -> attempts.add(new Attempt(batch)));
      isNoUse = (seen == 0 && isPlainlyNoUse(attempts)) || !isOfUse(attempts);
      if (isNoUse) {
        attempts.forEach(Attempt::forget);
        tried.addAll(some);
        return;
      }
      List<Attempt> few = attempts.stream().filter(attempt -> attempt.isFew).toList();
      test.device().share(few.size(), i -> few.get(i).copy());
    } catch (RuntimeException | Error e) {
      attempts.forEach(Attempt::forget);
      if (e instanceof GpdbException failure && failure.code() == ErrorCode.OUT_OF_MEMORY) {
        tried.addAll(some); // as they are: whoever goes on with less memory misses no row
        return;
      }
      some.forEach(Batch::close);
      throw e;
    }
    for (Attempt attempt : attempts) {
      Batch left = attempt.left();
      if (left != null) {
        tried.add(left);
      }
    }
  }

  /** Whether so many of the first rows pass that this is so of all. */
  private boolean isPlainlyNoUse(List<Attempt> attempts) {
    List<RowTest.Asked> first = attempts.stream().map(Attempt::first).toList();
    long firstRows = first.stream().mapToLong(RowTest.Asked::rows).sum();
    long firstPassed = 0;
    for (RowTest.Asked asked : first) {
      firstPassed += firstRows < FIRST_ROWS ? 0 : test.pass(List.of(asked))[0];
    }
    return firstPassed > PLAINLY * firstRows / test.passingShare();
  }

  /** Finds the rows that pass; whether they are so few that finding more pays. */
  private boolean isOfUse(List<Attempt> attempts) {
    int[] counts = test.pass(attempts.stream().map(Attempt::all).toList());
    for (int i = 0; i < counts.length; i++) {
      attempts.get(i).found(counts[i]);
    }
    return seen < TRIED_ROWS || passed <= seen / test.passingShare();
  }

  /** A batch whose rows are asked. */
  private final class Attempt {
    private final Batch batch;
    private final BatchMemory memory = new BatchMemory();
    private final HostBuffer passing;
    private int count;
    private boolean isFew;
    private @Nullable FewOfBatch copy;

    Attempt(Batch batch) {
      this.batch = batch;
      try {
        passing = memory.bitmap(batch.rows());
      } catch (RuntimeException | Error e) {
        memory.close();
        throw e;
      }
    }

    RowTest.Asked first() {
      return new RowTest.Asked(batch, Math.min(batch.rows(), FIRST_ROWS), passing);
    }

    RowTest.Asked all() {
      return new RowTest.Asked(batch, batch.rows(), passing);
    }

    void found(int passingRows) {
      count = passingRows;
      seen += batch.rows();
      passed += count;
      isFew = fields != null && count > 0 && count <= batch.rows() / test.copiedShare();
    }

    /** By any thread; the batch is closed by the one that opened it. */
    void copy() {
      copy = new FewOfBatch(batch, Objects.requireNonNull(fields), passing, count);
    }

    /** What comes out; null where no row is left. */
    @Nullable Batch left() {
      if (count > 0 && copy == null) {
        return new Among(batch, passing, memory);
      }
      memory.close();
      batch.close();
      return copy;
    }

    /** Gives up what was made for the batch, which stays open. */
    void forget() {
      try (memory) {
        if (copy != null) {
          copy.close();
        }
      }
    }
  }

  @Override
  public void expectAll() {
    expectsAll = true;
    super.expectAll();
  }

  @Override
  public void close() {
    try (batches) {
      tried.forEach(Batch::close);
      tried.clear();
    }
  }

  /** A batch of which fewer rows exist. */
  private static final class Among extends Batch {
    private final Batch rows;
    private final HostBuffer passing;
    private final BatchMemory memory;

    Among(Batch rows, HostBuffer passing, BatchMemory memory) {
      this.rows = rows;
      this.passing = passing;
      this.memory = memory;
    }

    @Override
    public int rows() {
      return rows.rows();
    }

    @Override
    public DeviceBuffer live() {
      return passing;
    }

    @Override
    public long rowBase() {
      return rows.rowBase();
    }

    @Override
    public long rowNumber(int row) {
      return rows.rowNumber(row);
    }

    @Override
    public @Nullable InTablet inTablet(int of) {
      return rows.inTablet(of);
    }

    @Override
    public long copiedBytes() {
      return rows.copiedBytes();
    }

    @Override
    public long storedBytes() {
      return rows.storedBytes();
    }

    @Override
    public DeviceBuffer values(int of) {
      return rows.values(of);
    }

    @Override
    public @Nullable DeviceBuffer validity(int of) {
      return rows.validity(of);
    }

    @Override
    public StringDomain strings(int of) {
      return rows.strings(of);
    }

    @Override
    public void close() {
      try (memory) {
        rows.close();
      }
    }
  }
}
