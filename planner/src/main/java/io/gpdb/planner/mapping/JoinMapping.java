package io.gpdb.planner.mapping;

import io.gpdb.exec.library.join.GridHashJoin;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.rewrite.AskedForTree;
import io.gpdb.planner.run.HeldSource;
import io.gpdb.planner.run.join.JoinSource;
import io.gpdb.planner.run.join.MarkedJoinSource;
import io.gpdb.sql.tree.NotInKeys;
import io.gpdb.sql.tree.Raising;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinInfo;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * Maps joins: by keys, and an inner join by other conditions as a filter of all pairs. A right join
 * becomes a left join with its inputs and fields exchanged; a condition beyond the keys becomes a
 * filter above an inner join, or below where it concerns only the side whose rows may be missing.
 * Full joins, and others than inner ones by any other condition, mark the rows that pairs have.
 */
final class JoinMapping {
  private final QueryMapper mapper;
  private final Join join;
  private final RexBuilder rexBuilder;
  private final RexNode wantedAbove;

  JoinMapping(QueryMapper mapper, Join join) {
    this(mapper, join, mapper.rexBuilder().makeLiteral(true));
  }

  /**
   * @param wantedAbove a condition over the join's rows that an operator above asks of them, for
   *     which some may be left out that it is not true of
   */
  JoinMapping(QueryMapper mapper, Join join, RexNode wantedAbove) {
    this.mapper = mapper;
    this.join = join;
    this.rexBuilder = mapper.rexBuilder();
    this.wantedAbove = wantedAbove;
  }

  Pipeline mapped() throws NotCovered {
    if (!join.getVariablesSet().isEmpty()) {
      throw new NotCovered("correlated join");
    }
    NotInKeys notIn = NotInKeys.of(join);
    if (notIn != null) {
      return notIn(notIn);
    }
    JoinInfo info =
        JoinInfo.createWithStrictEquality(join.getLeft(), join.getRight(), join.getCondition());
    if (info.leftKeys.isEmpty()) {
      return join.getJoinType() == JoinRelType.INNER ? product() : marked(info);
    }
    return switch (join.getJoinType()) {
      case INNER -> inner(info);
      case LEFT -> outer(info, GridHashJoin.Kind.LEFT);
      case SEMI -> outer(info, GridHashJoin.Kind.SEMI);
      case ANTI -> outer(info, GridHashJoin.Kind.ANTI);
      case RIGHT -> right(info);
      case FULL -> marked(info);
      default -> throw new NotCovered(join.getJoinType() + " join");
    };
  }

  private Pipeline inner(JoinInfo info) throws NotCovered {
    Pipeline left = mapper.pipeline(join.getLeft());
    Pipeline right = mapper.pipeline(join.getRight());
    IndexJoins indexes = mapper.indexJoins();
    Pipeline byIndex =
        indexes == null
            ? null
            : indexes.inner(left, right, new IndexJoins.Keys(info.leftKeys, info.rightKeys));
    Pipeline joined =
        byIndex != null
            ? byIndex
            : mapper.identity(
                source(
                    GridHashJoin.Kind.INNER,
                    left,
                    right,
                    info.leftKeys,
                    info.rightKeys,
                    null,
                    mapper.model().sizes(join)));
    joined = mapper.model().expectingKeys(join, joined);
    return info.isEqui()
        ? joined
        : joined.filtered(
            RexUtil.composeConjunction(rexBuilder, info.nonEquiConditions), rexBuilder);
  }

  /** All pairs, with the condition as a filter above. */
  private Pipeline product() throws NotCovered {
    RexNode condition = join.getCondition();
    RangeConditions.Pairs all =
        RangeConditions.pairs(
            mapper,
            mapper.pipeline(join.getLeft()),
            mapper.pipeline(join.getRight()),
            RexUtil.composeConjunction(rexBuilder, List.of(condition, wantedAbove)));
    Pipeline pairs =
        all.areInRanges() ? all.pipeline() : mapper.model().expectingKeys(join, all.pipeline());
    return condition.isAlwaysTrue() ? pairs : pairs.filtered(condition, rexBuilder);
  }

