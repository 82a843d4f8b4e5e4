package io.gpdb.exec.library.move;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Picks elements by indexes that the blocks of a compacting kernel left in regions of their own,
 * and packs them, in one step: {@link GridPack} and {@link GridGather} without the packed indexes
 * between them. Called by joins, for all columns and tablets of a window together. One lane per
 * element of a region; for an index of -1 it stores 0 and "not present". Results are valid when
 * {@link Picks#launch} returns. Thread-safe.
 */
public final class GridPick {
  private static final int BLOCK_LANES = 1024;
  private static final BufferParam INDEXES = BufferParam.input("indexes", Element.I32);
  private static final BufferParam COUNTS = BufferParam.input("counts", Element.I32);
  private static final BufferParam OFFSETS = BufferParam.input("offsets", Element.I64);
  private static final BufferParam SOURCE = BufferParam.input("source", Element.I32);
  private static final BufferParam TARGET = BufferParam.output("target", Element.I32);

  private static final KernelTexts<Variant> TEXTS = new KernelTexts<>(GridPick::kernel);

  private final LoadedKernels<Variant> kernels;

  public GridPick(Device device) {
    kernels = new LoadedKernels<>(device, TEXTS);
  }

  /**
   * Regions of 1024 indexes.
   *
   * @param counts i32 per block: how many indexes its region has
   * @param offsets i64 per block: where they go to
   * @param indexes i32, region b from b*1024 on
   */
  public record Regions(
      int blocks, DeviceBuffer counts, DeviceBuffer offsets, DeviceBuffer indexes) {}

  /** What a kernel picks. */
  enum What {
    VALUES,
    /** The indexes themselves. */
    INDEXES,
    /** Bits of a bitmap, as bytes. */
    BITS,
    /** Bytes 1, or 0 for an index of -1. */
    PRESENCE
  }

  record Variant(What what, Element element) {}

  public Picks start() {
    return new Picks();
  }

  /** Picks that are launched together, one grouped launch for each kind. Used by one thread. */
  public final class Picks {
    private final Map<Variant, List<LaunchGroup>> launches = new LinkedHashMap<>();

    private Picks() {}

    /** {@code target[offsets[b] + t] = source[indexes[b*1024 + t]]} for t below counts[b]. */
    public void values(Element element, DeviceBuffer source, Regions regions, DeviceBuffer target) {
      add(new Variant(What.VALUES, GridPack.bits(element)), regions, target, source);
    }

    /**
     * The same of bits, each as a byte 0 or 1.
     *
     * @param bitmap null where all its bits are set
     */
    public void presence(@Nullable DeviceBuffer bitmap, Regions regions, DeviceBuffer target) {
      What what = bitmap == null ? What.PRESENCE : What.BITS;
      add(new Variant(what, Element.I8), regions, target, bitmap);
    }

    /** {@code target[offsets[b] + t] = indexes[b*1024 + t]}. */
    public void packed(Regions regions, DeviceBuffer target) {
      add(new Variant(What.INDEXES, Element.I32), regions, target, null);
    }

    private void add(
        Variant variant, Regions regions, DeviceBuffer target, @Nullable DeviceBuffer source) {
      Arguments arguments =
          new Arguments(kernels.get(variant).kernel())
              .buffer(COUNTS, regions.counts)
              .buffer(OFFSETS, regions.offsets)
              .buffer(INDEXES, regions.indexes)
              .buffer(TARGET, target);
      if (source != null) {
        arguments.buffer(SOURCE, source);
      }
      launches
          .computeIfAbsent(variant, _ -> new ArrayList<>())
          .add(new LaunchGroup(regions.blocks, arguments));
    }

    public void launch() {
      launches.forEach(
          (variant, groups) -> {
            LoadedKernel kernel = kernels.get(variant);
            KernelLibrary.launch(kernel, groups);
          });
      launches.clear();
    }
  }

  /** A kernel of every kind. */
  static List<Kernel> samples() {
    List<Kernel> samples = new ArrayList<>();
    for (Element element : List.of(Element.I8, Element.I16, Element.I32, Element.I64)) {
      samples.add(kernel(new Variant(What.VALUES, element)));
    }
    samples.add(kernel(new Variant(What.INDEXES, Element.I32)));
    samples.add(kernel(new Variant(What.BITS, Element.I8)));
    samples.add(kernel(new Variant(What.PRESENCE, Element.I8)));
    return samples;
  }

  /** Lane t of block b picks element t of region b. */
  static Kernel kernel(Variant variant) {
    String what = variant.what == What.VALUES ? variant.element.name() : variant.what.name();
    KernelBuilder b = new KernelBuilder("pick_" + what.toLowerCase(Locale.ROOT));
    b.blockSize(BLOCK_LANES);
    int counts = b.buffer(COUNTS);
    int offsets = b.buffer(OFFSETS);
    int indexes = b.buffer(INDEXES);
    int source =
        switch (variant.what) {
          case VALUES -> b.buffer(SOURCE.of(variant.element));
          case BITS -> b.buffer(SOURCE);
          case INDEXES, PRESENCE -> -1;
        };
    int target = b.buffer(TARGET.of(variant.element));
    Reg count = b.load(counts, b.block());
    Reg offset = b.load(offsets, b.block());
    b.ifThen(
        b.lt(b.thread(), count),
        () -> {
          Reg index = b.load(indexes, b.global());
          Reg at = b.add(offset, b.convert(b.thread(), Type.I64));
          if (variant.what == What.INDEXES) {
            b.store(target, at, index);
            return;
          }
          Reg picked = b.variable(b.constant(variant.element.register(), 0));
          b.ifThen(b.ge(index, b.i32(0)), () -> b.set(picked, picked(b, variant, source, index)));
          b.store(target, at, picked);
        });
    return b.build();
  }

  private static Reg picked(KernelBuilder b, Variant variant, int source, Reg index) {
    return switch (variant.what) {
      case VALUES -> b.load(source, index);
      case INDEXES -> index;
      case BITS -> b.select(Lane.bit(b, source, index), b.i32(1), b.i32(0));
      case PRESENCE -> b.i32(1);
    };
  }
}
