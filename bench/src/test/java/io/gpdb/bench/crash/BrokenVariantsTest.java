package io.gpdb.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.Stream;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.simulation.medium.CrashUnit;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Deliberate mistakes, made in front of the medium or the device: the explorer finds each. */
class BrokenVariantsTest {
  private static final int STATES = 300;
  private static final int STATES_WITHOUT_MISTAKE = 100;

  /** Seeds that are tried, from one on by which both workloads of threads show the mistake. */
  private static final int FIRST_SEED = 7;

  private static final int SEEDS = 12;

  private static Setting setting(Protocol protocol, Workload workload) {
    return new Setting(protocol, LogKind.HCL, CrashUnit.LINE, workload, 1);
  }

  private static List<Violation> explored(
      Setting setting, UnaryOperator<StorageDirectory> medium, UnaryOperator<Device> device) {
    return explored(setting, medium, device, STATES);
  }

  private static List<Violation> explored(
      Setting setting,
      UnaryOperator<StorageDirectory> medium,
      UnaryOperator<Device> device,
      int states) {
    return new Exploration(setting, medium, device).untilFirstViolation().run(states).violations;
  }

  private static List<Violation> explored(Setting setting, UnaryOperator<StorageDirectory> medium) {
    return explored(setting, medium, UnaryOperator.identity());
  }

  /** No violation ends these: they look at fewer states. */
  private static List<Violation> withoutMistake(
      Protocol protocol, Workload workload, UnaryOperator<StorageDirectory> medium) {
    return explored(
        setting(protocol, workload), medium, UnaryOperator.identity(), STATES_WITHOUT_MISTAKE);
  }

  /** Where threads commit, syncs overlap by some seeds and not by others. */
  private static boolean isCaught(Workload workload, UnaryOperator<StorageDirectory> medium) {
    return IntStream.range(FIRST_SEED, FIRST_SEED + SEEDS)
        .mapToObj(seed -> new Setting(Protocol.REDO, LogKind.HCL, CrashUnit.LINE, workload, seed))
        .anyMatch(setting -> !explored(setting, medium).isEmpty());
  }

  /** The fence after the log's write: commits are acknowledged before they are durable. */
  @Test
  void aFenceLeftOutIsCaught() {
    UnaryOperator<StorageDirectory> unfenced =
        inner ->
            new WrappedDirectory(inner) {
              @Override
              void drain(PersistentMemory memory) {
                if (!memory.name().startsWith("wal-")) {
                  super.drain(memory);
                }
              }
            };
    assertThat(explored(setting(Protocol.REDO, Workload.STATEMENTS), unfenced)).isNotEmpty();
  }

  /** A sync that another thread has begun is believed to do for what was written since. */
  @Test
  void aSyncThatBeganBeforeTheWriteIsCaught() {
    UnaryOperator<StorageDirectory> shared =
        inner ->
            new WrappedDirectory(inner) {
              private final AtomicInteger underWay = new AtomicInteger();

              @Override
              void drain(PersistentMemory memory) {
                boolean alone = underWay.getAndIncrement() == 0;
                try {
                  if (alone || !memory.name().startsWith("wal-")) {
                    super.drain(memory);
                  }
                } finally {
                  underWay.decrementAndGet();
                }
              }
            };
    assertThat(isCaught(Workload.COMMITS_TOGETHER, shared)).isTrue();
    assertThat(isCaught(Workload.DEPENDENT_COMMITS, shared)).isTrue();
    assertThat(withoutMistake(Protocol.REDO, Workload.STATEMENTS, shared)).isEmpty();
  }

  /** The undo record is drained after the values that it saves: what it undoes cannot be undone. */
  @Test
  void twoPersistsSwappedAreCaught() {
    UnaryOperator<StorageDirectory> swapped =
        inner ->
            new WrappedDirectory(inner) {
              private final List<PersistentMemory> putOff = new ArrayList<>();

              @Override
              void drain(PersistentMemory memory) {
                if (memory.name().equals("undo.gpdb")) {
                  putOff.add(memory);
                } else {
                  super.drain(memory);
                  putOff.forEach(BrokenVariantsTest::drainLate);
                  putOff.clear();
                }
              }
            };
    assertThat(explored(setting(Protocol.UNDO, Workload.ROLLBACKS), swapped)).isNotEmpty();
  }

  private static void drainLate(PersistentMemory memory) {
    try {
      memory.drain();
    } catch (GpdbException _) {
      // an opening closes the log that it has read: the drain put off is one left out
    }
  }

