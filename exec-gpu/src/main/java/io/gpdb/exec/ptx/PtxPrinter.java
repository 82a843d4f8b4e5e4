package io.gpdb.exec.ptx;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelLimits;
import io.gpdb.exec.ir.KernelVerifier;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.List;

/**
 * Prints kernels as PTX for sm_90. docs/internals/kernel-language.md, "As PTX", has the mapping.
 *
 * <p>{@link PtxParameters} returns the parameters of an entry for one group and of one for several.
 * A kernel with more parameters than an entry takes ({@link #needsRecord}) has the latter only. The
 * trap word is preset to {@link Long#MAX_VALUE}; see {@code BlockTraps} for its bits.
 */
public final class PtxPrinter {
  private static final String HEADER = ".version 8.0\n.target sm_90\n.address_size 64\n";
  private static final String THREAD = "%thread";
  private static final String GLOBAL = "%globalId";

  /**
   * A processor of a GPU has 64 registers for each lane of a block of 1024. Two such blocks, of
   * which one loads while the other ends, must do with 32: kernels of so few buffers nearly do, the
   * others would keep values in memory.
   */
  private static final int BLOCK_OF_A_PROCESSOR = 1024;

  private static final int BUFFERS_OF_TWO_BLOCKS = 6;

  private final Kernel kernel;
  private final String entryName;
  private final PtxText out = new PtxText();
  private final PtxTraps traps = new PtxTraps(out);
  private final PtxArithmetic arithmetic = new PtxArithmetic(out, traps);
  private final PtxParameters parameters;
  private final PtxShared shared;
  private final PtxMemory memory;
  private final PtxCollectives collectives;

  private PtxPrinter(Kernel kernel, boolean grouped) {
    this.kernel = kernel;
    this.entryName = grouped ? groupedEntryName(kernel) : entryName(kernel);
    this.parameters = new PtxParameters(kernel, out, grouped);
    this.shared = new PtxShared(kernel);
    this.memory = new PtxMemory(kernel, out, traps, arithmetic, shared);
    this.collectives = new PtxCollectives(kernel, out, arithmetic, shared);
  }

  /** A module with the kernel as its one entry, named {@link #entryName}. */
  public static String print(Kernel kernel) {
    return print(List.of(kernel));
  }

  /** A module with several entries, whose names must differ. */
  public static String print(List<Kernel> kernels) {
    return module(kernels, false);
  }

  /** As {@link #print(List)}; entries for launches of several groups, {@link #groupedEntryName}. */
  public static String printGrouped(List<Kernel> kernels) {
    return module(kernels, true);
  }

  /** Whether every launch, also of one group, is by {@link #groupedEntryName}. */
  public static boolean needsRecord(Kernel kernel) {
    return kernel.parameterBytes() > KernelLimits.ENTRY_PARAMETER_BYTES_MAX;
  }

  /** Bytes of the record of a group, see {@code PtxParameters}. */
  public static int recordBytes(Kernel kernel) {
    return PtxParameters.recordBytes(kernel);
  }

  private static String module(List<Kernel> kernels, boolean grouped) {
    StringBuilder module = new StringBuilder(HEADER);
    for (Kernel kernel : kernels) {
      KernelVerifier.verify(kernel);
      boolean byRecord = grouped || needsRecord(kernel);
      module.append('\n').append(new PtxPrinter(kernel, byRecord).entry());
    }
    return module.toString();
  }

  /** The kernel's name with what PTX allows in names; never a PTX keyword. */
  public static String entryName(Kernel kernel) {
    return "gpdb_" + kernel.name().replace('.', '_');
  }

  /** The name of the entry for launches of several groups. */
  public static String groupedEntryName(Kernel kernel) {
    return entryName(kernel) + "_grouped";
  }

