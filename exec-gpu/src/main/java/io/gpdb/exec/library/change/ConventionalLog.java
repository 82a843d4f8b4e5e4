package io.gpdb.exec.library.change;

import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.FenceScope;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.List;

/**
 * A log as hosts keep it: partitions with a lock and a tail each, entries of K words in one piece
 * (row-major), in the order in which lanes came by. Warp w of the grid appends to partition w
 * modulo the partition count. It exists to be compared with the hierarchical coalesced log
 * ("conventional distributed logging" in GPM, section 6).
 *
 * <pre>
 *   entries  | partition 0: capacity*K words | partition 1 ... |
 *   control  | partition 0: lock, tail       | partition 1 ... |   i32 each, in device memory
 * </pre>
 */
public final class ConventionalLog implements UpdateLog {
  /** Words of a partition's control block. */
  public static final int CONTROL_WORDS = 2;

  private final DeviceBuffer entries;
  private final DeviceBuffer control;
  private final int partitions;
  private final int partitionEntries;
  private final int entryWords;
  private final PersistTarget target;

  /**
   * @param entries i32 words, at least {@link #entriesWords}
   * @param control i32 words, at least {@link #controlWords}; zero in an empty log
   * @param partitionEntries entries that a partition takes; one more raises LIMIT_EXCEEDED
   */
  public ConventionalLog(
      DeviceBuffer entries,
      DeviceBuffer control,
      int partitions,
      int partitionEntries,
      int entryWords,
      PersistTarget target) {
    if (partitions < 1 || entryWords < 1) {
      throw new IllegalArgumentException(
          "partitions=" + partitions + ", entryWords=" + entryWords + ", both at least 1");
    }
    this.entries = entries;
    this.control = control;
    this.partitions = partitions;
    this.partitionEntries = partitionEntries;
    this.entryWords = entryWords;
    this.target = target;
  }

  /** Words that the entries of such a log take. */
  public static long entriesWords(int partitions, int partitionEntries, int entryWords) {
    return (long) partitions * partitionEntries * entryWords;
  }

  public static long controlWords(int partitions) {
    return (long) partitions * CONTROL_WORDS;
  }

  /** A capacity that holds {@code rows} appended by one launch. */
  public static int partitionEntriesFor(int rows, int partitions) {
    int warps = (rows + HclLayout.GROUP_ENTRIES - 1) / HclLayout.GROUP_ENTRIES;
    return (warps + partitions - 1) / partitions * HclLayout.GROUP_ENTRIES;
  }

  public int partitions() {
    return partitions;
  }

  public int partitionEntries() {
    return partitionEntries;
  }

  public int entryWords() {
    return entryWords;
  }

  public DeviceBuffer entries() {
    return entries;
  }

  public DeviceBuffer control() {
    return control;
  }

  public PersistTarget target() {
    return target;
  }

  /** Entries of a partition. */
  public int tail(int partition) {
    return control.onHost().intAt((long) partition * CONTROL_WORDS + 1);
  }

  /** Empties every partition. */
  public void clear() {
    control.slice(0, controlWords(partitions) * HclLayout.WORD_BYTES).fill((byte) 0);
  }

  /** The index of word {@code word} of entry {@code entry} of a partition. */
  public long wordIndex(int partition, int entry, int word) {
    return ((long) partition * partitionEntries + entry) * entryWords + word;
  }

  /** The kernel-side half: declares the log's parameters and appends entries under the lock. */
  static final class Writer {
    private final KernelBuilder b;
    private final int entriesBuffer;
    private final int controlBuffer;
    private final Reg partitions;
    private final Reg partitionEntries;

    /** Declares the parameters of one of a kernel's logs. */
    Writer(KernelBuilder b, Kernel.Space space, LogParams params) {
      this.b = b;
      entriesBuffer = b.buffer(params.entries().in(space));
      controlBuffer = b.buffer(params.control());
      partitions = b.scalar(params.partitions());
      partitionEntries = b.scalar(params.partitionEntries());
    }

    /**
     * Appends one entry. A lane that finds the lock taken tries again in the next turn; the lane
     * that took it leaves it within the turn, so no warp waits for itself.
     */
    void append(Reg entry, List<Reg> words) {
      Reg partition = b.binary(BinaryOp.REM, b.ushr(entry, 5), partitions);
      Reg lockIndex = b.mul(partition, CONTROL_WORDS);
      Reg tailIndex = b.add(lockIndex, 1);
      Reg zero = b.i32(0);
      Reg one = b.i32(1);
      Reg waiting = b.variable(b.pred(true));
      Reg full = b.variable(b.pred(false));
      b.whileLoop(
          () -> waiting,
          () -> {
            Reg old = b.compareAndSwap(controlBuffer, lockIndex, zero, one);
            b.ifThen(
                b.eq(old, zero),
                () -> {
                  b.fence(FenceScope.DEVICE);
                  Reg tail = b.load(controlBuffer, tailIndex);
                  b.ifElse(
                      b.lt(tail, partitionEntries),
                      () -> {
                        storeEntry(partition, tail, words);
                        b.store(controlBuffer, tailIndex, b.add(tail, 1));
                      },
                      () -> b.set(full, b.pred(true)));
                  b.fence(FenceScope.DEVICE);
                  b.atomicUpdate(AtomicOp.EXCHANGE, controlBuffer, lockIndex, zero);
                  b.set(waiting, b.pred(false));
                });
          });
      b.trap(full, KernelLibrary.TRAP_LOG_FULL, entry);
    }

    private void storeEntry(Reg partition, Reg tail, List<Reg> words) {
      Reg slot =
          b.add(
              b.mul(b.convert(partition, Type.I64), b.convert(partitionEntries, Type.I64)),
              b.convert(tail, Type.I64));
      Reg first = b.mul(slot, words.size());
      for (int w = 0; w < words.size(); w++) {
        b.store(entriesBuffer, w == 0 ? first : b.add(first, w), words.get(w));
      }
    }
  }
}
