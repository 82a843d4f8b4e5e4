package io.gpdb.planner.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchWindows;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.run.CopySource;
import io.gpdb.planner.run.FieldsSource;
import io.gpdb.planner.run.ToldSource;
import io.gpdb.planner.run.UnionSource;
import io.gpdb.sql.type.GpTypes;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.type.SqlTypeName;
import org.junit.jupiter.api.Test;

/** Whoever asks for all rows of an operator asks for all of what is below it. */
class ExpectedWholeTest {
  private static Batches open(Source source) {
    BitSet needed = new BitSet();
    needed.set(0);
    return source.open(new Execution(null, null, null, null), needed);
  }

  private static void read(Source source, boolean whole) {
    try (Batches batches = open(source)) {
      if (whole) {
        batches.expectAll();
      }
      assertThat(batches.next()).isNull();
    }
  }

  /** Whether all is asked for of what is below an operator, where all is asked for of that. */
  private static void check(Source source, ToldSource... below) {
    read(source, false);
    assertThat(below).allMatch(rows -> rows.opened() == 1 && rows.expected() == 0);
    read(source, true);
    assertThat(below).allMatch(rows -> rows.opened() == 2 && rows.expected() == 1);
  }

  @Test
  void fieldsInAnotherOrder() {
    ToldSource rows = new ToldSource(0);
    check(new FieldsSource(rows, new int[] {0}, rows.columns()), rows);
  }

  @Test
  void fieldsInAnotherOrderComeTogether() {
    ToldSource rows = new ToldSource(3);
    FieldsSource fields = new FieldsSource(rows, new int[] {0}, rows.columns());
    try (BatchWindows windows = new BatchWindows(open(fields))) {
      List<Batch> window = windows.next(1);
      assertThat(window).hasSize(3);
      assertThat(windows.next(1)).isEmpty();
    }
  }

  @Test
  void eachInputOfAUnion() {
    ToldSource one = new ToldSource(0);
    ToldSource other = new ToldSource(0);
    check(new UnionSource(one.columns(), List.of(one, other)), one, other);
  }

  @Test
  void copies() {
    ToldSource rows = new ToldSource(0);
    check(new CopySource(rows), rows);
  }

  @Test
  void whatTheHostComputes() throws NotCovered {
    ToldSource rows = new ToldSource(0);
    RexBuilder rex = new RexBuilder(GpTypes.FACTORY);
    check(
        new HostProjectSource(
            tree -> {
              throw new IllegalStateException("no queries");
            },
            rex,
            rows,
            null,
            List.of(rex.makeInputRef(rex.getTypeFactory().createSqlType(SqlTypeName.INTEGER), 0)),
            rows.columns()),
        rows);
  }
}
