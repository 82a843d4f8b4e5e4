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
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Applies the entries of one log region to a column, or to live bits. Called by recovery and, for
 * undo logs, by roll-back. One lane per entry; the rows of a region are distinct, so the order
 * within it does not matter, and regions are applied one launch after the other. Applying a region
 * again changes nothing. Results are valid when the launch returns. Thread-safe.
 *
 * <p>Where all is in the host's memory, the host stores it ({@link HostReplay}).
 *
 * <p>An entry that does not fit (row beyond the column, NULL in a column without validity) raises
 * CORRUPTION.
 */
public final class GridReplay {
  private static final ScalarParam N = new ScalarParam("n", Type.I32);
  private static final ScalarParam BASE = new ScalarParam("base", Type.I64);
  private static final BufferParam LOG = BufferParam.input("log", Element.I32);
  private static final BufferParam TARGET = BufferParam.output("target", Element.I32);
  private static final BufferParam VALIDITY = BufferParam.output("column_valid", Element.I32);

  private static final KernelTexts<Shape> TEXTS = new KernelTexts<>(GridReplay::kernel);

  private final Device device;
  private final LoadedKernels<Shape> kernels;

  /**
   * Which variant.
   *
   * @param element of the column; null for live bits
   * @param validity whether the column has a validity bitmap
   */
  record Shape(@Nullable Element element, boolean validity, boolean rowMajor, boolean persist) {
    String kernelName() {
      String target =
          element == null
              ? "live_clear"
              : element.name().toLowerCase(Locale.ROOT) + (validity ? "_nullable" : "");
      return "replay_" + target + (rowMajor ? "_rowmajor" : "") + (persist ? "_persist" : "");
    }

    int entryWords() {
      return element == null ? HclLayout.DELETE_ENTRY_WORDS : HclLayout.updateEntryWords(element);
    }
  }

  public GridReplay(Device device) {
    this.device = device;
    kernels = new LoadedKernels<>(device, TEXTS);
  }

  /** What the buffers of its launches are of. */
  public DeviceMemory memory() {
    return device.memory();
  }

  /**
   * Stores the logged values into a column.
   *
   * @param log i32 words; a hierarchical coalesced region starts at {@code baseWord}
   * @param n entries
   * @param validity of the column; null when the column has no NULLs
   */
  public void update(
      Element element,
      DeviceBuffer log,
      long baseWord,
      int n,
      DeviceBuffer values,
      @Nullable DeviceBuffer validity) {
    if (!HostReplay.update(element.bytes(), false, log, baseWord, n, values, validity)) {
      launch(element, false, log, baseWord, n, values, validity);
    }
  }

  /** By the kernel. */
  void launch(
      Element element,
      boolean rowMajor,
      DeviceBuffer log,
      long baseWord,
      int n,
      DeviceBuffer values,
      @Nullable DeviceBuffer validity) {
    Shape shape = new Shape(element, validity != null, rowMajor, false);
    run(shape, log, baseWord, n, values, validity);
  }

  /**
   * Entries for a column in persistent memory.
   *
   * @param n entries; at least 1
   * @param validity of the column; null when the column has no NULLs
   */
  public record InPlace(
      Element element,
      DeviceBuffer log,
      int n,
      DeviceBuffer values,
      PersistTarget valuesTarget,
      @Nullable DeviceBuffer validity,
      PersistTarget validityTarget) {
    Shape shape() {
      return new Shape(element, validity != null, false, true);
    }

    boolean isHosts() {
      return HostReplay.takes(log, values, validity);
    }

    /** By the host. */
    void store() {
      HostReplay.update(element.bytes(), false, log, 0, n, values, validity);
    }
  }

  /**
   * As {@link #update} of each, in place: durable on return. All threads of the host, or one launch
   * for all of a kind, so that columns in one file share its sync. The columns are apart from each
   * other.
   */
  public void updateInPlace(List<InPlace> updates) {
    if (updates.stream().allMatch(InPlace::isHosts)) {
      device.share(updates.size(), i -> updates.get(i).store());
      persist(updates);
    } else {
      launchInPlace(updates);
    }
  }

  /** A drain is of what the same thread has flushed. */
  private static void persist(List<InPlace> updates) {
    List<PersistTarget> drained = new ArrayList<>();
    for (InPlace u : updates) {
      u.valuesTarget.flush(0, u.values.bytes());
      note(u.valuesTarget, drained);
      if (u.validity != null) {
        u.validityTarget.flush(0, u.validity.bytes());
        note(u.validityTarget, drained);
      }
    }
    drained.forEach(PersistTarget::drain);
  }

  private static void note(PersistTarget target, List<PersistTarget> drained) {
    if (drained.stream().noneMatch(target::isDrainedWith)) {
      drained.add(target);
    }
  }

  /** By kernels. */
  void launchInPlace(List<InPlace> updates) {
    Map<Shape, List<LaunchGroup>> launches = new LinkedHashMap<>();
    for (InPlace u : updates) {
      Shape shape = u.shape();
      Kernel kernel = kernels.get(shape).kernel();
      launches
          .computeIfAbsent(shape, _ -> new ArrayList<>())
          .add(
              new LaunchGroup(
                  LaneKernels.blocks(u.n, kernel.blockSize()),
                  arguments(
                      kernel,
                      u.log,
                      0,
                      u.n,
                      u.values,
                      u.valuesTarget,
                      u.validity,
                      u.validityTarget)));
    }
    launches.forEach((shape, groups) -> KernelLibrary.launchReplay(kernels.get(shape), groups));
  }

