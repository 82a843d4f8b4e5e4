package io.gpdb.exec.library.change;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.Kernel.Space;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Stores new rows: values, validity and live bits of all columns of all tablets that a batch goes
 * to, by one launch, or by copies where the host reads the device's memory. Called by transactions,
 * which hold the tablets' latches exclusively. A group is one column (or one bitmap) of one tablet,
 * so that one kernel serves every table: a lane copies a value as its bits, or merges a word of a
 * bitmap. Results are valid when the launch returns; of the persisting variant they are then
 * durable where their target says so. Thread-safe.
 */
public final class GridInsert {
  private static final int BLOCK_LANES = 1024;
  private static final int BITS = 4;
  private static final int WORD_BITS = 32;

  /** By the kind of a part. */
  private static final List<BufferParam> SOURCES =
      List.of(
          BufferParam.input("new_values8", Element.I8),
          BufferParam.input("new_values16", Element.I16),
          BufferParam.input("new_values32", Element.I32),
          BufferParam.input("new_values64", Element.I64),
          BufferParam.input("new_bits", Element.I32));

  private static final List<BufferParam> TARGETS =
      List.of(
          BufferParam.output("values8", Element.I8),
          BufferParam.output("values16", Element.I16),
          BufferParam.output("values32", Element.I32),
          BufferParam.output("values64", Element.I64),
          BufferParam.output("bits", Element.I32));

  private static final ScalarParam KIND = new ScalarParam("kind", Type.I32);
  private static final ScalarParam LANES = new ScalarParam("lanes", Type.I32);
  private static final ScalarParam SHIFT = new ScalarParam("shift", Type.I32);
  private static final ScalarParam BIT_COUNT = new ScalarParam("bit_count", Type.I32);
  private static final ScalarParam SOURCE_BIT = new ScalarParam("source_bit", Type.I32);

  private static final KernelTexts<Boolean> TEXTS = new KernelTexts<>(GridInsert::kernel);

  /** Bytes from which on the host's threads share the copying. */
  private static final long SHARED_BYTES_MIN = 1 << 20;

  /** Values of so many bytes, stored since the database was opened, are worth scanning. */
  static final long SCANNED_BYTES_MIN = 32L << 20;

  /** Of fewer rows the bytes are not counted: threads that store single rows share no counter. */
  private static final long COUNTED_BYTES_MIN = 1 << 16;

  /** Stands for the threads that share work; never started. */
  private static final Thread ANOTHER = new Thread(() -> {});

  private final LoadedKernels<Boolean> kernels;
  private final Device device;
  private final AtomicLong storedBytes = new AtomicLong();

  /** The groups of one launch. Used by one thread. */
  public static final class Rows {
    private final List<Part> parts = new ArrayList<>();
    private boolean persists;

    /** One column or bitmap of one tablet. */
    private record Part(
        int kind,
        int lanes,
        DeviceBuffer source,
        DeviceBuffer target,
        PersistTarget persist,
        int shift,
        int bits,
        int sourceBit) {}

    /**
     * Values of one column: {@code n} of {@code source}, from number {@code sourceFrom}, to {@code
     * target} from number {@code from}.
     *
     * @param persist of the whole column; {@link PersistTarget#VOLATILE} for none
     */
    public Rows values(
        int elementBytes,
        DeviceBuffer source,
        long sourceFrom,
        DeviceBuffer target,
        long from,
        int n,
        PersistTarget persist) {
      parts.add(
          new Part(
              Integer.numberOfTrailingZeros(elementBytes),
              n,
              source.slice(sourceFrom * elementBytes, (long) n * elementBytes),
              target.slice(from * elementBytes, (long) n * elementBytes),
              shifted(persist, from * elementBytes),
              0,
              0,
              0));
      return this;
    }

