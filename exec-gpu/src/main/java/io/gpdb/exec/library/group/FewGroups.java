package io.gpdb.exec.library.group;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.exec.library.group.accumulator.Accumulators;
import io.gpdb.exec.library.group.accumulator.BlockAccumulators;
import io.gpdb.exec.library.group.accumulator.GroupSpace;
import io.gpdb.exec.library.group.accumulator.GroupText;
import io.gpdb.exec.library.group.accumulator.GroupText.Room;
import io.gpdb.exec.library.key.BoundRows;
import io.gpdb.exec.library.key.WindowRows;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.ByName;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds rows to groups that are few enough for a block's shared memory: a grouped launch in which
 * each block leaves partial states in a region of its own, then one that folds the regions, a lane
 * for each word of a group, or {@link RegionFold} by the host. No block waits for another, and what
 * a block has left counts only if none of its rows was outside of the space. Called by {@link
 * Grouping}.
 */
final class FewGroups {
  /** Folds regions, by whether a block folds those of one group; all plans share them. */
  static final KernelTexts<Boolean> FOLD_TEXTS = new KernelTexts<>(FewGroups::foldKernel);

  /** Rows of a block where a launch has many tablets. */
  private static final int BLOCK_ROWS = 32_768;

  /** Rows of a block where a launch has few tablets, which all workers share. */
  private static final int BLOCK_ROWS_OF_FEW = 8192;

  private static final int FEW_TABLETS = 4;

  /** So many blocks are what a GPU works at together, and more, if they have a few turns each. */
  private static final int BLOCKS_OF_GPU = 1024;

  private static final int BLOCK_ROWS_OF_GPU_MIN = 4096;

  /** More copies of the accumulators than a warp has lanes help nobody. */
  private static final int COPIES_MAX = 32;

  /** A block takes at least so many rows for each copy of a place, as it clears and adds up all. */
  private static final int ROWS_OF_COPY = 16;

  private static final int FOLD_LANES = 256;

  private static final long REGION_BYTES_MAX = 32L << 20;

  /** Regions may take one part in this many of the memory left. */
  private static final int SHARE_MEMORY_MAX = 8;

  private static final ScalarParam GROUPS = new ScalarParam("groups", Type.I32);
  private static final ScalarParam REGIONS = new ScalarParam("regions", Type.I32);
  private static final ScalarParam REGION_WORDS = new ScalarParam("region_words", Type.I32);
  private static final ScalarParam FIRST = new ScalarParam("first", Type.I32);
  private static final ScalarParam WORD = new ScalarParam("word", Type.I32);
  private static final ScalarParam IS_SUM = new ScalarParam("is_sum", Type.I32);
  private static final ScalarParam IS_LEAST = new ScalarParam("is_least", Type.I32);
  private static final ScalarParam WORDS = new ScalarParam("words", Type.I32);
  private static final BufferParam STATES = BufferParam.input("states", Element.I64);
  private static final BufferParam WHICH = BufferParam.input("which", Element.I32);
  private static final BufferParam TOTALS =
      BufferParam.output("totals", Element.I64).with(Access.READ_WRITE);

  private final GridGroupBy plan;
  private final GroupSpace places;
  private final Accumulators totals;
  private final int regionWords;

  /** As many copies of a block's places as there is room for, with that of rows outside. */
  private final int copies;

  /**
   * @param totals what is added to
   */
  FewGroups(GridGroupBy plan, GroupSpace places, Accumulators totals) {
    this.plan = plan;
    this.places = places;
    this.totals = totals;
    regionWords = places.size() * plan.layout.words().size();
    int room = plan.layout.blockPlaces() / (places.size() + 1);
    copies = Integer.highestOneBit(Math.min(room, COPIES_MAX));
  }

  /** What was not added: of some tablets no row, and the first row of them, in its tablet. */
  record Left(WindowRows tablets, int firstRow) {}