  /** As {@link #update}, for row-major entries: one partition of a {@link ConventionalLog}. */
  public void updateRowMajor(
      Element element,
      DeviceBuffer log,
      long baseWord,
      int n,
      DeviceBuffer values,
      @Nullable DeviceBuffer validity) {
    if (!HostReplay.update(element.bytes(), true, log, baseWord, n, values, validity)) {
      launch(element, true, log, baseWord, n, values, validity);
    }
  }

  /** Clears the live bits of the logged rows. */
  public void clearLive(DeviceBuffer log, long baseWord, int n, DeviceBuffer live) {
    if (!HostReplay.clearLive(log, baseWord, n, live)) {
      launchClear(log, baseWord, n, live);
    }
  }

  /** By the kernel. */
  void launchClear(DeviceBuffer log, long baseWord, int n, DeviceBuffer live) {
    run(new Shape(null, false, false, false), log, baseWord, n, live, null);
  }

  private void run(
      Shape shape,
      DeviceBuffer log,
      long baseWord,
      int n,
      DeviceBuffer target,
      @Nullable DeviceBuffer validity) {
    if (n == 0) {
      return;
    }
    LoadedKernel kernel = kernels.get(shape);
    PersistTarget none = PersistTarget.VOLATILE;
    Arguments arguments =
        arguments(kernel.kernel(), log, baseWord, n, target, none, validity, none);
    int blocks = LaneKernels.blocks(n, kernel.kernel().blockSize());
    KernelLibrary.launchReplay(kernel, List.of(new LaunchGroup(blocks, arguments)));
  }

  private static Arguments arguments(
      Kernel kernel,
      DeviceBuffer log,
      long baseWord,
      int n,
      DeviceBuffer target,
      PersistTarget targetPersist,
      @Nullable DeviceBuffer validity,
      PersistTarget validityPersist) {
    Arguments arguments =
        new Arguments(kernel)
            .scalar(N, n)
            .scalar(BASE, baseWord)
            .buffer(LOG, log)
            .persistent(TARGET, target, targetPersist);
    if (validity != null) {
      arguments.persistent(VALIDITY, validity, validityPersist);
    }
    return arguments;
  }

  /** The kernel of one variant; one lane per entry. */
  static Kernel kernel(Shape shape) {
    KernelBuilder b = new KernelBuilder(shape.kernelName());
    Reg n = b.scalar(N);
    Reg base = b.scalar(BASE);
    Space home = shape.persist() ? Space.PERSISTENT : Space.DEVICE;
    int log = b.buffer(LOG);
    Element element = shape.element();
    int target = b.buffer(TARGET.of(element == null ? Element.I32 : element).in(home));
    int validity = element != null && shape.validity() ? b.buffer(VALIDITY.in(home)) : -1;
    Reg entry = b.global();
    b.ifThen(
        b.lt(entry, n),
        () -> {
          Reg word0 = b.load(log, wordIndex(b, shape, base, entry));
          if (element == null) {
            clearLive(b, target, word0);
          } else {
            storeValue(b, shape, element, log, base, entry, word0, target, validity);
          }
        });
    if (shape.persist()) {
      b.persist(PersistScope.KERNEL);
    }
    return b.build();
  }

  private static void clearLive(KernelBuilder b, int live, Reg row) {
    Reg word = b.ushr(row, 5);
    Reg mask = b.shl(b.i32(1), row);
    b.atomicUpdate(AtomicOp.AND, live, word, b.not(mask));
  }

  private static void storeValue(
      KernelBuilder b,
      Shape shape,
      Element element,
      int log,
      Reg base,
      Reg entry,
      Reg word0,
      int column,
      int validity) {
    Reg first = wordIndex(b, shape, base, entry);
    long stride = shape.rowMajor() ? 1 : HclLayout.GROUP_ENTRIES;
    Reg row = b.and(word0, ~HclLayout.NULL_FLAG);
    Reg isNull = b.lt(word0, 0);
    Reg low = b.load(log, b.add(first, stride));
    Reg value =
        switch (element) {
          case I8, I16, I32 -> low;
          case F32 -> b.bitcast(low);
          case I64 -> joined(b, low, b.load(log, b.add(first, 2 * stride)));
          case F64 -> b.bitcast(joined(b, low, b.load(log, b.add(first, 2 * stride))));
        };
    if (validity < 0) {
      b.trap(isNull, KernelLibrary.TRAP_LOG_ENTRY, entry);
    }
    b.store(column, row, value);
    if (validity >= 0) {
      GridApplyUpdate.setBit(b, validity, row, b.not(isNull));
    }
  }

  /** The i64 made of two i32 halves. */
  static Reg joined(KernelBuilder b, Reg low, Reg high) {
    Reg lowBits = b.and(b.convert(low, Type.I64), 0xffffffffL);
    return b.or(b.shl(b.convert(high, Type.I64), 32), lowBits);
  }

  /** Where word 0 of the entry is. */
  private static Reg wordIndex(KernelBuilder b, Shape shape, Reg base, Reg entry) {
    Reg number = b.convert(entry, Type.I64);
    if (shape.rowMajor()) {
      return b.add(base, b.mul(number, shape.entryWords()));
    }
    Reg group = b.mul(b.ushr(number, 5), (long) shape.entryWords() * HclLayout.GROUP_ENTRIES);
    return b.add(b.add(base, group), b.and(number, HclLayout.GROUP_ENTRIES - 1));
  }
}
