package io.gpdb.planner.run.sort;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.exec.library.sort.GridSort;
import io.gpdb.exec.library.sort.SortKey;
import io.gpdb.planner.batch.BatchBinding;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Launching;
import io.gpdb.planner.batch.OrderWords;
import io.gpdb.planner.batch.StringRanks;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.planner.expression.kernel.KernelExpression;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rex.RexBuilder;
import org.jspecify.annotations.Nullable;

/** The order of rows by fields of theirs, found by kernels. */
public final class RowOrder {
  private final Device device;
  private final List<SqlTypeSpec> types;
  private final KernelExpressions expressions;
  private final List<StringRanks> ranks = new ArrayList<>();

  /** By key, what orders its strings; null for other keys. */
  private final List<@Nullable StringRanks> ranksOfKeys = new ArrayList<>();

  private final List<RelFieldCollation> keys;
  private final GridSort kernel;

  RowOrder(
      Device device,
      RexBuilder rexBuilder,
      List<SqlTypeSpec> types,
      List<RelFieldCollation> keys,
      String name) {
    this.device = device;
    this.types = types;
    this.keys = List.copyOf(keys);
    expressions = new KernelExpressions(types, rexBuilder);
    List<SortKey> sortKeys = new ArrayList<>();
    for (RelFieldCollation key : keys) {
      KernelExpression expression = expressions.column(key.getFieldIndex());
      boolean descending = key.getDirection().isDescending();
      sortKeys.add(new SortKey(program(expression), descending, nullsFirst(key)));
    }
    kernel = new GridSort(device, name, expressions.inputs(), sortKeys);
  }

  private LaneProgram program(KernelExpression expression) {
    if (!expression.type().kind().isString()) {
      ranksOfKeys.add(null);
      return expression.program();
    }
    StringRanks order = new StringRanks(expressions.inputs(), expression);
    ranks.add(order);
    ranksOfKeys.add(order);
    return order.program();
  }

  /** NULL counts as the greatest value unless the query says otherwise. */
  public static boolean nullsFirst(RelFieldCollation key) {
    return switch (key.nullDirection) {
      case FIRST -> true;
      case LAST -> false;
      case UNSPECIFIED -> key.getDirection().isDescending();
    };
  }

  /** What binds rows whose strings keep one order. */
  BatchBinding binding(Execution x) {
    return new BatchBinding(expressions, types, x, device).with(ranks);
  }

  /** The rows' keys for the host; those of one binding can be compared with each other. */
  RunKeys keys(BatchBinding binding, DenseBatch rows) {
    binding.bind(rows);
    long[][] words = new long[keys.size()][rows.rows()];
    @Nullable HostBuffer[] validity = new HostBuffer[keys.size()];
    for (int k = 0; k < words.length; k++) {
      int field = keys.get(k).getFieldIndex();
      HostBuffer values = rows.hostValues(field);
      validity[k] = rows.hostValidity(field);
      StringRanks strings = ranksOfKeys.get(k);
      HostBuffer byCode = strings == null ? null : binding.order(strings).ranks().onHost();
      for (int r = 0; r < words[k].length; r++) {
        long raw = types.get(field).element().rawAt(values, r);
        words[k][r] =
            byCode == null
                ? OrderWords.word(types.get(field), raw)
                : rows.isNull(field, r) ? 0 : byCode.intAt(raw);
      }
    }
    return new RunKeys(keys, words, validity);
  }

  /** The rows' i32 numbers in order; equal rows stay as they came. */
  DeviceBuffer permutation(Execution x, DenseBatch rows, BatchMemory memory) {
    BatchBinding binding = binding(x);
    return Launching.translated(
        expressions, () -> kernel.permutation(binding.bind(rows), rows.rows(), memory));
  }

  /**
   * Some of the rows in order.
   *
   * @param fields that come
   * @param from the first of them, in order
   */
  DenseBatch sorted(
      Execution x, DenseBatch rows, BitSet fields, int from, int count, GridGather gather) {
    BatchMemory memory = new BatchMemory();
    try (BatchMemory scratch = new BatchMemory()) {
      DeviceBuffer all = permutation(x, rows, scratch);
      DeviceBuffer picked = all.slice((long) from * Integer.BYTES, (long) count * Integer.BYTES);
      DenseBatch result = new DenseBatch(count, types.size(), memory);
      for (int i = fields.nextSetBit(0); i >= 0; i = fields.nextSetBit(i + 1)) {
        SqlTypeSpec type = types.get(i);
        DenseColumn source =
            new DenseColumn(Launching.element(type), rows.values(i), rows.validity(i));
        DenseColumn column = gather.column(source, picked, count, false, memory);
        result.set(i, column.values(), column.validity());
        if (type.kind().isString()) {
          result.strings(i, rows.strings(i));
        }
      }
      return result;
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  Kernel kernel() {
    return kernel.kernel();
  }
}