  /** Adds tablets all of whose rows have places; returns the others. */
  Left add(WindowRows tablets) {
    long blocksMax =
        Math.min(REGION_BYTES_MAX, MemoryAccount.current().availableBytes() / SHARE_MEMORY_MAX)
            / ((long) regionWords * Long.BYTES);
    BitSet left = new BitSet();
    int firstRow = BlockAccumulators.NO_ROW;
    int from = 0;
    while (from < tablets.count()) {
      int blockRows = blockRows(tablets, from, blocksMax);
      int to = end(tablets, from, blockRows, blocksMax);
      try (Scratch local = new Scratch()) {
        int[] outside = new Launch(tablets.part(from, to), blockRows, local).run();
        for (int i = from; i < to; i++) {
          if (outside[i - from] != BlockAccumulators.NO_ROW) {
            firstRow = left.isEmpty() ? outside[i - from] : firstRow;
            left.set(i);
          }
        }
      }
      from = to;
    }
    return new Left(tablets.chosen(left), firstRow);
  }

  /** So many that the regions of one tablet have room. */
  private int blockRows(WindowRows tablets, int tablet, long blocksMax) {
    long rows = tablets.count() <= FEW_TABLETS ? BLOCK_ROWS_OF_FEW : BLOCK_ROWS;
    if (plan.hasCopies()) {
      long least = Math.max(BLOCK_ROWS_OF_GPU_MIN, ROWS_OF_COPY * (places.size() + 1L) * copies);
      long each = Math.max(least, tablets.rowCount() / BLOCKS_OF_GPU);
      rows = Math.min(Long.highestOneBit(each), BLOCK_ROWS);
    }
    while (rows < tablets.size(tablet) && blocks(tablets.size(tablet), rows) > blocksMax) {
      rows *= 2;
    }
    return (int) Math.min(rows, LaneKernels.ROWS_MAX);
  }

  /** Where the tablets end that have room together, from one on: at least that. */
  private static int end(WindowRows tablets, int from, int blockRows, long blocksMax) {
    long blocks = blocks(tablets.size(from), blockRows);
    int end = from + 1;
    while (end < tablets.count()) {
      blocks += blocks(tablets.size(end), blockRows);
      if (blocks > blocksMax) {
        break;
      }
      end++;
    }
    return end;
  }

  private static int blocks(int rows, long blockRows) {
    return (int) ((rows + blockRows - 1) / blockRows);
  }

  /** One launch over tablets, then a fold of what it has left in each part of the memory. */
  private final class Launch {
    private final WindowRows tablets;
    private final Map<LaneVariant, List<LaunchGroup>> groups = new LinkedHashMap<>();
    private final List<Regions> regions = new ArrayList<>();

    Launch(WindowRows tablets, int blockRows, Scratch local) {
      this.tablets = tablets;
      BitSet[] byPart = new BitSet[MemoryAccount.current().memory().parts()];
      for (int i = 0; i < tablets.count(); i++) {
        int part = byPart.length == 1 ? 0 : tablets.rows(i).bindings().part();
        if (byPart[part] == null) {
          byPart[part] = new BitSet();
        }
        byPart[part].set(i);
      }
      for (int part = 0; part < byPart.length; part++) {
        if (byPart[part] != null) {
          regions.add(new Regions(tablets, byPart[part], blockRows, local, part));
        }
      }
    }

    /** Returns the first row of each tablet that is outside of the space, or none. */
    int[] run() {
      LaneKernels<ByName> kernels = plan.kernels(new GridGroupBy.Shape(false, Room.APART));
      regions.forEach(each -> each.bind(kernels, groups));
      groups.forEach(
          (variant, parts) -> KernelLibrary.launch(kernels.get(variant).kernel(), parts));
      int[] outside = new int[tablets.count()];
      for (Regions each : regions) {
        each.fold(outside);
      }
      return outside;
    }
  }

  /** The states of some tablets of a launch, in one part of the memory. */
  private final class Regions {
    private final Scratch local;
    private final WindowRows tablets;
    private final int[] numbers;
    private final int blockRows;
    private final int[] firstBlocks;
    private final DeviceBuffer states;
    private final DeviceBuffer outsideRows;
    private HostBuffer outside = HostBuffer.NONE;

    /**
     * @param which those of {@code all} that are in the part
     */
    Regions(WindowRows all, BitSet which, int blockRows, Scratch local, int part) {
      tablets = all.chosen(which);
      numbers = which.stream().toArray();
      this.blockRows = blockRows;
      this.local = local;
      firstBlocks = new int[tablets.count() + 1];
      for (int i = 0; i < tablets.count(); i++) {
        firstBlocks[i + 1] = firstBlocks[i] + LaneKernels.blocks(tablets.size(i), blockRows);
      }
      long blocks = firstBlocks[tablets.count()];
      states = local.allocate(blocks * regionWords * Long.BYTES, part);
      outsideRows = local.allocate(blocks * Integer.BYTES, part);
    }

