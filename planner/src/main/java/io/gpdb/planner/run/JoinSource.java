package io.gpdb.planner.run;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.join.GridHashJoin;
import io.gpdb.exec.library.join.JoinMatches;
import io.gpdb.exec.library.join.JoinPairs;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.BatchWindows;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
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
  private final JoinArm hashRight;
  private final @Nullable JoinArm hashLeft;
  private final int hostRowsMax;
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
      HostRows hostRows)
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
        kind == GridHashJoin.Kind.INNER
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
    if (asked != null && !asked.hasRows(x)) {
      return Batches.of(null);
    }
    JoinArm arm = hashRight;
    if (hashLeft != null && left.estimatedRows(x) < right.estimatedRows(x)) {
      arm = hashLeft;
    }
    DenseBatch held = Materialized.of(arm.built.source(), x, arm.built.read(needed));
    if (everyRow != null && held.rows() == 0) {
      held.close();
      return everyRow.open(x, needed);
    }
    if (everyRow != null && Materialized.hasNull(held, arm.built.keysRead())) {
      held.close();
      return Batches.of(null);
    }
    JoinTable table = new JoinTable(arm, x, held, hostRowsMax);
    try {
      table.begin();
      Batches probed = arm.probed.source().open(x, arm.probed.read(needed));
      return forKernels && table.canBeFused()
          ? new FusedJoin(table, probed)
          : new Joined(arm, needed, table, probed);
    } catch (RuntimeException | Error e) {
      table.close();
      throw e;
    }
  }

  /** One execution. */
  private final class Joined implements Batches {
    private final JoinTable table;
    private final JoinColumns columns;
    private final BatchWindows windows;
    private long windowRows = WINDOW_ROWS_FIRST;
    private @Nullable Pairs pairs;

    Joined(JoinArm arm, BitSet needed, JoinTable table, Batches probed) {
      this.table = table;
      windows = new BatchWindows(probed);
      columns =
          new JoinColumns(
              columns(),
              needed,
              arm.probed,
              arm.built,
              table.held(),
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

    @Override
    public void expectAll() {
      windowRows = WINDOW_ROWS_MAX;
      windows.expectAll();
    }

    /** How many rows a window may have so that their pairs take a part of the memory left. */
    private long rowsThatFit() {
      return MemoryAccount.current().availableBytes() / MEMORY_SHARE / columns.rowBytes();
    }

    /** The window's tablets are free again before anybody else sees what came of them. */
    private @Nullable Batch joined(List<Batch> window) {
      HostJoin.Pairs few = table.hostPairs(window);
      if (few != null) {
        DenseBatch rows = columns.copied(few);
        windows.release();
        return rows;
      }
      JoinMatches matches = table.matches(window);
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
