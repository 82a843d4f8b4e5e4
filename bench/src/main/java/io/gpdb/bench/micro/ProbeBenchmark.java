package io.gpdb.bench.micro;

import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.index.Index;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.space.TableSpace;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Look-ups of keys that are there, in random order, in an index of BIGINTs. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ProbeBenchmark {
  static final int BATCH = 1024;

  @Param({"10000", "1000000"})
  int keys = 10_000;

  @Param({"HASH", "ORDERED"})
  IndexKind kind = IndexKind.HASH;

  private final VolatileDirectory memory = new VolatileDirectory("micro");
  private final TableSpace space = TableSpace.open(memory, false);
  private final long[] asked = new long[BATCH];
  private final long[] rows = new long[BATCH];
  private final long[] one = new long[1];
  private Index index = create();

  private Index create() {
    IndexShape shape = new IndexShape(1, kind, new int[] {0}, true);
    List<ColumnShape> columns = List.of(new ColumnShape("K", ElementType.I64));
    return space.createTable(1, new TableShape(columns, List.of(shape))).index(0);
  }

  /** The row of a key is the key itself. */
  @Setup
  public void fill() {
    space.dropTable(1);
    index = create();
    for (int key = 0; key < keys; key++) {
      one[0] = key;
      index.insert(one, key);
    }
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < BATCH; i++) {
      asked[i] = random.nextInt(keys);
    }
  }

  @TearDown
  public void close() {
    space.close();
    memory.close();
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long oneByOne() {
    long sum = 0;
    for (long key : asked) {
      one[0] = key;
      sum += index.firstCandidate(one);
    }
    return sum;
  }

  @Benchmark
  @OperationsPerInvocation(BATCH)
  public long[] asABatch() {
    index.firstCandidates(asked, 0, BATCH, rows);
    return rows;
  }

  /** What the look-ups of a batch must add up to. */
  long expected() {
    long sum = 0;
    for (long key : asked) {
      sum += key;
    }
    return sum;
  }
}