  private Pipeline outer(JoinInfo info, GridHashJoin.Kind kind) throws NotCovered {
    Pipeline left = mapper.pipeline(join.getLeft());
    Pipeline right = mapper.pipeline(join.getRight());
    IndexJoins indexes = isOfSubQuery() && mayRaise() ? null : mapper.indexJoins();
    Pipeline byIndex =
        indexes == null
            ? null
            : indexes.outer(
                kind,
                left,
                right,
                new IndexJoins.Keys(info.leftKeys, info.rightKeys),
                info.nonEquiConditions);
    if (byIndex != null) {
      return byIndex;
    }
    if (!info.isEqui()) {
      RexNode condition = RexUtil.composeConjunction(rexBuilder, info.nonEquiConditions);
      int fields = join.getLeft().getRowType().getFieldCount();
      if (!isOfRight(condition, fields)) {
        return marked(info);
      }
      right = right.filtered(RexUtil.shift(condition, -fields), rexBuilder);
    }
    return mapper.identity(source(kind, left, right, info.leftKeys, info.rightKeys));
  }

  private Pipeline notIn(NotInKeys keys) throws NotCovered {
    Pipeline left = mapper.pipeline(join.getLeft());
    Pipeline right = mapper.pipeline(join.getRight());
    Source everyRow = mapper.dense(left);
    SourceColumn member = left.columns().get(keys.left());
    Pipeline present =
        member.nullable()
            ? left.filtered(
                rexBuilder.makeCall(
                    SqlStdOperatorTable.IS_NOT_NULL, mapper.ref(member, keys.left())),
                rexBuilder)
            : left;
    try {
      return mapper.identity(
          source(
              GridHashJoin.Kind.ANTI,
              present,
              right,
              List.of(keys.left()),
              List.of(keys.right()),
              everyRow,
              JoinSource.Sizes.UNKNOWN));
    } catch (NotCovered e) {
      return marked(JoinInfo.of(join.getLeft(), join.getRight(), join.getCondition()));
    }
  }

  /** Whether the right input is evaluated for a row of the left one, as far as the query says. */
  private boolean isOfSubQuery() {
    return join.getJoinType() == JoinRelType.SEMI || join.getJoinType() == JoinRelType.ANTI;
  }

  /** Whether the right input may raise an error that the left one has to ask for. */
  private boolean mayRaise() {
    return !(join.getRight() instanceof AskedForTree) && Raising.mayRaise(join.getRight());
  }

  /** Whether the condition may be evaluated for the rows of the right input before the join. */
  private static boolean isOfRight(RexNode condition, int leftFields) {
    ImmutableBitSet read = RelOptUtil.InputFinder.bits(condition);
    return (read.isEmpty() || read.nth(0) >= leftFields) && !Raising.mayRaise(condition);
  }

  /** A join that marks the rows which pairs of an inner join have. */
  private Pipeline marked(JoinInfo info) throws NotCovered {
    MarkedJoinSource.Kind kind =
        switch (join.getJoinType()) {
          case LEFT -> MarkedJoinSource.Kind.LEFT;
          case RIGHT -> MarkedJoinSource.Kind.RIGHT;
          case FULL -> MarkedJoinSource.Kind.FULL;
          case SEMI -> MarkedJoinSource.Kind.SEMI;
          case ANTI -> MarkedJoinSource.Kind.ANTI;
          default -> throw new NotCovered(join.getJoinType() + " join");
        };
    HeldSource left = new HeldSource(mapper.dense(mapper.pipeline(join.getLeft())));
    Pipeline other = mapper.pipeline(join.getRight());
    HeldSource right = isOfSubQuery() ? null : new HeldSource(mapper.dense(other));
    Pipeline pairs = pairs(left, right == null ? other : mapper.identity(right), info);
    List<Integer> fields = new ArrayList<>(List.of(left.columns().size() - 1));
    if (right != null) {
      fields.add(pairs.columns().size() - 1);
    }
    List<RexNode> numbers = new ArrayList<>();
    List<SourceColumn> names = new ArrayList<>();
    for (int field : fields) {
      numbers.add(mapper.ref(pairs.columns().get(field), field));
      names.add(pairs.columns().get(field));
    }
    Source found = mapper.dense(pairs.projected(numbers, names));
    BitSet read = RelOptUtil.InputFinder.bits(join.getCondition()).toBitSet();
    return mapper.identity(new MarkedJoinSource(mapper.device(), kind, left, right, found, read));
  }

