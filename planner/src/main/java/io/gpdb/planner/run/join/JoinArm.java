package io.gpdb.planner.run.join;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.join.GridHashJoin;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.planner.batch.FailingRow;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.planner.expression.kernel.KernelExpression;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * One way to run a join: which side is kept in memory. Keys that are fields are covered by kernels,
 * so that these are made when they are first asked for: few rows need none. Immutable.
 */
final class JoinArm {
  /** In place of the first field of a side that does not come out. */
  static final int NOT_RETURNED = -1;

  final Side built;
  final Side probed;
  private final Device device;
  private final RexBuilder rexBuilder;
  private final GridHashJoin.Kind kind;
  private final String name;
  private volatile @Nullable Kernels kernels;
  private final Map<GridHashJoin.Kind, JoinArm> others = new ConcurrentHashMap<>();

  /**
   * An input.
   *
   * @param keys over its fields
   * @param first which field of the join is its first one; negative where none is
   */
  record Side(Source source, List<RexNode> keys, int first) {
    List<SqlTypeSpec> types() {
      return source.types();
    }

    boolean hasKeyFieldsOnly() {
      return keys.stream().allMatch(RexInputRef.class::isInstance);
    }

    boolean isField(int key) {
      return keys.get(key) instanceof RexInputRef;
    }

    int keyField(int key) {
      return ((RexInputRef) keys.get(key)).getIndex();
    }

    SqlTypeSpec keyType(int key) {
      return types().get(keyField(key));
    }

    /** The fields that come out or are read by the keys. */
    BitSet read(BitSet wanted) {
      BitSet fields = keysRead();
      for (int i = 0; first >= 0 && i < source.columns().size(); i++) {
        if (wanted.get(first + i)) {
          fields.set(i);
        }
      }
      return fields;
    }

    BitSet keysRead() {
      return RelOptUtil.InputFinder.bits(keys, null).toBitSet();
    }
  }

  /** What kernels need. */
  record Kernels(
      KernelExpressions buildExpressions,
      KernelExpressions probeExpressions,
      List<KernelExpression> buildKeys,
      FailingRow failingBuild,
      FailingRow failingProbe,
      GridHashJoin join) {}

  JoinArm(
      Device device,
      RexBuilder rexBuilder,
      GridHashJoin.Kind kind,
      Side built,
      Side probed,
      String name)
      throws NotCovered {
    this.device = device;
    this.rexBuilder = rexBuilder;
    this.kind = kind;
    this.built = built;
    this.probed = probed;
    this.name = name;
    if (!built.hasKeyFieldsOnly() || !probed.hasKeyFieldsOnly()) {
      kernels = made();
    }
  }

  GridHashJoin.Kind kind() {
    return kind;
  }

  Device device() {
    return device;
  }

  /** Whether the host reads the device's memory. */
  boolean isOnHost() {
    return device.memory().isHosts();
  }

  /** The same sides and keys for another kind of join. */
  JoinArm as(GridHashJoin.Kind other) {
    return other == kind ? this : others.computeIfAbsent(other, this::made);
  }

  private JoinArm made(GridHashJoin.Kind other) {
    boolean pairs = other == GridHashJoin.Kind.INNER || other == GridHashJoin.Kind.LEFT;
    Side kept = pairs ? built : new Side(built.source, built.keys, NOT_RETURNED);
    try {
      return new JoinArm(device, rexBuilder, other, kept, probed, name);
    } catch (NotCovered e) {
      throw new IllegalStateException("kernels lack keys of a join that they had", e);
    }
  }

  Kernels kernels() {
    Kernels known = kernels;
    if (known == null) {
      try {
        known = made();
      } catch (NotCovered e) {
        throw new IllegalStateException("kernels lack fields as keys of a join", e);
      }
      kernels = known;
    }
    return known;
  }

  private Kernels made() throws NotCovered {
    KernelExpressions buildExpressions = new KernelExpressions(built.types(), rexBuilder);
    KernelExpressions probeExpressions = new KernelExpressions(probed.types(), rexBuilder);
    List<KernelExpression> buildKeys = new ArrayList<>();
    List<LaneProgram> probeKeys = new ArrayList<>();
    for (int i = 0; i < built.keys.size(); i++) {
      KernelExpression build = buildExpressions.compile(built.keys.get(i));
      KernelExpression probe = probeExpressions.compile(probed.keys.get(i));
      int key = i;
      if (build.type().kind().isString()) {
        probe =
            probeExpressions.translated(probe, run -> ((JoinTable.Binding) run).buildStrings(key));
      }
      buildKeys.add(build);
      probeKeys.add(probe.program());
    }
    return new Kernels(
        buildExpressions,
        probeExpressions,
        buildKeys,
        new FailingRow(built.source, rexBuilder, null, built.keys),
        new FailingRow(probed.source, rexBuilder, null, probed.keys),
        new GridHashJoin(
            device,
            name,
            kind,
            buildExpressions.inputs(),
            buildKeys.stream().map(KernelExpression::program).toList(),
            probeExpressions.inputs(),
            probeKeys));
  }
}
