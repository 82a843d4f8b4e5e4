package io.gpdb.txn.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RowMasksTest {
  @Test
  void rowsKeepTheirColumnsWhileTheTableGrows() {
    RowMasks masks = new RowMasks();
    TreeMap<Long, Long> model = new TreeMap<>();
    assertThat(masks.sortedRows()).isEmpty();
    assertThat(masks.union()).isZero();
    for (long i = 0; i < 400; i++) {
      long row = i * 4095 % 9000;
      long columns = 1L << (i % 40);
      assertThat(masks.add(row, columns)).isEqualTo(!model.containsKey(row));
      model.merge(row, columns, (a, b) -> a | b);
      assertThat(masks.count()).isEqualTo(model.size());
      assertThat(masks.mask(row)).isEqualTo(model.get(row));
    }
    model.forEach((row, columns) -> assertThat(masks.mask(row)).isEqualTo(columns));
    assertThat(masks.sortedRows())
        .isEqualTo(model.keySet().stream().mapToLong(Long::longValue).toArray());
    assertThat(masks.union()).isEqualTo(model.values().stream().reduce(0L, (a, b) -> a | b));
    assertThat(masks.mask(100_000)).isZero();
  }
}