  private String entry() {
    begin();
    list(kernel.body(), PtxCollectives.FULL);
    traps.end(GLOBAL);
    out.emit("ret");
    StringBuilder text = new StringBuilder(".visible .entry ").append(entryName);
    text.append("(\n").append(parameters.list()).append(")\n");
    text.append(".reqntid ").append(kernel.blockSize()).append(", 1, 1\n");
    if (kernel.blockSize() == BLOCK_OF_A_PROCESSOR
        && kernel.buffers().size() <= BUFFERS_OF_TWO_BLOCKS) {
      text.append(".minnctapersm 2\n");
    }
    text.append("{\n");
    text.append(out.declarations());
    text.append(PtxTraps.declarations());
    text.append(shared.declarations());
    text.append("  .reg .b32 " + THREAD + ", " + PtxCollectives.LANE + ";\n");
    text.append("  .reg .b64 " + GLOBAL + ";\n");
    text.append(parameters.declarations());
    return text.append(out.body()).append("}\n").toString();
  }

  private void begin() {
    out.emit("mov.u32 #, %tid.x", THREAD);
    out.emit("and.b32 #, #, 31", PtxCollectives.LANE, THREAD);
    String thread = out.temporary(Type.I64);
    parameters.beginGrid();
    out.emit("cvt.u64.u32 #, #", thread, THREAD);
    out.emit("mul.wide.u32 #, #, #", GLOBAL, PtxParameters.BLOCK, kernel.blockSize());
    out.emit("add.s64 #, #, #", GLOBAL, GLOBAL, thread);
    traps.begin();
    parameters.beginBuffers();
    shared.begin(out, THREAD, kernel.blockSize());
  }

  /** {@code mask}: the lanes of the warp that run this list together. */
  private void list(List<Op> ops, String mask) {
    for (Op op : ops) {
      switch (op) {
        case Op.If branch -> branch(branch, mask);
        case Op.While loop -> loop(loop, mask);
        case Op.Ballot o -> collectives.ballot(o.dst(), o.p(), mask);
        case Op.Shuffle o -> collectives.shuffle(o, mask);
        case Op.WarpReduce o -> collectives.warpReduce(o, mask);
        case Op.WarpRank o -> collectives.warpRank(o, mask);
        default -> operation(op);
      }
    }
  }

  private void operation(Op op) {
    switch (op) {
      case Op.Const o -> arithmetic.constant(o);
      case Op.Move o -> arithmetic.move(o.dst(), o.a());
      case Op.Scalar o -> scalar(o);
      case Op.Special o -> special(o);
      case Op.Unary o -> arithmetic.unary(o);
      case Op.Binary o -> arithmetic.binary(o);
      case Op.Overflow o -> arithmetic.overflow(o);
      case Op.Compare o -> arithmetic.compare(o);
      case Op.Select o -> arithmetic.select(o);
      case Op.Convert o -> arithmetic.convert(o);
      case Op.Load o -> memory.load(o);
      case Op.Store o -> memory.store(o);
      case Op.LoadShared o -> memory.loadShared(o);
      case Op.StoreShared o -> memory.storeShared(o);
      case Op.Atomic o -> memory.atomic(o);
      case Op.AtomicShared o -> memory.atomicShared(o);
      case Op.LogAppend o -> memory.logAppend(o);
      case Op.BlockRank o -> collectives.blockRank(o);
      case Op.BlockReduce o -> collectives.blockReduce(o);
      case Op.Barrier o -> out.emit("barrier.sync 0");
      case Op.Fence o -> fence(o.scope());
      case Op.Persist o -> persist(o.scope());
      case Op.Trap o -> traps.trap(o);
      default -> throw new IllegalArgumentException("no PTX for " + op);
    }
  }

  private void scalar(Op.Scalar op) {
    String bits = out.temporary(Type.I64);
    String narrow = out.temporary(Type.I32);
    parameters.scalar(bits, op.index());
    switch (op.dst().type()) {
      case I32 -> out.emit("cvt.u32.u64 #, #", op.dst(), bits);
      case I64, F64 -> out.emit("mov.b64 #, #", op.dst(), bits);
      case F32 -> {
        out.emit("cvt.u32.u64 #, #", narrow, bits);
        out.emit("mov.b32 #, #", op.dst(), narrow);
      }
      case PRED -> out.emit("setp.ne.s64 #, #, 0", op.dst(), bits);
    }
  }

