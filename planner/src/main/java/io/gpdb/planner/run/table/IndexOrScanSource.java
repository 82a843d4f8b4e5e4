package io.gpdb.planner.run.table;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Source;
import java.util.List;

/**
 * Two ways to the same rows, by indexes and by reading tables, of which each execution takes the
 * one that costs less for its parameters and what the tables hold.
 */
public final class IndexOrScanSource extends ChosenSource {
  private final Source byIndex;
  private final List<IndexSource> indexes;
  private final List<IndexJoinSource> joins;
  private final Source byScan;

  /**
   * @param indexes that {@code byIndex} follows
   * @param joins of {@code byIndex} that look rows up
   */
  public IndexOrScanSource(
      Source byIndex, List<IndexSource> indexes, List<IndexJoinSource> joins, Source byScan) {
    super(byScan.columns());
    this.byIndex = byIndex;
    this.indexes = List.copyOf(indexes);
    this.joins = List.copyOf(joins);
    this.byScan = byScan;
  }

  @Override
  protected Source chosen(Execution x) {
    for (IndexSource index : indexes) {
      if (!index.isSelective(x)) {
        return byScan;
      }
    }
    for (IndexJoinSource join : joins) {
      if (!join.isSelective(x)) {
        return byScan;
      }
    }
    return byIndex;
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    byIndex.kernels(kernels);
    byScan.kernels(kernels);
  }
}
