package io.gpdb.exec.library.lane;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The head of every kernel that scans rows: the scalar {@code rows}, and the buffer {@code live} in
 * the variants that have it. The kernel declares its own parameters next, before it opens a row.
 */
public final class LaneScan {
  private static final ScalarParam ROWS = new ScalarParam("rows", Type.I32);
  private static final BufferParam LIVE = BufferParam.input("live", Element.I32);

  private final KernelBuilder b;
  private final Lane lane;
  private final Reg rows;
  private final int live;
  private final RowMatch.@Nullable Text match;

  public LaneScan(KernelBuilder b, LaneInputs inputs, LaneVariant variant) {
    this.b = b;
    rows = b.scalar(ROWS);
    live = variant.live() ? b.buffer(LIVE) : -1;
    lane = new Lane(b, inputs, variant, b.global());
    RowMatch.Shape shape = variant.match();
    match = shape == null ? null : shape.declare(b);
    if (match != null) {
      lane.layout().ofMatch(match.layout());
    }
  }

  private LaneScan(LaneScan head, Lane lane) {
    b = head.b;
    rows = head.rows;
    live = head.live;
    match = head.match;
    this.lane = lane;
  }

  /** The scan with the row in another register, for kernels whose lanes take several rows. */
  public LaneScan at(Reg row) {
    return new LaneScan(this, lane.at(row));
  }

  public Lane lane() {
    return lane;
  }

  public Reg rows() {
    return rows;
  }

  /** Writes {@code body} where the row exists, is live and its match is wanted. */
  public void ifExists(Runnable body) {
    b.ifThen(b.lt(lane.row(), rows), () -> ifLive(body));
  }

  /** Writes {@code body} where the row, which exists, is live and its match is wanted. */
  public void ifLive(Runnable body) {
    if (live < 0) {
      ifMatched(body);
    } else {
      b.ifThen(Lane.bit(b, live, lane.row()), () -> ifMatched(body));
    }
  }

  private void ifMatched(Runnable body) {
    if (match == null) {
      body.run();
    } else {
      lane.ifMatched(match.find(lane.row()), body);
    }
  }

  /**
   * Sets {@code passes} (a variable that is false so far) where the row exists, is live and passes
   * the filter.
   */
  public void filter(@Nullable LaneProgram filter, Reg passes) {
    ifExists(
        () -> {
          if (filter == null) {
            b.set(passes, b.pred(true));
          } else {
            lane.stage(List.of(filter));
            b.set(passes, lane.isTrue(filter.emit(lane)));
          }
        });
  }

  /** Binds the head and what the lane programs read. */
  public static Arguments bind(
      LaneKernels.Ready<?> ready, LaneBindings bindings, int rows, @Nullable DeviceBuffer live) {
    Arguments arguments = new Arguments(ready.kernel().kernel());
    arguments.scalar(ROWS, rows);
    if (live != null) {
      arguments.buffer(LIVE, live);
    }
    ready.layout().bind(arguments, bindings);
    return arguments;
  }
}
