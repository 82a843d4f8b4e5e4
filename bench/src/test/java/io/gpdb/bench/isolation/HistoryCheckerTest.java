package io.gpdb.bench.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.txn.api.IsolationLevel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Histories by hand: keys 1 and 2, elements named by their key (11, 12, … are of key 1). */
class HistoryCheckerTest {
  private static final int X = 1;
  private static final int Y = 2;

  private final List<ListTransaction> history = new ArrayList<>();

  private static ListOperation append(int element) {
    return new ListOperation.Append(element / 10, element);
  }

  private static ListOperation read(int key, Integer... elements) {
    return new ListOperation.Read(key, Arrays.asList(elements));
  }

  /** All of them at the same time. */
  private HistoryCheckerTest committed(ListOperation... operations) {
    return during(0, 100, operations);
  }

  private HistoryCheckerTest during(long begun, long ended, ListOperation... operations) {
    history.add(new ListTransaction(history.size(), List.of(operations), true, begun, ended));
    return this;
  }

  private HistoryCheckerTest aborted(ListOperation... operations) {
    history.add(new ListTransaction(history.size(), List.of(operations), false, 0, 100));
    return this;
  }

  private List<AnomalyKind> kinds() {
    return HistoryChecker.check(history).stream().map(Anomaly::kind).distinct().toList();
  }

  @Test
  void aSerialHistoryIsClean() {
    during(0, 1, append(11), append(21))
        .during(2, 3, read(X, 11), append(12), read(X, 11, 12))
        .during(4, 5, read(Y, 21), append(22), append(23))
        .during(6, 7, read(X, 11, 12), read(Y, 21, 22, 23));
    assertThat(kinds()).isEmpty();
  }

  @Test
  void concurrentTransactionsInSomeOrderAreClean() {
    committed(read(X), append(21)).committed(append(11)).committed(read(X, 11), read(Y, 21));
    committed(read(Y), read(X));
    assertThat(kinds()).isEmpty();
  }

  @Test
  void undoneAppendsThatNobodySawAreClean() {
    aborted(append(11), read(X, 11)).committed(append(12)).committed(read(X, 12));
    assertThat(kinds()).isEmpty();
  }

  @Test
  void g0() {
    committed(append(11), append(21)).committed(append(12), append(22));
    committed(read(X, 11, 12), read(Y, 22, 21));
    assertThat(kinds()).contains(AnomalyKind.G0).doesNotContain(AnomalyKind.G2_ITEM);
  }

  @Test
  void g1a() {
    aborted(append(11)).committed(read(X, 11));
    assertThat(kinds()).containsExactly(AnomalyKind.G1A);
  }

  @Test
  void g1b() {
    committed(append(11), append(12)).committed(read(X, 11)).committed(read(X, 11, 12));
    assertThat(kinds()).contains(AnomalyKind.G1B);
  }

  @Test
  void g1c() {
    committed(append(11), read(Y, 21)).committed(append(21), read(X, 11));
    assertThat(kinds()).containsExactly(AnomalyKind.G1C);
  }

  @Test
  void g1cOverAnOverwrite() {
    committed(append(11), read(Y, 21)).committed(append(12), append(21));
    committed(read(X, 11, 12));
    assertThat(kinds()).containsExactly(AnomalyKind.G1C);
  }

  @Test
  void gSingle() {
    committed(append(11), append(21)).committed(read(X), read(Y, 21)).committed(read(X, 11));
    assertThat(kinds()).containsExactly(AnomalyKind.G_SINGLE);
  }

  @Test
  void lostUpdateIsGSingle() {
    committed(read(X), append(11)).committed(read(X), append(12)).committed(read(X, 11, 12));
    assertThat(kinds()).containsExactly(AnomalyKind.G_SINGLE);
  }

  @Test
  void g2ItemAsWriteSkew() {
    committed(read(X), append(21)).committed(read(Y), append(11));
    committed(read(X, 11), read(Y, 21));
    assertThat(kinds()).containsExactly(AnomalyKind.G2_ITEM);
    assertThat(AnomalyKind.G2_ITEM.isForbiddenAt(IsolationLevel.SNAPSHOT)).isFalse();
    assertThat(AnomalyKind.G2_ITEM.isForbiddenAt(IsolationLevel.SERIALIZABLE)).isTrue();
  }

  @Test
  void theReadOnlyAnomalyIsG2Item() {
    during(0, 50, read(X), read(Y), append(11));
    during(0, 10, append(21));
    during(20, 40, read(X), read(Y, 21));
    during(60, 70, read(X, 11), read(Y, 21));
    assertThat(kinds()).containsExactly(AnomalyKind.G2_ITEM);
  }