    /**
     * Bits of one bitmap in i32 words: {@code n} of {@code source}, from bit {@code sourceFrom}, to
     * {@code target} from bit {@code from}; ones where there is no source.
     */
    public Rows bits(
        @Nullable DeviceBuffer source,
        int sourceFrom,
        DeviceBuffer target,
        int from,
        int n,
        PersistTarget persist) {
      int shift = from % WORD_BITS;
      int words = (shift + n + WORD_BITS - 1) / WORD_BITS;
      long at = from / WORD_BITS * 4L;
      DeviceBuffer given = HostBuffer.NONE;
      if (source != null) {
        long first = sourceFrom / WORD_BITS * 4L;
        long end = (sourceFrom + n + WORD_BITS - 1) / WORD_BITS * 4L;
        given = source.slice(first, end - first);
      }
      parts.add(
          new Part(
              source == null ? BITS + 1 : BITS,
              words,
              given,
              target.slice(at, words * 4L),
              shifted(persist, at),
              shift,
              n,
              sourceFrom % WORD_BITS));
      return this;
    }

    private long bytes() {
      long bytes = 0;
      for (Part part : parts) {
        bytes += part.target.bytes();
      }
      return bytes;
    }

    @SuppressWarnings("ReferenceEquality") // VOLATILE is one object
    private PersistTarget shifted(PersistTarget target, long offset) {
      if (target == PersistTarget.VOLATILE) {
        return target;
      }
      persists = true;
      return new Shifted(target, offset);
    }

    /** The part of a target from byte {@code offset} on. */
    private record Shifted(PersistTarget target, long offset) implements PersistTarget {
      @Override
      public void flush(long at, long bytes) {
        target.flush(offset + at, bytes);
      }

      @Override
      public void drain() {
        target.drain();
      }

      @Override
      public boolean isDrainedWith(PersistTarget other) {
        return other instanceof Shifted shifted && target.isDrainedWith(shifted.target);
      }
    }
  }

  public GridInsert(Device device) {
    this.device = device;
    kernels = new LoadedKernels<>(device, TEXTS);
  }

  /** Stores all of the rows; durable on return where there is a target. */
  public void run(Rows rows) {
    long bytes = rows.bytes();
    count(bytes);
    if (rows.persists || !device.memory().isHosts()) {
      runByKernel(rows);
      return;
    }
    if (bytes >= SHARED_BYTES_MIN && isReadByAll(rows)) {
      device.share(rows.parts.size(), i -> copy(rows.parts.get(i)));
    } else {
      rows.parts.forEach(GridInsert::copy);
    }
  }

  /** Whether no value is one that the calling thread alone may read. */
  private static boolean isReadByAll(Rows rows) {
    boolean readByAll = true;
    for (Rows.Part part : rows.parts) {
      readByAll &= part.source.onHost().isAccessibleBy(ANOTHER);
    }
    return readByAll;
  }

  private void count(long bytes) {
    if (bytes >= COUNTED_BYTES_MIN
        && storedBytes.get() < SCANNED_BYTES_MIN
        && storedBytes.addAndGet(bytes) >= SCANNED_BYTES_MIN) {
      device.expectScans();
    }
  }

  /** What a group of the kernel does, by the host, where it reads the device's memory. */
  private static void copy(Rows.Part part) {
    if (part.kind < BITS) {
      part.target.copyFrom(part.source, 0, 0, part.target.bytes());
    } else if (part.kind == BITS) {
      HostBuffer target = part.target.onHost();
      Bitmaps.copyRange(part.source.onHost(), part.sourceBit, target, part.shift, part.bits);
    } else {
      Bitmaps.setRange(part.target.onHost(), part.shift, part.bits, true);
    }
  }

  /** As {@link #run}, by a kernel. */
  void runByKernel(Rows rows) {
    LoadedKernel kernel = kernels.get(rows.persists);
    List<LaunchGroup> groups = new ArrayList<>(rows.parts.size());
    for (Rows.Part part : rows.parts) {
      if (part.lanes > 0) {
        groups.add(
            new LaunchGroup(
                LaneKernels.blocks(part.lanes, BLOCK_LANES), arguments(kernel.kernel(), part)));
      }
    }
    KernelLibrary.launch(kernel, groups);
  }