    void bind(LaneKernels<ByName> kernels, Map<LaneVariant, List<LaunchGroup>> groups) {
      for (int i = 0; i < tablets.count(); i++) {
        BoundRows tablet = tablets.rows(i);
        int blocks = firstBlocks[i + 1] - firstBlocks[i];
        if (blocks > 0) {
          LaneVariant variant = LaneVariant.of(tablet.bindings(), tablet.live() != null);
          groups
              .computeIfAbsent(variant, _ -> new ArrayList<>())
              .add(new LaunchGroup(blocks, bind(kernels.get(variant), tablet, i), tablet.rows()));
        }
      }
    }

    private Arguments bind(Ready<ByName> ready, BoundRows tablet, int i) {
      long first = firstBlocks[i];
      long blocks = firstBlocks[i + 1] - first;
      long regionBytes = (long) regionWords * Long.BYTES;
      Arguments scan = LaneScan.bind(ready, tablet.bindings(), tablet.rows(), tablet.live());
      if (plan.hasCopies()) {
        scan.scalar(GroupText.COPIES, copies);
      }
      return places.bind(
          scan.scalar(GroupText.ROW_BASE, tablets.base(i))
              .scalar(GroupText.GROUPS, places.size())
              .scalar(GroupText.BLOCK_ROWS, blockRows)
              .buffer(GroupText.REGIONS, states.slice(first * regionBytes, blocks * regionBytes))
              .buffer(
                  GroupText.OUTSIDE,
                  outsideRows.slice(first * Integer.BYTES, blocks * Integer.BYTES)));
    }

    /** The first row of the tablet that is outside of the space, or none. */
    int firstOutside(int tablet) {
      int first = BlockAccumulators.NO_ROW;
      for (int block = firstBlocks[tablet]; block < firstBlocks[tablet + 1]; block++) {
        first = Math.min(first, outside.intAt(block));
      }
      return first;
    }

    /** Adds the states of tablets without rows outside, and says of each which is the first. */
    void fold(int[] firstOutside) {
      outside = outsideRows.onHost();
      int[] which = new int[firstBlocks[tablets.count()]];
      int regions = 0;
      for (int i = 0; i < tablets.count(); i++) {
        firstOutside[numbers[i]] = firstOutside(i);
        if (firstOutside[numbers[i]] == BlockAccumulators.NO_ROW) {
          for (int block = firstBlocks[i]; block < firstBlocks[i + 1]; block++) {
            which[regions++] = block;
          }
        }
      }
      if (regions > 0 && plan.addsOnHost) {
        new RegionFold(plan.layout, places.size(), totals.words(0, places.size()).onHost())
            .add(plan.device, states.onHost(), Arrays.copyOf(which, regions));
      } else if (regions > 0) {
        HostBuffer numbers = local.pin((long) regions * Integer.BYTES);
        numbers.write(0, which, 0, regions);
        fold(numbers, regions);
      }
    }

    private void fold(DeviceBuffer which, int regions) {
      int count = places.size();
      boolean byBlock = regions > count;
      LoadedKernel kernel = plan.folds.get(byBlock);
      List<LaunchGroup> groups = new ArrayList<>();
      List<AccumulatorLayout.Word> words = plan.layout.words();
      for (int w = 0; w < words.size(); w++) {
        Arguments arguments =
            new Arguments(kernel.kernel())
                .scalar(GROUPS, count)
                .scalar(REGIONS, regions)
                .scalar(REGION_WORDS, regionWords)
                .scalar(FIRST, (long) w * count)
                .scalar(WORD, w)
                .scalar(WORDS, words.size())
                .scalar(IS_SUM, words.get(w).op() == AtomicOp.ADD ? 1 : 0)
                .scalar(IS_LEAST, words.get(w).op() == AtomicOp.MIN ? 1 : 0)
                .buffer(STATES, states)
                .buffer(WHICH, which)
                .buffer(TOTALS, totals.words(0, count));
        int blocks = byBlock ? count : LaneKernels.blocks(count, GroupText.BLOCK_LANES);
        groups.add(new LaunchGroup(blocks, arguments, (long) count * regions));
      }
      KernelLibrary.launch(kernel, groups);
    }
  }

