package io.gpdb.planner.bridge;

import io.gpdb.storage.error.StopSignal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.linq4j.AbstractEnumerable;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.function.Function0;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.BlockStatement;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.core.RepeatUnion;

/**
 * Lets an operator of Calcite's be stopped. One is put above every operator, so that whatever loops
 * over rows asks the statement's signal at each: the recursion, joins, aggregates and sorts of
 * Calcite's library have no question of their own. The topmost also puts one into each loop of the
 * generated code, for the frames of windows.
 *
 * <pre>
 *   before   Aggregate ← Join ← leaf, leaf
 *   after    stop ← Aggregate ← stop ← Join ← stop ← leaf, stop ← leaf
 * </pre>
 */
public final class BridgeStop extends SingleRel implements EnumerableRel {
  /** Where an operator is in the tree. */
  private enum Place {
    TOP,
    BELOW,
    /** At a recursion and its step, whose rows are found anew each time. */
    REPEATED
  }

  private final Place place;

  private BridgeStop(RelNode input, Place place) {
    super(input.getCluster(), input.getTraitSet(), input);
    this.place = place;
  }

  /** The tree with a question above each operator. */
  static EnumerableRel everywhere(EnumerableRel root) {
    return new BridgeStop(above(root), Place.TOP);
  }

  private static RelNode above(RelNode node) {
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : node.getInputs()) {
      boolean step = node instanceof RepeatUnion && !inputs.isEmpty();
      boolean repeated = step || input instanceof RepeatUnion;
      inputs.add(new BridgeStop(above(input), repeated ? Place.REPEATED : Place.BELOW));
    }
    return inputs.isEmpty() ? node : node.copy(node.getTraitSet(), inputs);
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new BridgeStop(inputs.getFirst(), place);
  }

  @Override
  public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
    Result child = implementor.visitChild(this, 0, (EnumerableRel) getInput(), prefer);
    BlockStatement rows = child.block;
    if (place == Place.TOP) {
      rows = rows.accept(new PolledLoops());
    }
    BlockBuilder code = new BlockBuilder();
    Expression polled =
        place == Place.REPEATED
            ? Expressions.call(BridgeStop.class, "repeated", Expressions.lambda(rows))
            : Expressions.call(BridgeStop.class, "polled", code.append("polled", rows));
    code.add(Expressions.return_(null, polled));
    return implementor.result(child.physType, code.toBlock());
  }

  /** Called by generated code: the same rows, each with a question before it. */
  public static <T> Enumerable<T> polled(Enumerable<T> rows) {
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<T> enumerator() {
        return new Polled<>(rows.enumerator(), StopSignal.current());
      }
    };
  }

  /**
   * Called by generated code: the rows of an expression that is evaluated anew for each enumerator.
   * Calcite's aggregates, windows and set operations read their input where they are made, which
   * would be before the recursion has any row. A recursion lets its rows go when it has ended, and
   * a join reads one of its inputs several times.
   */
  public static <T> Enumerable<T> repeated(Function0<Enumerable<T>> rows) {
    return new AbstractEnumerable<>() {
      @Override
      public Enumerator<T> enumerator() {
        return new Polled<>(rows.apply().enumerator(), StopSignal.current());
      }
    };
  }

  private record Polled<T>(Enumerator<T> rows, StopSignal stop) implements Enumerator<T> {
    @Override
    public T current() {
      return rows.current();
    }

    @Override
    public boolean moveNext() {
      stop.check();
      return rows.moveNext();
    }

    @Override
    public void reset() {
      rows.reset();
    }

    @Override
    public void close() {
      rows.close();
    }
  }
}
