package io.gpdb.planner.statement;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterColumnsTest {
  private final ParameterColumns columns =
      new ParameterColumns(
          List.of(new ParameterDef(SqlTypeSpec.INTEGER), new ParameterDef(SqlTypeSpec.VARCHAR)));

  @ParameterizedTest
  @ValueSource(ints = {1, 31, 32, 33, 64, 65, 1000})
  void rowsLieAsATableStoresThem(int rows) {
    for (int batch = 0; batch < 2; batch++) {
      for (int i = 0; i < rows; i++) {
        columns.setLong(0, i - 5L);
        if (i % 7 == 6) {
          columns.setNull(0);
        }
        columns.setString(1, "row " + i);
        columns.addRow();
      }
      ColumnView data = columns.column(0).data(0, rows);
      assertThat(data.type()).isEqualTo(ElementType.I32);
      assertThat(data.values().bytes()).isEqualTo(4L * rows);
      for (int i = 0; i < rows; i++) {
        boolean there = i % 7 != 6;
        assertThat(!data.isNull(i)).isEqualTo(there);
        assertThat(columns.row(i).isNull(0)).isEqualTo(!there);
        assertThat(columns.row(i).raw(0)).isEqualTo(there ? i - 5 : 0);
        assertThat(columns.row(i).bytes(1)).asString().isEqualTo("row " + i);
      }
      assertThat(columns.column(0).hasNulls()).isEqualTo(rows > 6);
      columns.clearRows();
    }
    assertThat(columns.current().bytes(1)).asString().isEqualTo("row " + (rows - 1));
  }

  /** As a thread does that binds while another one runs the statement. */
  @Test
  void whatIsBoundLaterChangesNothingOfARowThatWasTakenOver() {
    columns.setLong(0, 1);
    columns.setString(1, "one");
    ParameterValues taken = columns.current();
    columns.setNull(0);
    columns.setString(1, "another");
    assertThat(taken.isNull(0)).isFalse();
    assertThat(taken.raw(0)).isEqualTo(1);
    assertThat(taken.bytes(1)).asString().isEqualTo("one");
    ParameterValues next = columns.current();
    assertThat(next.isNull(0)).isTrue();
    assertThat(next.bytes(1)).asString().isEqualTo("another");
  }

  @Test
  void aStringThatStaysBoundIsKeptOnce() {
    columns.setLong(0, 1);
    columns.setString(1, "x".repeat(100));
    for (int i = 0; i < 1000; i++) {
      columns.addRow();
    }
    assertThat(columns.column(1).arena().length).isLessThan(1000);
    assertThat(columns.row(999).bytes(1)).hasSize(100);
  }

  @Test
  void bytesOfTheCallerMayChangeOnceTheyAreBound() {
    byte[] bytes = {'a', 'b', 'c'};
    columns.setLong(0, 1);
    columns.setBytes(1, bytes, 1, 2);
    bytes[1] = 'x';
    assertThat(columns.current().bytes(1)).asString().isEqualTo("bc");
    columns.addRow();
    assertThat(columns.row(0).bytes(1)).asString().isEqualTo("bc");
  }

  @Test
  void partsOfABatchBeginAtWordsOfTheBitmap() {
    for (int i = 0; i < 100; i++) {
      columns.setLong(0, i);
      if (i == 65) {
        columns.setNull(0);
      }
      columns.setString(1, "");
      columns.addRow();
    }
    ColumnView part = columns.column(0).data(64, 36);
    assertThat(Bitmaps.count(Objects.requireNonNull(part.validity()).onHost(), 0, 36))
        .isEqualTo(35);
    assertThat(part.isNull(1)).isTrue();
    assertThat(part.raw(35)).isEqualTo(99);
  }

  @Test
  void stringsThatWereNotAddedTakeNoRoom() {
    String text = "x".repeat(1000);
    for (int i = 0; i < 10_000; i++) {
      columns.setString(1, text + i);
      assertThat(columns.column(1).arena().length).isLessThan(5000);
    }
  }
}