  private static Arguments arguments(Kernel kernel, Rows.Part part) {
    Arguments arguments = new Arguments(kernel);
    int place = Math.min(part.kind, BITS);
    for (int kind = 0; kind <= BITS; kind++) {
      boolean used = kind == place;
      arguments.buffer(SOURCES.get(kind), used ? part.source : HostBuffer.NONE);
      arguments.persistent(
          TARGETS.get(kind),
          used ? part.target : HostBuffer.NONE,
          used ? part.persist : PersistTarget.VOLATILE);
    }
    return arguments
        .scalar(KIND, part.kind)
        .scalar(LANES, part.lanes)
        .scalar(SHIFT, part.shift)
        .scalar(BIT_COUNT, part.bits)
        .scalar(SOURCE_BIT, part.sourceBit);
  }

  /** The text that stores in volatile memory, for EXPLAIN KERNEL. */
  public static Kernel kernel() {
    return kernel(false);
  }

  static Kernel kernel(boolean persist) {
    return new Text(persist).kernel();
  }

  /** Writes the kernel; the group's kind decides, the same for all lanes, what a lane does. */
  private static final class Text {
    private final boolean persist;
    private final KernelBuilder b;
    private final Reg kind;
    private final Reg lanes;
    private final Reg shift;
    private final Reg bits;
    private final Reg sourceBit;
    private final int[] sources = new int[BITS + 1];
    private final int[] targets = new int[BITS + 1];

    Text(boolean persist) {
      this.persist = persist;
      b = new KernelBuilder(persist ? "insert_persist" : "insert").blockSize(BLOCK_LANES);
      Space home = persist ? Space.PERSISTENT : Space.DEVICE;
      for (int k = 0; k <= BITS; k++) {
        sources[k] = b.buffer(SOURCES.get(k));
        targets[k] = b.buffer(TARGETS.get(k).in(home));
      }
      kind = b.scalar(KIND);
      lanes = b.scalar(LANES);
      shift = b.scalar(SHIFT);
      bits = b.scalar(BIT_COUNT);
      sourceBit = b.scalar(SOURCE_BIT);
    }

    Kernel kernel() {
      Reg i = b.global();
      for (int k = 0; k < BITS; k++) {
        int source = sources[k];
        int target = targets[k];
        b.ifThen(
            b.eq(kind, k),
            () -> b.ifThen(b.lt(i, lanes), () -> b.store(target, i, b.load(source, i))));
      }
      b.ifThen(b.eq(kind, BITS), () -> b.ifThen(b.lt(i, lanes), () -> merge(i, given(i))));
      b.ifThen(b.eq(kind, BITS + 1), () -> b.ifThen(b.lt(i, lanes), () -> merge(i, b.i32(-1))));
      if (persist) {
        b.persist(PersistScope.KERNEL);
      }
      return b.build();
    }

    /** The source's bits for the target's word i: its bit k is source bit 32 i - shift + k. */
    private Reg given(Reg i) {
      Reg position = b.add(b.sub(b.shl(i, 5), shift), sourceBit);
      Reg word = b.shr(position, 5);
      Reg rest = b.and(position, 31);
      Reg words = b.ushr(b.add(b.add(sourceBit, bits), WORD_BITS - 1), 5);
      Reg low = b.variable(b.i32(0));
      Reg high = b.variable(b.i32(0));
      b.ifThen(
          b.and(b.ge(word, b.i32(0)), b.lt(word, words)),
          () -> b.set(low, b.load(sources[BITS], word)));
      Reg next = b.add(word, 1);
      b.ifThen(b.lt(next, words), () -> b.set(high, b.load(sources[BITS], next)));
      // Two shifts, because a shift by 32 is one by 0.
      Reg fromHigh = b.shl(b.shl(high, b.sub(b.i32(31), rest)), 1);
      return b.or(b.ushr(low, rest), fromHigh);
    }

    /** Bits shift to shift + bits of the target are new; the words' other bits stay. */
    private void merge(Reg i, Reg value) {
      Reg begin = b.max(b.sub(shift, b.shl(i, 5)), b.i32(0));
      Reg end = b.min(b.sub(b.add(shift, bits), b.shl(i, 5)), b.i32(WORD_BITS));
      Reg ones = b.i32(-1);
      Reg mask = b.and(b.shl(ones, begin), b.ushr(ones, b.sub(b.i32(WORD_BITS), end)));
      Reg old = b.load(targets[BITS], i);
      b.store(targets[BITS], i, b.or(b.and(old, b.not(mask)), b.and(value, mask)));
    }
  }
}