  /** rw, wr, rw, wr: two reading pairs that saw two independent writers in opposite orders. */
  @Test
  void longForkIsGNonadjacent() {
    committed(append(11)).committed(append(21));
    committed(read(X, 11), read(Y)).committed(read(X), read(Y, 21));
    committed(read(X, 11), read(Y, 21));
    assertThat(kinds()).containsExactly(AnomalyKind.G_NONADJACENT);
    assertThat(AnomalyKind.G_NONADJACENT.isForbiddenAt(IsolationLevel.SNAPSHOT)).isTrue();
    assertThat(AnomalyKind.G_NONADJACENT.isForbiddenAt(IsolationLevel.READ_COMMITTED)).isFalse();
  }

  @Test
  void aStaleReadInRealTimeIsACycle() {
    during(0, 10, append(11)).during(20, 30, read(X)).during(40, 50, read(X, 11));
    assertThat(kinds()).containsExactly(AnomalyKind.G_SINGLE);
  }

  @Test
  void aReadOfTheFutureIsACycle() {
    during(0, 10, read(X, 11)).during(20, 30, append(11));
    assertThat(kinds()).containsExactly(AnomalyKind.G1C);
  }

  @Test
  void realTimeLinksReachOverTransactionsInBetween() {
    during(0, 10, append(11)).during(12, 13, append(21)).during(14, 15, append(22));
    during(20, 30, read(X)).during(40, 50, read(X, 11), read(Y, 21, 22));
    assertThat(kinds()).containsExactly(AnomalyKind.G_SINGLE);
  }

  @Test
  void aLostAppend() {
    during(0, 10, append(11)).during(0, 10, append(12)).during(20, 30, read(X, 12));
    assertThat(kinds()).contains(AnomalyKind.LOST_APPEND);
  }

  @Test
  void aDoubledAndAnUnknownElement() {
    committed(append(11)).committed(read(X, 11, 11));
    assertThat(kinds()).contains(AnomalyKind.WRONG_ELEMENT);
    history.clear();
    committed(read(X, 15));
    assertThat(kinds()).contains(AnomalyKind.WRONG_ELEMENT);
    history.clear();
    committed(append(21)).committed(read(X, 21));
    assertThat(kinds()).contains(AnomalyKind.WRONG_ELEMENT);
  }

  @Test
  void readsThatDisagreeAboutTheOrder() {
    committed(append(11)).committed(append(12)).committed(read(X, 11, 12));
    committed(read(X, 12, 11));
    assertThat(kinds()).contains(AnomalyKind.INCOMPATIBLE_ORDER);
  }

  @Test
  void anOwnAppendThatIsNotSeen() {
    committed(append(11), read(X)).committed(read(X, 11));
    assertThat(kinds()).contains(AnomalyKind.OWN_APPEND_UNSEEN);
  }

  @Test
  void aReadThatCannotBeRepeated() {
    committed(append(11)).committed(read(X), read(X, 11));
    assertThat(kinds()).contains(AnomalyKind.UNREPEATABLE_READ);
    assertThat(AnomalyKind.UNREPEATABLE_READ.isForbiddenAt(IsolationLevel.READ_COMMITTED))
        .isFalse();
  }

  @Test
  void tooLongAHistoryIsRefused() {
    for (int i = 0; i <= HistoryChecker.TRANSACTIONS_MAX; i++) {
      committed(read(X));
    }
    assertThatThrownBy(this::kinds).hasMessageContaining("limit");
  }

  /** Whatever one thread does after the other is clean; swapping two reads of it mostly is not. */
  @Test
  void randomSerialHistoriesAreCleanAndTheirForgeriesAreNot() {
    Random random = new Random(7);
    int caught = 0;
    for (int round = 0; round < 200; round++) {
      history.clear();
      List<List<Integer>> lists = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      int element = 0;
      for (int t = 0; t < 30; t++) {
        List<ListOperation> operations = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
          int key = random.nextInt(3);
          if (random.nextBoolean()) {
            lists.get(key).add(++element);
            operations.add(new ListOperation.Append(key, element));
          } else {
            operations.add(new ListOperation.Read(key, lists.get(key)));
          }
        }
        during(10L * t, 10L * t + 5, operations.toArray(ListOperation[]::new));
      }
      assertThat(kinds()).isEmpty();
      caught += forge(random) && !kinds().isEmpty() ? 1 : 0;
    }
    assertThat(caught).isGreaterThan(120);
  }

  /** Takes the last element away from a read, so that it is stale or cut. */
  private boolean forge(Random random) {
    for (int tries = 0; tries < 50; tries++) {
      ListTransaction t = history.get(random.nextInt(history.size()));
      for (int i = 0; i < t.operations().size(); i++) {
        if (t.operations().get(i) instanceof ListOperation.Read read
            && !read.elements().isEmpty()) {
          List<ListOperation> operations = new ArrayList<>(t.operations());
          List<Integer> shorter = read.elements().subList(0, read.elements().size() - 1);
          operations.set(i, new ListOperation.Read(read.key(), shorter));
          history.set(
              t.id(),
              new ListTransaction(t.id(), operations, true, t.begunNanos(), t.endedNanos()));
          return true;
        }
      }
    }
    return false;
  }
}
