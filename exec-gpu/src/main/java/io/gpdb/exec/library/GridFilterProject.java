package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Filter and projection. */
public final class GridFilterProject {
  /** One output column; a predicate becomes 0 or 1 of an integer element. */
  public record Output(Element element, LaneProgram program) {}

  public GridFilterProject(
      Device device,
      String name,
      LaneInputs inputs,
      @Nullable LaneProgram filter,
      List<Output> outputs,
      boolean rowIds) {
    KernelLibrary.unfinished();
  }

  /** Rows r below {@code rows} that are live and for which the filter is true. */
  public SelectedRows run(
      LaneBindings bindings, int rows, @Nullable MemorySegment live, SegmentAllocator results) {
    return KernelLibrary.unfinished();
  }

  /** The text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return KernelLibrary.unfinished();
  }
}
