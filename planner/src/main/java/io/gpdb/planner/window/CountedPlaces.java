package io.gpdb.planner.window;

import io.gpdb.storage.error.StopSignal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The places of a partition that count: all of them, or those at which a value is not NULL. */
final class CountedPlaces {
  private static final int PLACES_BEGIN = 16;

  private final SortedRows rows;

  /** Null where all places count. */
  private final @Nullable WindowColumn value;

  private int[] places = new int[PLACES_BEGIN];
  private int count;
  private int from;

  CountedPlaces(SortedRows rows, @Nullable WindowColumn value) {
    this.rows = rows;
    this.value = value;
  }

  /** Begins a partition. */
  void begin(int partitionFrom, int partitionTo) {
    from = partitionFrom;
    count = value == null ? partitionTo - partitionFrom : 0;
    WindowColumn column = value;
    for (int place = partitionFrom; column != null && place < partitionTo; place++) {
      StopSignal.poll(place);
      if (!column.isNull(rows.row(place))) {
        if (count == places.length) {
          places = Arrays.copyOf(places, 2 * count);
        }
        places[count++] = place;
      }
    }
  }

  /** How many of the partition count. */
  int count() {
    return count;
  }

  /** The place that is the {@code i}-th to count, from 0. */
  int at(int i) {
    return value == null ? from + i : places[i];
  }

  /** How many of the partition count that are before a place. */
  int before(int place) {
    if (value == null) {
      return place - from;
    }
    int found = Arrays.binarySearch(places, 0, count, place);
    return found < 0 ? -found - 1 : found;
  }
}