  private static Kernel foldKernel(boolean byBlock) {
    return byBlock ? blockFoldKernel() : laneFoldKernel();
  }

  /** Block g folds one word of group g over regions, which its lanes share. */
  static Kernel blockFoldKernel() {
    KernelBuilder b = new KernelBuilder("group_fold_by_block");
    b.blockSize(FOLD_LANES);
    b.scalar(GROUPS); // as many blocks as that
    Reg regions = b.scalar(REGIONS);
    Reg regionWords = b.scalar(REGION_WORDS);
    Reg first = b.add(b.scalar(FIRST), b.block());
    Reg word = b.scalar(WORD);
    Reg words = b.scalar(WORDS);
    Reg isSum = b.ne(b.scalar(IS_SUM), 0);
    Reg isLeast = b.ne(b.scalar(IS_LEAST), 0);
    int states = b.buffer(STATES);
    int which = b.buffer(WHICH);
    int totals = b.buffer(TOTALS);
    Reg sum = b.variable(b.i64(0));
    Reg least = b.variable(b.i64(Long.MAX_VALUE));
    Reg greatest = b.variable(b.i64(Long.MIN_VALUE));
    Reg region = b.variable(b.thread());
    b.whileLoop(
        () -> b.lt(region, regions),
        () -> {
          Reg more = b.load(states, b.add(b.mul(b.load(which, region), regionWords), first));
          b.set(sum, b.add(sum, more));
          b.set(least, b.min(least, more));
          b.set(greatest, b.max(greatest, more));
          b.set(region, b.add(region, FOLD_LANES));
        });
    Reg allSum = b.blockReduce(ReduceOp.ADD, sum);
    Reg allLeast = b.blockReduce(ReduceOp.MIN, least);
    Reg allGreatest = b.blockReduce(ReduceOp.MAX, greatest);
    Reg group = b.convert(b.block(), Type.I64);
    Reg at = b.add(b.mul(group, b.convert(words, Type.I64)), b.convert(word, Type.I64));
    b.ifThen(
        b.eq(b.thread(), 0),
        () -> {
          Reg total = b.load(totals, at);
          Reg extreme = b.select(isLeast, b.min(total, allLeast), b.max(total, allGreatest));
          b.store(totals, at, b.select(isSum, b.add(total, allSum), extreme));
        });
    return b.build();
  }

  /** Lane g folds one word of group g over regions and into the total: a sum or an extreme. */
  static Kernel laneFoldKernel() {
    KernelBuilder b = new KernelBuilder("group_fold");
    b.blockSize(GroupText.BLOCK_LANES);
    Reg groups = b.scalar(GROUPS);
    Reg regions = b.scalar(REGIONS);
    Reg regionWords = b.scalar(REGION_WORDS);
    Reg first = b.add(b.scalar(FIRST), b.mul(b.block(), GroupText.BLOCK_LANES));
    Reg word = b.scalar(WORD);
    Reg words = b.scalar(WORDS);
    Reg isSum = b.ne(b.scalar(IS_SUM), 0);
    Reg isLeast = b.ne(b.scalar(IS_LEAST), 0);
    int states = b.buffer(STATES);
    int which = b.buffer(WHICH);
    int totals = b.buffer(TOTALS);
    Reg exists = b.lt(b.global(), groups);
    Reg group = b.convert(b.global(), Type.I64);
    Reg at = b.add(b.mul(group, b.convert(words, Type.I64)), b.convert(word, Type.I64));
    Reg total = b.variable(b.i64(0));
    b.ifThen(exists, () -> b.set(total, b.load(totals, at)));
    Reg region = b.variable(b.i32(0));
    b.whileLoop(
        () -> b.lt(region, regions),
        () -> {
          Reg start = b.add(b.mul(b.load(which, region), regionWords), first);
          b.ifThen(
              b.lt(b.global(), groups),
              () -> {
                Reg more = b.load(states, b.add(start, b.thread()));
                Reg extreme = b.select(isLeast, b.min(total, more), b.max(total, more));
                b.set(total, b.select(isSum, b.add(total, more), extreme));
              });
          b.set(region, b.add(region, 1));
        });
    b.ifThen(exists, () -> b.store(totals, at, total));
    return b.build();
  }
}
