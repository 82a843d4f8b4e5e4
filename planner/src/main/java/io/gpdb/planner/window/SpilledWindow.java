package io.gpdb.planner.window;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.SpilledColumn;
import io.gpdb.planner.batch.SpilledRows;
import io.gpdb.planner.batch.SpilledRows.Range;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of whole partitions that are in a temporary file, in the order of a window, and what its
 * calls return for them, in a file for each call. Of a column that is read, some pages are in
 * memory; of results, the page that is written.
 */
public final class SpilledWindow implements WindowRows, AutoCloseable {
  private static final int RESULT_PAGE_ROWS = 1 << 12;

  private final List<SqlTypeSpec> types;
  private final SpilledRows file;
  private final List<Range> ranges;
  private final List<List<Range>> pages;
  private final int count;
  private final BatchMemory memory = new BatchMemory();
  private final List<SpilledColumn> spilled = new ArrayList<>();
  private final Map<Integer, WindowColumn> columns = new HashMap<>();
  private final List<Results> results = new ArrayList<>();

  /** What one call returns, page after page. */
  private static final class Results implements WindowOutput.Pages {
    private final int field;
    private final SpilledRows file;
    private final List<Range> ranges = new ArrayList<>();
    private final int fields;
    private final BatchMemory memory;

    Results(int field, List<SqlTypeSpec> types, BatchMemory memory) {
      this.field = field;
      this.fields = types.size();
      this.memory = memory;
      BitSet only = new BitSet();
      only.set(field);
      file = new SpilledRows(types, only);
    }

    @Override
    public void write(WindowOutput page, int rows) {
      DenseBatch batch = new DenseBatch(rows, fields, memory); // whose memory goes with the window
      page.putInto(batch, field);
      ranges.add(file.write(batch));
    }
  }

  /**
   * @param types of all fields, those of results among them
   * @param file has the rows, and is closed with this
   */
  public SpilledWindow(List<SqlTypeSpec> types, SpilledRows file, List<Range> ranges) {
    this.types = types;
    this.file = file;
    this.ranges = ranges;
    pages = SpilledRows.pieces(ranges, SpilledColumn.PAGE_ROWS);
    count = Math.toIntExact(ranges.stream().mapToLong(Range::rows).sum());
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public WindowColumn column(int field) {
    return columns.computeIfAbsent(
        field,
        _ -> {
          SpilledColumn column = new SpilledColumn(file, pages, field);
          spilled.add(column);
          return new WindowColumn(column, types.get(field), file.strings(field));
        });
  }

  @Override
  public WindowOutput output(WindowGroup.Placed placed) {
    Results pagesOfCall = new Results(placed.field(), types, memory);
    results.add(pagesOfCall);
    return new WindowOutput(placed.call().type(), RESULT_PAGE_ROWS, memory, pagesOfCall);
  }

  @Override
  public void put(WindowGroup.Placed placed, WindowOutput output) {
    output.finish(count);
  }

  @Override
  public boolean areHeld() {
    return false;
  }

  /** All rows with their results, which have been computed; this is closed with them. */
  public Batches rows(int rowsMax) {
    close(spilled);
    memory.close();
    List<List<Range>> pieces = SpilledRows.pieces(ranges, rowsMax);
    List<List<List<Range>>> piecesOfResults =
        results.stream().map(each -> SpilledRows.pieces(each.ranges, rowsMax)).toList();
    return new Batches() {
      private int next;

      @Override
      public @Nullable Batch next() {
        if (next == pieces.size()) {
          return null;
        }
        DenseBatch batch = file.read(pieces.get(next));
        try {
          for (int i = 0; i < results.size(); i++) {
            results.get(i).file.readInto(batch, piecesOfResults.get(i).get(next));
          }
        } catch (RuntimeException | Error e) {
          batch.close();
          throw e;
        }
        next++;
        return batch.withoutRowNumbers();
      }

      @Override
      public void close() {
        SpilledWindow.this.close();
      }
    };
  }

  private static void close(List<SpilledColumn> columns) {
    columns.forEach(SpilledColumn::close);
    columns.clear();
  }

  @Override
  public void close() {
    close(spilled);
    memory.close();
    results.forEach(each -> each.file.close());
    file.close();
  }
}
