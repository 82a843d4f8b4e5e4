package io.gpdb.planner.run;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.join.FusedProbe;
import io.gpdb.exec.library.join.GridHashJoin;
import io.gpdb.exec.library.join.JoinBuild;
import io.gpdb.exec.library.join.JoinMatches;
import io.gpdb.exec.library.join.JoinPairs;
import io.gpdb.exec.library.join.JoinWindow;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.RowMatch;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchBinding;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.BatchWindows;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.FailingRow;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.KernelExpression;
import io.gpdb.planner.expression.KernelExpressions;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RunInputs;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.tree.NotInKeys;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.tablet.Tablet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Equi-join: one side is kept in memory and hashed, the other streams past it. The fields are the
 * left input's and, except in semi and anti joins, the right input's. An inner join hashes the side
 * that has fewer rows; the others hash the right one.
 */
public final class JoinSource extends Source {
  private static final int NOT_GIVEN = -1;

  /** Rows of the first window: whoever wants a few rows only does not wait for more. */
  private static final long WINDOW_ROWS_FIRST = Tablet.ROWS;

  /** Rows of the largest windows, and pairs of the largest batches. */
  private static final long WINDOW_ROWS_MAX = 16L * Tablet.ROWS;

  /** A window may take one part in this many of the memory left. */
  private static final int MEMORY_SHARE = 8;

  private final GridHashJoin.Kind kind;
  private final List<String> keyTexts;
  private final Arm hashRight;
  private final @Nullable Arm hashLeft;
  private final Source left;
  private final Source right;
  private final GridGather gather;
  private final @Nullable Source everyRow;
  private final @Nullable Source asked;

  /**
   * @param lazy whether the right input is run only if the left one has a row, because it may raise
   *     an error that is to be raised only then
   * @param everyRow what a join for NOT IN returns when the right input is empty; null where NULL
   *     keys match nothing and mean no more ({@link NotInKeys})
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
      @Nullable Source everyRow)
      throws NotCovered {
    super(columns);
    this.kind = kind;
    this.everyRow = everyRow;
    this.asked = lazy ? everyRow == null ? left.held() : everyRow : null;
    this.left = left.streamed();
    this.right = right.streamed();
    this.keyTexts = texts(this.left, leftKeys, this.right, rightKeys);
    this.gather = new GridGather(device);
    boolean both = kind == GridHashJoin.Kind.INNER || kind == GridHashJoin.Kind.LEFT;
    int rightFirst = both ? this.left.columns().size() : NOT_GIVEN;
    hashRight =
        new Arm(device, rexBuilder, kind, right, rightKeys, rightFirst, left, leftKeys, 0, name);
    hashLeft =
        kind == GridHashJoin.Kind.INNER
            ? new Arm(
                device, rexBuilder, kind, left, leftKeys, 0, right, rightKeys, rightFirst, name)
            : null;
  }

  /**
   * An input in its two uses.
   *
   * @param streamed may have rows that do not exist
   * @param held has only rows that exist
   */
  public record Side(Source streamed, Source held) {}

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

  /** One way to run the join: which side is kept in memory. */
  private static final class Arm {
    final Source built;
    final int builtFirst;
    final Source probed;
    final int probedFirst;
    final KernelExpressions buildExpressions;
    final KernelExpressions probeExpressions;
    final List<KernelExpression> buildKeys = new ArrayList<>();
    final FailingRow failingBuild;
    final FailingRow failingProbe;
    final GridHashJoin kernel;

