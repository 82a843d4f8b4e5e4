package io.gpdb.planner.run.join;

import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.join.JoinMatches;
import io.gpdb.exec.library.join.JoinPairs;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Launching;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The columns that one execution of a join returns: those of either input that are asked for,
 * fetched when it is known which rows make pairs.
 *
 * @param columns of the join
 * @param needed which of them are asked for
 * @param held the rows of the built input
 * @param outer whether probe rows without a match come, too
 */
record JoinColumns(
    List<SourceColumn> columns,
    BitSet needed,
    JoinArm.Side probed,
    JoinArm.Side built,
    DenseBatch held,
    boolean outer,
    GridGather gather) {

  /** Bytes of a probe row or a pair, with the numbers of its rows. */
  long rowBytes() {
    long bytes = 2 * Integer.BYTES;
    for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
      bytes += columns.get(i).type().element().bytes() + 1;
    }
    return bytes;
  }

  /**
   * The columns of the probe rows that make a pair.
   *
   * @param withBuilt whether each makes one, and its build row's columns are fetched, too
   */
  DenseBatch picked(JoinMatches matches, List<Batch> window, boolean withBuilt) {
    BatchMemory memory = new BatchMemory();
    try {
      DenseBatch result = new DenseBatch(matches.count(), columns.size(), memory);
      JoinMatches.Columns picks = matches.columns(memory);
      each(
          probed,
          (i, type) -> {
            List<DenseColumn> batches =
                window.stream().map(batch -> column(batch, i, type)).toList();
            set(result, probed.first() + i, picks.probe(batches), type, window.getLast(), i);
          });
      if (withBuilt) {
        each(
            built,
            (i, type) -> {
              DenseColumn picked = picks.build(column(held, i, type), outer);
              set(result, built.first() + i, picked, type, held, i);
            });
      }
      picks.launch();
      return result;
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  /**
   * The columns of pairs.
   *
   * @param rows the probe rows that make a pair
   */
  DenseBatch gathered(JoinPairs.Piece piece, DenseBatch rows, BatchMemory memory) {
    DenseBatch result = new DenseBatch(piece.count(), columns.size(), memory);
    each(
        probed,
        (i, type) -> {
          int field = probed.first() + i;
          gather(result, field, rows, field, type, piece.probeRows(), false);
        });
    each(
        built,
        (i, type) -> gather(result, built.first() + i, held, i, type, piece.buildRows(), outer));
    return result;
  }

  /** The columns of pairs that the host found. */
  DenseBatch copied(HostJoin.Pairs pairs) {
    BatchMemory memory = new BatchMemory();
    try {
      DenseBatch result = new DenseBatch(pairs.count(), columns.size(), memory);
      each(probed, (i, type) -> pairs.copyProbed(result, probed.first() + i, i, type));
      each(built, (i, type) -> pairs.copyBuilt(result, built.first() + i, i, type));
      return result;
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  private void gather(
      DenseBatch result,
      int field,
      DenseBatch source,
      int sourceField,
      SqlTypeSpec type,
      DeviceBuffer indexes,
      boolean withNone) {
    DenseColumn from = column(source, sourceField, type);
    DenseColumn to = gather.column(from, indexes, result.rows(), withNone, result.memory());
    set(result, field, to, type, source, sourceField);
  }

  /** The fields of an input that are asked for. */
  private void each(JoinArm.Side input, BiConsumer<Integer, SqlTypeSpec> field) {
    List<SourceColumn> fields = input.source().columns();
    for (int i = 0; input.first() >= 0 && i < fields.size(); i++) {
      if (needed.get(input.first() + i)) {
        field.accept(i, fields.get(i).type());
      }
    }
  }

  private static DenseColumn column(Batch batch, int field, SqlTypeSpec type) {
    return new DenseColumn(Launching.element(type), batch.values(field), batch.validity(field));
  }

  private static void set(
      DenseBatch result,
      int field,
      DenseColumn column,
      SqlTypeSpec type,
      Batch source,
      int sourceField) {
    result.set(field, column.values(), column.validity());
    if (type.kind().isString()) {
      result.strings(field, source.strings(sourceField));
    }
  }
}