  /** The pairs of rows for which the condition is true, those of the left input with numbers. */
  private Pipeline pairs(HeldSource left, Pipeline right, JoinInfo info) throws NotCovered {
    if (info.leftKeys.isEmpty()) {
      return allPairs(left, right);
    }
    Pipeline pairs =
        mapper.identity(
            source(
                GridHashJoin.Kind.INNER,
                mapper.identity(left),
                right,
                info.leftKeys,
                info.rightKeys));
    RexNode condition = RexUtil.composeConjunction(rexBuilder, info.nonEquiConditions);
    return condition.isAlwaysTrue() ? pairs : pairs.filtered(numbered(condition, left), rexBuilder);
  }

  private Pipeline allPairs(HeldSource left, Pipeline right) throws NotCovered {
    RexNode condition = numbered(join.getCondition(), left);
    Pipeline pairs =
        RangeConditions.pairs(mapper, mapper.identity(left), right, condition).pipeline();
    return condition.isAlwaysTrue() ? pairs : pairs.filtered(condition, rexBuilder);
  }

  /** The join's condition over rows of which those of the left input have a number behind them. */
  private static RexNode numbered(RexNode condition, HeldSource left) {
    return RexUtil.shift(condition, left.columns().size() - 1, 1);
  }

  private Pipeline right(JoinInfo info) throws NotCovered {
    if (!info.isEqui()) {
      return marked(info);
    }
    Pipeline build = mapper.pipeline(join.getLeft());
    Pipeline probe = mapper.pipeline(join.getRight());
    IndexJoins indexes = mapper.indexJoins();
    IndexJoins.Keys keys = new IndexJoins.Keys(info.rightKeys, info.leftKeys);
    Pipeline swapped =
        indexes == null
            ? null
            : indexes.outer(GridHashJoin.Kind.LEFT, probe, build, keys, List.of());
    if (swapped == null) {
      swapped =
          mapper.identity(
              source(GridHashJoin.Kind.LEFT, probe, build, info.rightKeys, info.leftKeys));
    }
    List<RexNode> ordered = new ArrayList<>();
    int probeFields = probe.outputs().size();
    int allFields = probeFields + build.outputs().size();
    for (int i = 0; i < allFields; i++) {
      int field = (i + probeFields) % allFields;
      ordered.add(mapper.ref(swapped.columns().get(field), field));
    }
    return swapped.projected(ordered, TreeMapper.columns(join));
  }

  private Source source(
      GridHashJoin.Kind kind,
      Pipeline first,
      Pipeline second,
      List<Integer> firstKeys,
      List<Integer> secondKeys)
      throws NotCovered {
    return source(kind, first, second, firstKeys, secondKeys, null, JoinSource.Sizes.UNKNOWN);
  }

  private Source source(
      GridHashJoin.Kind kind,
      Pipeline first,
      Pipeline second,
      List<Integer> firstKeys,
      List<Integer> secondKeys,
      @Nullable Source everyRow,
      JoinSource.Sizes sizes)
      throws NotCovered {
    JoinKeys keys = new JoinKeys(mapper, mapper.source(first), mapper.source(second));
    for (int i = 0; i < firstKeys.size(); i++) {
      if (everyRow == null) {
        keys.add(firstKeys.get(i), secondKeys.get(i));
      } else {
        keys.addOfOneType(firstKeys.get(i), secondKeys.get(i));
      }
    }
    Source probe = keys.left();
    Source build = keys.right();
    List<SourceColumn> columns = new ArrayList<>(probe.columns());
    if (kind == GridHashJoin.Kind.INNER || kind == GridHashJoin.Kind.LEFT) {
      for (SourceColumn column : build.columns()) {
        boolean nullable = column.nullable() || kind == GridHashJoin.Kind.LEFT;
        columns.add(new SourceColumn(column.name(), column.type(), nullable));
      }
    }
    Source joined =
        new JoinSource(
            mapper.device(),
            rexBuilder,
            kind,
            new JoinSource.Side(probe, mapper.dense(probe)),
            new JoinSource.Side(build, mapper.dense(build)),
            keys.ofLeft(),
            keys.ofRight(),
            columns,
            "join",
            isOfSubQuery() && mayRaise(),
            everyRow,
            sizes,
            mapper.hostRows());
    return keys.without(joined);
  }
}