    Arm(
        Device device,
        RexBuilder rexBuilder,
        GridHashJoin.Kind kind,
        Side buildSide,
        List<RexNode> buildNodes,
        int builtFirst,
        Side probeSide,
        List<RexNode> probeNodes,
        int probedFirst,
        String name)
        throws NotCovered {
      this.built = buildSide.held();
      this.builtFirst = builtFirst;
      this.probed = probeSide.streamed();
      this.probedFirst = probedFirst;
      buildExpressions = new KernelExpressions(built.types(), rexBuilder);
      probeExpressions = new KernelExpressions(probed.types(), rexBuilder);
      List<LaneProgram> probeKeys = new ArrayList<>();
      for (int i = 0; i < buildNodes.size(); i++) {
        KernelExpression build = buildExpressions.compile(buildNodes.get(i));
        KernelExpression probe = probeExpressions.compile(probeNodes.get(i));
        int key = i;
        if (build.type().kind().isString()) {
          probe = probeExpressions.translated(probe, run -> ((ProbeBinding) run).buildStrings(key));
        }
        buildKeys.add(build);
        probeKeys.add(probe.program());
      }
      failingBuild = new FailingRow(built, rexBuilder, null, buildNodes);
      failingProbe = new FailingRow(probed, rexBuilder, null, probeNodes);
      kernel =
          new GridHashJoin(
              device,
              name,
              kind,
              buildExpressions.inputs(),
              buildKeys.stream().map(KernelExpression::program).toList(),
              probeExpressions.inputs(),
              probeKeys);
    }
  }

  /** Binds probe batches; knows the strings of the build side's keys. */
  private static final class ProbeBinding extends BatchBinding {
    private final List<@Nullable StringDomain> buildStrings;

    ProbeBinding(Arm arm, Execution x, RunInputs buildRun) {
      super(arm.probeExpressions, arm.probed.types(), x);
      buildStrings = new ArrayList<>();
      for (KernelExpression key : arm.buildKeys) {
        buildStrings.add(key.type().kind().isString() ? key.domain(buildRun) : null);
      }
    }

    StringDomain buildStrings(int key) {
      StringDomain domain = buildStrings.get(key);
      if (domain == null) {
        throw new IllegalStateException("key " + key + " is not a string");
      }
      return domain;
    }
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
    if (asked != null && !asked.hasRows(x)) {
      return Batches.of(null);
    }
    Arm arm = hashRight;
    if (hashLeft != null && left.estimatedRows(x) < right.estimatedRows(x)) {
      arm = hashLeft;
    }
    BitSet fields = fields(arm.built, arm.builtFirst, arm.buildExpressions, needed);
    DenseBatch held = Materialized.of(arm.built, x, fields);
    if (everyRow != null && held.rows() == 0) {
      held.close();
      return everyRow.open(x, needed);
    }
    if (everyRow != null && Materialized.hasNull(held, arm.buildExpressions.columnsRead())) {
      held.close();
      return Batches.of(null);
    }
    Table table = new Table(arm, x, held);
    try {
      Batches probed =
          arm.probed.open(x, fields(arm.probed, arm.probedFirst, arm.probeExpressions, needed));
      return forKernels && table.build.canBeFused()
          ? new FusedJoin(table, probed)
          : new Joined(arm, x, needed, table, probed);
    } catch (RuntimeException | Error e) {
      table.close();
      throw e;
    }
  }

  /** The fields of an input that come out or are read by its keys. */
  private static BitSet fields(Source input, int first, KernelExpressions keys, BitSet wanted) {
    BitSet fields = new BitSet();
    for (int column : keys.columnsRead()) {
      fields.set(column);
    }
    if (first >= 0) {
      for (int i = 0; i < input.columns().size(); i++) {
        if (wanted.get(first + i)) {
          fields.set(i);
        }
      }
    }
    return fields;
  }

  /** The kept side of one execution, with its index. */
  static final class Table implements AutoCloseable {
    private final Arm arm;
    private final DenseBatch held;
    private final JoinBuild build;
    private final ProbeBinding binding;

    /**
     * @param held closed with this, and where this fails
     */
    private Table(Arm arm, Execution x, DenseBatch held) {
      this.arm = arm;
      this.held = held;
      JoinBuild built = null;
      try {
        BatchBinding keys = new BatchBinding(arm.buildExpressions, arm.built.types(), x);
        built =
            arm.failingBuild.launched(
                arm.buildExpressions,
                x,
                held,
                () -> arm.kernel.build(keys.bind(held), held.rows(), null));
        build = built;
        binding = new ProbeBinding(arm, x, keys);
      } catch (RuntimeException | Error e) {
        if (built != null) {
          built.close();
        }
        held.close();
        throw e;
      }
    }

    DenseBatch held() {
      return held;
    }

    /** The field of the join that is the first of the kept side's; negative where none is. */
    int builtFirst() {
      return arm.builtFirst;
    }

