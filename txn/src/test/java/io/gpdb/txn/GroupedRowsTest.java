package io.gpdb.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.library.base.Scratch;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.GroupedRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Rows in groups by tablet are those of the list, in its order, each with its position. */
class GroupedRowsTest {
  private static final int TABLETS = 5;

  @Test
  void groupsHoldTheirTabletsRowsInOrder() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      long[] rowIds = rowIds(random);
      int[] chosen = random.ints(0, rowIds.length).distinct().limit(random.nextInt(40)).toArray();
      if (random.nextBoolean()) {
        Arrays.sort(chosen);
      }
      try (Scratch memory = new Scratch()) {
        GroupedRows grouped = GroupedRows.of(rowIds, chosen, chosen.length, TABLETS, memory);
        assertThat(found(grouped)).as("seed " + seed).isEqualTo(expected(rowIds, chosen));
      }
    }
  }

  /** Ascending, or in any order. */
  private static long[] rowIds(Random random) {
    long[] rowIds = random.longs(0, TABLETS * (long) Tablet.ROWS).distinct().limit(60).toArray();
    if (random.nextBoolean()) {
      Arrays.sort(rowIds);
    }
    return rowIds;
  }

  private static List<String> expected(long[] rowIds, int[] chosen) {
    TreeMap<Long, List<String>> byTablet = new TreeMap<>();
    for (int position : chosen) {
      long row = rowIds[position];
      byTablet
          .computeIfAbsent(row / Tablet.ROWS, _ -> new ArrayList<>())
          .add(row / Tablet.ROWS + ":" + row % Tablet.ROWS + "@" + position);
    }
    return byTablet.values().stream().flatMap(List::stream).toList();
  }

  private static List<String> found(GroupedRows grouped) {
    List<String> found = new ArrayList<>();
    for (int group = 0; group < grouped.groupCount(); group++) {
      for (int i = 0; i < grouped.count(group); i++) {
        int at = grouped.start(group) + i;
        found.add(
            grouped.tablet(group)
                + ":"
                + grouped.rows(group).intAt(i)
                + "@"
                + grouped.positions(group).intAt(i));
        assertThat(grouped.rows().intAt(at)).isEqualTo(grouped.rows(group).intAt(i));
      }
    }
    return found;
  }
}
