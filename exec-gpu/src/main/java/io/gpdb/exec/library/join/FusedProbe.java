package io.gpdb.exec.library.join;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.library.join.GridHashJoin.Kind;
import io.gpdb.exec.library.key.KeyWords;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneLayout;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.lane.RowMatch;
import java.util.BitSet;

/**
 * The probe of a {@link GridHashJoin} inside of the kernel that reads its pairs: no pair is in
 * memory. For build sides without a hash table, of whose rows at most one makes a pair with a probe
 * row.
 */
public final class FusedProbe implements RowMatch {
  private final Shape shape;
  private final JoinBuild build;
  private final LaneBindings keys;

  /**
   * The pairs of a batch of the probe side.
   *
   * @param build {@link JoinBuild#canBeFused}
   * @param keys the probe's bindings; what is bound must stay valid while the kernel runs
   * @param inputs the numbers of the kernel's inputs that are columns of the build side
   */
  public FusedProbe(JoinBuild build, LaneBindings keys, BitSet inputs) {
    JoinProbe probe = build.plan.probe;
    LaneVariant variant = LaneVariant.of(keys, false);
    shape = new Shape(probe.kind, probe.inputs, probe.keys, build.form(), variant, inputs);
    this.build = build;
    this.keys = keys;
  }

  @Override
  public Shape shape() {
    return shape;
  }

  @Override
  public void bind(Arguments arguments, LaneLayout layout) {
    layout.bind(arguments, keys);
    build.bind(arguments);
  }

  /**
   * The text's part.
   *
   * @param keyVariant of the keys' lane programs
   */
  record Shape(
      Kind kind,
      LaneInputs keyInputs,
      KeyWords keys,
      JoinProbe.Form form,
      LaneVariant keyVariant,
      BitSet inputs)
      implements RowMatch.Shape {
    @Override
    public Passing passing() {
      return switch (kind) {
        case INNER, SEMI -> Passing.FOUND;
        case ANTI -> Passing.NOT_FOUND;
        case LEFT -> Passing.ALL;
      };
    }

    @Override
    public RowMatch.Text declare(KernelBuilder b) {
      return new Text(b, this);
    }
  }

  /** The look-up in one kernel. */
  private static final class Text implements RowMatch.Text {
    private final KernelBuilder b;
    private final KeyWords keys;
    private final Lane head;
    private final KeyLook look;
    private final int order;

    Text(KernelBuilder b, Shape shape) {
      this.b = b;
      keys = shape.keys;
      head = new Lane(b, shape.keyInputs, shape.keyVariant, b.global(), "key_");
      look = KeyLook.of(shape.form.lookup(), b, keys.count());
      order = shape.form.rows() == JoinProbe.Rows.ORDERED ? b.buffer(JoinProbe.ORDER) : -1;
    }

    @Override
    public LaneLayout layout() {
      return head.layout();
    }

    @Override
    public Reg find(Reg row) {
      Lane lane = head.at(row);
      lane.stage(keys.programs());
      KeyWords.Row words = keys.emit(lane);
      Reg present = words.allPresent();
      Reg number = b.variable(b.i32(-1));
      look.up(words.words(), present == null ? b.pred(true) : present, number);
      if (order < 0) {
        return number;
      }
      Reg found = b.variable(b.i32(-1));
      b.ifThen(b.ge(number, b.i32(0)), () -> b.set(found, b.load(order, number)));
      return found;
    }
  }
}