    int builtColumns() {
      return arm.built.columns().size();
    }

    int probedFirst() {
      return arm.probedFirst;
    }

    RowMatch fused(Batch probed, BitSet inputs) {
      return new FusedProbe(build, binding.bind(probed), inputs);
    }

    @Override
    public void close() {
      build.close();
      held.close();
    }
  }

  /** One execution. */
  private final class Joined implements Batches {
    private final Arm arm;
    private final Execution x;
    private final Table table;
    private final JoinColumns columns;
    private final BatchWindows windows;
    private long windowRows = WINDOW_ROWS_FIRST;
    private @Nullable Pairs pairs;

    Joined(Arm arm, Execution x, BitSet needed, Table table, Batches probed) {
      this.arm = arm;
      this.x = x;
      this.table = table;
      windows = new BatchWindows(probed);
      columns =
          new JoinColumns(
              columns(),
              needed,
              new JoinColumns.Input(arm.probed, arm.probedFirst),
              new JoinColumns.Input(arm.built, arm.builtFirst),
              table.held,
              kind == GridHashJoin.Kind.LEFT,
              gather);
    }

    @Override
    public @Nullable Batch next() {
      Pairs open = pairs;
      if (open != null) {
        Batch piece = open.next();
        if (piece != null) {
          return piece;
        }
        pairs = null;
        open.close();
      }
      List<Batch> window = windows.next(Math.min(windowRows, rowsThatFit()));
      windowRows = Math.min(WINDOW_ROWS_MAX, windowRows * 2);
      return window.isEmpty() ? null : joined(window);
    }

    /** How many rows a window may have so that their pairs take a part of the memory left. */
    private long rowsThatFit() {
      return MemoryAccount.current().availableBytes() / MEMORY_SHARE / columns.rowBytes();
    }

    /** The window's tablets are free again before anybody else sees what came of them. */
    private @Nullable Batch joined(List<Batch> window) {
      JoinMatches matches =
          arm.failingProbe.launched(arm.probeExpressions, x, window, this::matches);
      Pairs several = null;
      try {
        if (matches.areSingle() || matches.count() == 0) {
          DenseBatch rows = columns.picked(matches, window, true);
          windows.release();
          return rows;
        }
        several = new Pairs(matches, columns.picked(matches, window, false));
        windows.release();
      } finally {
        if (several == null) {
          matches.close();
        }
      }
      pairs = several;
      return several.next();
    }

    private JoinMatches matches(List<Batch> batches) {
      JoinWindow window = table.build.start();
      for (Batch batch : batches) {
        window.add(table.binding.bind(batch), batch.rows(), batch.live());
      }
      return window.finish();
    }

    /** The pairs of a window whose rows may make several, a piece a batch. */
    private final class Pairs implements AutoCloseable {
      private final JoinMatches matches;
      private final DenseBatch rows;
      private final JoinPairs pairs;

      /** Closes the rows where it fails, not the matches. */
      Pairs(JoinMatches matches, DenseBatch rows) {
        this.matches = matches;
        this.rows = rows;
        try {
          pairs = matches.pairs();
        } catch (RuntimeException | Error e) {
          rows.close();
          throw e;
        }
      }

      @Nullable Batch next() {
        StopSignal.poll();
        BatchMemory memory = new BatchMemory();
        try (BatchMemory scratch = new BatchMemory()) {
          int most = (int) Math.max(1, Math.min(WINDOW_ROWS_MAX, rowsThatFit()));
          JoinPairs.Piece piece = pairs.next(most, scratch);
          if (piece == null) {
            memory.close();
            return null;
          }
          return columns.gathered(piece, rows, memory);
        } catch (RuntimeException | Error e) {
          memory.close();
          throw e;
        }
      }

      @Override
      public void close() {
        rows.close();
        matches.close();
      }
    }

    @Override
    public void close() {
      if (pairs != null) {
        pairs.close();
      }
      windows.close();
      table.close();
    }
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
        "kernel " + hashRight.kernel.kernel().name(),
        this);
    outline.below(left);
    outline.below(right);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    kernels.add(hashRight.kernel.kernel());
    left.kernels(kernels);
    right.kernels(kernels);
  }
}