  /** The first warp alone persists what the whole kernel has logged or stored. */
  @Test
  void aScopeTooNarrowIsCaught() {
    UnaryOperator<Device> narrow =
        inner -> new RewritingDevice(inner, BrokenVariantsTest::narrowed);
    assertThat(
            explored(setting(Protocol.UNDO, Workload.ROLLBACKS), UnaryOperator.identity(), narrow))
        .isNotEmpty();
  }

  private static Kernel narrowed(Kernel kernel) {
    List<Op> body = new ArrayList<>();
    for (Op op : kernel.body()) {
      if (op instanceof Op.Persist) {
        body.addAll(persistOfFirstWarp(registersOf(kernel)));
      } else {
        body.add(op);
      }
    }
    return new Kernel(
        kernel.name(),
        kernel.blockSize(),
        kernel.buffers(),
        kernel.scalars(),
        kernel.shared(),
        body);
  }

  private static List<Op> persistOfFirstWarp(int register) {
    Reg lane = new Reg(register, Type.I32);
    Reg warpLanes = new Reg(register + 1, Type.I32);
    Reg first = new Reg(register + 2, Type.PRED);
    return List.of(
        new Op.Special(lane, Op.SpecialKind.GLOBAL),
        new Op.Const(warpLanes, Op.WARP_LANES),
        new Op.Compare(first, Op.CompareOp.LT, lane, warpLanes),
        new Op.If(first, List.of(new Op.Persist(PersistScope.WORKITEM)), List.of()));
  }

  private static int registersOf(Kernel kernel) {
    int[] most = {0};
    Ops.forEach(
        kernel.body(),
        op -> {
          Reg written = Ops.write(op);
          most[0] = written == null ? most[0] : Math.max(most[0], written.id() + 1);
        });
    return most[0];
  }

  /** Recovery believes every record whose header says that it is one. */
  @Test
  void aLogWithoutChecksumsIsCaught() {
    UnaryOperator<StorageDirectory> unchecked =
        inner ->
            new WrappedDirectory(inner) {
              @Override
              void load(PersistentMemory memory, long offset, MemorySegment target) {
                super.load(memory, offset, target);
                if (memory.name().startsWith("wal-")) {
                  seal(target);
                }
              }
            };
    assertThat(explored(setting(Protocol.REDO, Workload.STATEMENTS), unchecked)).isNotEmpty();
  }

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  /** Stores the checksums that a record should have; offsets as in file-format.md. */
  private static void seal(MemorySegment record) {
    boolean isRecord = record.byteSize() >= 64 && record.get(INT, 0) == magic("gpWR");
    if (isRecord && record.get(INT, 16) == record.byteSize()) {
      record.set(INT, 52, crc(record.asSlice(64)));
    }
    if (isRecord && record.byteSize() == 64) {
      record.set(INT, 60, crc(record.asSlice(0, 60)));
    }
  }

  private static int magic(String text) {
    int magic = 0;
    for (int i = 3; i >= 0; i--) {
      magic = magic << 8 | text.charAt(i);
    }
    return magic;
  }

  private static int crc(MemorySegment bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.toArray(ValueLayout.JAVA_BYTE));
    return (int) crc.getValue();
  }

  /** Without a mistake, the same explorations find nothing. */
  @Test
  void theSameExplorationsFindNothingInWhatIsRight() {
    UnaryOperator<StorageDirectory> plain = inner -> new WrappedDirectory(inner) {};
    assertThat(withoutMistake(Protocol.REDO, Workload.STATEMENTS, plain)).isEmpty();
    assertThat(withoutMistake(Protocol.REDO, Workload.COMMITS_TOGETHER, plain)).isEmpty();
    assertThat(withoutMistake(Protocol.REDO, Workload.DEPENDENT_COMMITS, plain)).isEmpty();
    assertThat(
            explored(
                setting(Protocol.UNDO, Workload.ROLLBACKS),
                plain,
                inner -> new RewritingDevice(inner, UnaryOperator.identity()),
                STATES_WITHOUT_MISTAKE))
        .isEmpty();
  }

  /** Loads kernels as a function changes them. */
  private record RewritingDevice(Device inner, UnaryOperator<Kernel> rewrite) implements Device {
    @Override
    public <T> T counted(io.gpdb.exec.ExecutionCounters into, java.util.function.Supplier<T> work) {
      return inner.counted(into, work);
    }

    @Override
    public String name() {
      return inner.name();
    }

    @Override
    public LoadedKernel load(Kernel kernel) {
      return inner.load(rewrite.apply(kernel));
    }

    @Override
    public DeviceMemory memory() {
      return inner.memory();
    }

    @Override
    public Stream stream() {
      return inner.stream();
    }

    @Override
    public ExecutionCounters counters() {
      return inner.counters();
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