  private void special(Op.Special op) {
    switch (op.kind()) {
      case LANE -> out.emit("mov.b32 #, #", op.dst(), PtxCollectives.LANE);
      case WARP -> out.emit("shr.u32 #, #, 5", op.dst(), THREAD);
      case THREAD -> out.emit("mov.b32 #, #", op.dst(), THREAD);
      case BLOCK -> out.emit("mov.b32 #, #", op.dst(), PtxParameters.BLOCK);
      case BLOCK_SIZE -> out.emit("mov.b32 #, #", op.dst(), kernel.blockSize());
      case GRID_SIZE -> out.emit("mov.b32 #, #", op.dst(), PtxParameters.GRID);
      case GLOBAL -> {
        boolean wide = op.dst().type() == Type.I64;
        out.emit(wide ? "mov.b64 #, #" : "cvt.u32.u64 #, #", op.dst(), GLOBAL);
      }
    }
  }

  private void fence(Op.FenceScope scope) {
    String word =
        switch (scope) {
          case BLOCK -> "cta";
          case DEVICE -> "gpu";
          case SYSTEM -> "sys";
        };
    out.emit("fence.sc.#", word);
  }

  private void persist(Op.PersistScope scope) {
    out.emit("fence.sc.sys");
    if (scope == Op.PersistScope.WORKGROUP) {
      out.emit("barrier.sync 0");
    }
  }

  // Control flow

  /** How the lanes that choose a list find each other. */
  private enum Meeting {
    /** The whole block goes one way, dead lanes too, because there are barriers inside. */
    BLOCK,
    /**
     * The warp's lanes go two ways and know which lanes go with them, for the collectives inside.
     */
    WARP,
    /** Each lane goes its way. */
    NONE;

    static Meeting of(Op op) {
      if (Ops.containsBlockOperation(op)) {
        return BLOCK;
      }
      boolean[] exchanges = new boolean[1];
      Ops.forEach(List.of(op), inner -> exchanges[0] |= Ops.isWarpOperation(inner));
      return exchanges[0] ? WARP : NONE;
    }
  }

  private void branch(Op.If branch, String mask) {
    Meeting meeting = Meeting.of(branch);
    String otherwise = out.label();
    String end = out.label();
    String thenMask = mask;
    String elseMask = mask;
    String taken = condition(branch.p(), meeting);
    if (meeting == Meeting.WARP) {
      thenMask = out.temporary(Type.I32);
      elseMask = out.temporary(Type.I32);
      out.emit("vote.sync.ballot.b32 #, #, #", thenMask, taken, mask);
      out.emit("xor.b32 #, #, #", elseMask, thenMask, mask);
    }
    out.emit("@!# bra #", taken, otherwise);
    list(branch.then(), thenMask);
    if (!branch.otherwise().isEmpty()) {
      out.emit("bra #", end);
    }
    out.place(otherwise);
    if (!branch.otherwise().isEmpty()) {
      list(branch.otherwise(), elseMask);
      out.place(end);
    }
  }

  private void loop(Op.While loop, String mask) {
    Meeting meeting = Meeting.of(loop);
    String start = out.label();
    String end = out.label();
    String turnMask = mask;
    if (meeting == Meeting.WARP) {
      turnMask = out.temporary(Type.I32);
      out.emit("mov.b32 #, #", turnMask, mask);
    }
    out.place(start);
    list(loop.head(), turnMask);
    String taken = condition(loop.p(), meeting);
    if (meeting == Meeting.WARP) {
      out.emit("vote.sync.ballot.b32 #, #, #", turnMask, taken, turnMask);
    }
    out.emit("@!# bra #", taken, end);
    list(loop.body(), turnMask);
    out.emit("bra #", start);
    out.place(end);
  }

  /** Whether the lane goes inside; dead lanes do not, or go with the block. */
  private String condition(Reg p, Meeting meeting) {
    String taken = out.temporary(Type.PRED);
    out.emit("and.pred #, #, #", taken, p, PtxText.ALIVE);
    if (meeting == Meeting.BLOCK) {
      out.emit("barrier.red.or.pred #, 0, #", taken, taken);
    }
    return taken;
  }
}
