package io.gpdb.planner.run.join;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.join.GridHashJoin;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.run.DataErrors;
import io.gpdb.planner.run.FewRows;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.planner.run.HostRows;
import io.gpdb.planner.run.Materialized;
import io.gpdb.sql.tree.NotInKeys;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Equi-join: one side is kept in memory and hashed, the other streams past it. The fields are the
 * left input's and, except in semi and anti joins, the right input's. An inner join hashes the side
 * that has fewer rows; the others hash the right one. Where memory does not have room for the kept
 * side, both are divided into parts ({@link PartedJoin}).
 */
public final class JoinSource extends Source {
  private final GridHashJoin.Kind kind;
  private final List<String> keyTexts;
  private final JoinArm hashRight;
  private final @Nullable JoinArm hashLeft;
  private final int hostRowsMax;
  private final Source left;
  private final Source right;
  private final GridGather gather;
  private final @Nullable Source everyRow;
  private final @Nullable Source asked;
  private final Sizes sizes;

  /** The left input without rows that do not exist, where it may be read first. */
  private final @Nullable Source readFirst;

  /**
   * @param lazy whether the right input may raise an error, which is to be raised only if the left
   *     one has a row
   * @param everyRow what a join for NOT IN returns when the right input is empty; null where NULL
   *     keys match nothing and mean no more ({@link NotInKeys})
   * @param sizes of both sides, as the plan expects them
   * @param hostRows whether the host joins few rows
   */
  public JoinSource(
      Device device,
      RexBuilder rexBuilder,
      GridHashJoin.Kind kind,
      Side left,
      Side right,
      List<RexNode> leftKeys,
      List<RexNode> rightKeys,
      List<SourceColumn> columns,
      String name,
      boolean lazy,
      @Nullable Source everyRow,
      Sizes sizes,
      HostRows hostRows)
      throws NotCovered {
    super(columns);
    this.kind = kind;
    this.everyRow = everyRow;
    this.sizes = sizes;
    this.asked = lazy ? everyRow == null ? left.held() : everyRow : null;
    boolean isInner = kind == GridHashJoin.Kind.INNER;
    this.readFirst = isInner || lazy || everyRow != null ? null : left.held();
    this.left = left.streamed();
    this.right = right.streamed();
    this.keyTexts = texts(this.left, leftKeys, this.right, rightKeys);
    this.gather = new GridGather(device);
    boolean both = kind == GridHashJoin.Kind.INNER || kind == GridHashJoin.Kind.LEFT;
    int rightFirst = both ? this.left.columns().size() : JoinArm.NOT_RETURNED;
    hostRowsMax = hostRows.isSome() ? FewRows.ROWS_MAX : 0;
    hashRight =
        new JoinArm(
            device,
            rexBuilder,
            kind,
            new JoinArm.Side(right.held(), rightKeys, rightFirst),
            new JoinArm.Side(left.streamed(), leftKeys, 0),
            name);
    hashLeft =
        isInner
            ? new JoinArm(
                device,
                rexBuilder,
                kind,
                new JoinArm.Side(left.held(), leftKeys, 0),
                new JoinArm.Side(right.streamed(), rightKeys, rightFirst),
                name)
            : null;
  }

  /**
   * An input in its two uses.
   *
   * @param streamed may have rows that do not exist
   * @param held has only rows that exist
   */
  public record Side(Source streamed, Source held) {}

  /**
   * Rows of both sides.
   *
   * @param left as the model of the joins' order expects them; NaN where it chose no order, so that
   *     the plan is kept whatever rows the tables will have
   */
  public record Sizes(double left, double right) {
    /** Sides say themselves how many rows they have, when the join is run. */
    public static final Sizes UNKNOWN = new Sizes(Double.NaN, Double.NaN);

    private boolean keepsLeft(Source leftSide, Source rightSide, Execution x) {
      return Double.isNaN(left)
          ? leftSide.estimatedRows(x) < rightSide.estimatedRows(x)
          : left < right;
    }
  }

