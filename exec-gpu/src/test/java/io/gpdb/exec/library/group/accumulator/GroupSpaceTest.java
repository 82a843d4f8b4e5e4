package io.gpdb.exec.library.group.accumulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class GroupSpaceTest {
  private static GroupSpace grown(GroupSpace space, long from, long to) {
    return Objects.requireNonNull(space.with(List.of(from), List.of(to), 1000, true));
  }

  private static void assertHolds(GroupSpace space, long from, long to) {
    assertThat(space.key(0, 0)).isLessThanOrEqualTo(from);
    assertThat(space.key(0, space.size() - 2)).isGreaterThanOrEqualTo(to);
    assertThat(space.isNull(0, space.size() - 1)).isTrue();
  }

  @Test
  void aSpaceGrowsUpToTheEndsOfTheNumbers() {
    GroupSpace nulls = GroupSpace.ofNulls(1);
    GroupSpace high = grown(nulls, Long.MAX_VALUE - 10, Long.MAX_VALUE - 5);
    assertHolds(grown(high, Long.MAX_VALUE, Long.MAX_VALUE), Long.MAX_VALUE - 10, Long.MAX_VALUE);
    GroupSpace low = grown(nulls, Long.MIN_VALUE + 5, Long.MIN_VALUE + 10);
    assertHolds(grown(low, Long.MIN_VALUE, Long.MIN_VALUE), Long.MIN_VALUE, Long.MIN_VALUE + 10);
  }

  @Test
  void aKeyThatGrowsGetsTwiceItsNumbers() {
    GroupSpace space = grown(grown(GroupSpace.ofNulls(1), 0, 9), 3, 10);
    assertThat(space.widths()).containsExactly(21L);
    assertThat(space.least()).containsExactly(0L);
  }

  @Test
  void thereIsNoSpaceForKeysTooFarApart() {
    GroupSpace nulls = GroupSpace.ofNulls(1);
    assertThat(nulls.with(List.of(0L), List.of(998L), 1000, false)).isNotNull();
    assertThat(nulls.with(List.of(0L), List.of(999L), 1000, false)).isNull();
    long most = 1L << 40;
    List<Long> least = List.of(Long.MIN_VALUE);
    assertThat(nulls.with(least, List.of(Long.MAX_VALUE), most, false)).isNull();
    assertThat(nulls.with(least, List.of(0L), most, false)).isNull();
  }
}