  private static List<String> texts(
      Source left, List<RexNode> leftKeys, Source right, List<RexNode> rightKeys) {
    List<String> leftNames = left.columns().stream().map(SourceColumn::name).toList();
    List<String> rightNames = right.columns().stream().map(SourceColumn::name).toList();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < leftKeys.size(); i++) {
      texts.add(
          RexText.of(leftKeys.get(i), leftNames)
              + " = "
              + RexText.of(rightKeys.get(i), rightNames));
    }
    return texts;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    return opened(x, needed, false);
  }

  @Override
  public Batches startForKernels(Execution x, BitSet needed) {
    return opened(x, needed, true);
  }

  @Override
  public boolean canBeFused() {
    return true;
  }

  /**
   * @param forKernels whether batches are only bound to kernels
   */
  private Batches opened(Execution x, BitSet needed, boolean forKernels) {
    Source left = asked;
    if (left == null) {
      return joined(x, needed, forKernels);
    }
    if (saysSoon(left, x)) {
      return left.hasRows(x) ? joined(x, needed, forKernels) : Batches.of(null);
    }
    try {
      return joined(x, needed, forKernels);
    } catch (GpdbException e) {
      if (DataErrors.isOne(e) && !left.hasRows(x)) {
        return Batches.of(null);
      }
      throw e;
    }
  }

  /** Whether to find out that there is a row costs little, where other rows are read again. */
  private static boolean saysSoon(Source left, Execution x) {
    return left.storedTable() != null || left.estimatedRows(x) <= FewRows.ROWS_MAX;
  }

  private Batches joined(Execution x, BitSet needed, boolean forKernels) {
    JoinArm arm = hashRight;
    if (hashLeft != null && sizes.keepsLeft(left, right, x)) {
      arm = hashLeft;
    }
    JoinRun run = new JoinRun(arm, x, needed, columns(), gather, hostRowsMax);
    try (ReadFirst first = readFirst == null ? null : ReadFirst.of(run, readFirst)) {
      return joined(run, first, forKernels);
    }
  }

  private Batches joined(JoinRun run, @Nullable ReadFirst first, boolean forKernels) {
    JoinArm arm = run.arm();
    try (HeldRows held = new HeldRows(arm.built.source(), run.builtFields())) {
      try (Batches rows = first == null ? run.openedBuild() : first.openedBuild()) {
        rows.expectAll();
        for (Batch batch = rows.next(); batch != null; batch = rows.next()) {
          held.add(batch);
          if (held.areTooMany(run.rowBytes())) {
            return parted(run, held, rows);
          }
        }
      }
      if (everyRow != null && held.rows() == 0) {
        return everyRow.open(run.x(), run.needed());
      }
      DenseBatch all = joined(held);
      if (all != null && everyRow != null && Materialized.hasNull(all, arm.built.keysRead())) {
        return Batches.of(null);
      }
      JoinTable table =
          all == null
              ? null
              : run.tableThatFits(all, (long) arm.probed.source().estimatedRows(run.x()));
      if (table == null) {
        return parted(run, held, Batches.of(null));
      }
      var _ = held.taken(); // they are the table's now
      return probed(run, table, first, forKernels);
    }
  }

  /** Null where memory does not have room for the rows next to each other. */
  private static @Nullable DenseBatch joined(HeldRows held) {
    try {
      return held.joined();
    } catch (GpdbException e) {
      if (e.code() != ErrorCode.OUT_OF_MEMORY || !MemoryAccount.current().canSpill()) {
        throw e;
      }
      return null;
    }
  }

  private static Batches probed(
      JoinRun run, JoinTable table, @Nullable ReadFirst first, boolean forKernels) {
    try {
      Batches probed = first == null ? run.openedProbe(table.held()) : first.taken();
      return forKernels && table.canBeFused()
          ? new FusedJoin(table, probed)
          : run.probed(table, probed);
    } catch (RuntimeException | Error e) {
      table.close();
      throw e;
    }
  }

  /**
   * The join in parts, which are in a temporary file.
   *
   * @param rest of the kept rows
   */
  private Batches parted(JoinRun run, HeldRows held, Batches rest) {
    PartedJoin parted = new PartedJoin(run, 0, held.andThen(rest), run::openedProbe);
    if (everyRow != null && parted.hasNullKey()) {
      parted.close();
      return Batches.of(null);
    }
    return parted;
  }

  @Override
  public boolean hasSettledStrings() {
    return left.hasSettledStrings() && right.hasSettledStrings();
  }

  @Override
  public double estimatedRows(Execution x) {
    double probes = left.estimatedRows(x);
    return kind == GridHashJoin.Kind.INNER ? Math.max(probes, right.estimatedRows(x)) : probes;
  }

  @Override
  public void explain(Outline outline) {
    String name =
        everyRow == null ? kind.name().toLowerCase(java.util.Locale.ROOT) + " join" : "not in";
    outline.operator(
        name + " on " + String.join(" and ", keyTexts),
        (isOfHost() ? FewRows.orHost(hostRowsMax) : "") + "kernel " + kernel().name(),
        this);
    outline.below(left);
    outline.below(right);
  }

  private boolean isOfHost() {
    return hostRowsMax > 0 && HostJoin.isPossible(hashRight);
  }

  private Kernel kernel() {
    return hashRight.kernels().join().kernel();
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    kernels.add(kernel());
    left.kernels(kernels);
    right.kernels(kernels);
  }
}
