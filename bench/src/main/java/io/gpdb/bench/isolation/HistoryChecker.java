package io.gpdb.bench.isolation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the anomalies of a history of list appends, as Elle does (Kingsbury, Alvaro: Elle, VLDB
 * 2020). The longest read of a list shows the order of its appends; from it follow the dependencies
 * ww, wr and rw, and real time adds its own. The last transaction is to read every list that
 * matters, so that no append is unknown.
 *
 * <p>Bounds: a history has at most {@link #TRANSACTIONS_MAX} transactions, and at most {@link
 * #EXAMPLES_MAX} cycles of a kind are reported. Within them every cycle of the graph is in a
 * component that is looked at: a history with a cycle is never called clean. What is not
 * distinguished: anomalies of predicates (the lists are found by key), and which of several cycles
 * through one rw is meant beyond the first that fits the strongest name.
 */
public final class HistoryChecker {
  public static final int TRANSACTIONS_MAX = 20_000;
  public static final int EXAMPLES_MAX = 3;

  private final List<ListTransaction> history;
  private final List<Anomaly> anomalies = new ArrayList<>();
  private final Map<Integer, Writer> writers = new HashMap<>();
  private final Map<Integer, List<Integer>> orders = new HashMap<>();
  private final DependencyGraph graph;

  /**
   * Which transaction appended an element, and whether the transaction appended another one after
   * it.
   */
  private record Writer(ListTransaction transaction, int key, boolean last) {}

  private HistoryChecker(List<ListTransaction> history) {
    this.history = history;
    this.graph = new DependencyGraph(history.size());
  }

  /** All that is wrong with the history, by whatever level. */
  public static List<Anomaly> check(List<ListTransaction> history) {
    if (history.size() > TRANSACTIONS_MAX) {
      throw new IllegalArgumentException(
          "transactions=" + history.size() + ", limit=" + TRANSACTIONS_MAX);
    }
    HistoryChecker checker = new HistoryChecker(history);
    checker.noteWriters();
    checker.judgeReads();
    checker.findLost();
    checker.link();
    checker.graph.cycles(EXAMPLES_MAX, checker.anomalies::add);
    return checker.anomalies;
  }

  private void found(AnomalyKind kind, String description) {
    anomalies.add(new Anomaly(kind, description));
  }

  private void noteWriters() {
    for (int i = 0; i < history.size(); i++) {
      ListTransaction t = history.get(i);
      if (t.id() != i) {
        throw new IllegalArgumentException("transaction " + i + " has the id " + t.id());
      }
      Map<Integer, Integer> lastOfKey = new HashMap<>();
      for (ListOperation operation : t.operations()) {
        if (operation instanceof ListOperation.Append append) {
          Integer before = lastOfKey.put(append.key(), append.element());
          if (before != null) {
            writers.put(before, new Writer(t, append.key(), false));
          }
          if (writers.put(append.element(), new Writer(t, append.key(), true)) != null) {
            throw new IllegalArgumentException("element twice appended: " + append);
          }
        }
      }
    }
  }

  private void judgeReads() {
    for (ListTransaction t : history) {
      if (!t.committed()) {
        continue;
      }
      Map<Integer, List<Integer>> own = new HashMap<>();
      Map<Integer, List<Integer>> before = new HashMap<>();
      for (ListOperation operation : t.operations()) {
        switch (operation) {
          case ListOperation.Append append -> {
            own.computeIfAbsent(append.key(), k -> new ArrayList<>()).add(append.element());
            before.computeIfPresent(append.key(), (k, list) -> with(list, append.element()));
          }
          case ListOperation.Read read -> {
            judge(t, read, own.getOrDefault(read.key(), List.of()));
            List<Integer> expected = before.put(read.key(), read.elements());
            if (expected != null && !expected.equals(read.elements())) {
              found(
                  AnomalyKind.UNREPEATABLE_READ,
                  "T" + t.id() + " expected " + expected + " and read " + read);
            }
          }
        }
      }
    }
  }

  private static List<Integer> with(List<Integer> list, int element) {
    List<Integer> longer = new ArrayList<>(list);
    longer.add(element);
    return longer;
  }

  private void judge(ListTransaction t, ListOperation.Read read, List<Integer> own) {
    List<Integer> elements = read.elements();
    Set<Integer> seen = new HashSet<>();
    for (int element : elements) {
      Writer writer = writers.get(element);
      if (writer == null || writer.key != read.key() || !seen.add(element)) {
        found(AnomalyKind.WRONG_ELEMENT, "T" + t.id() + ": " + element + " in " + read);
      } else if (writer.transaction.id() != t.id() && !writer.transaction.committed()) {
        found(
            AnomalyKind.G1A,
            "T" + t.id() + ": " + element + " of T" + writer.transaction.id() + " in " + read);
      }
    }
    int others = elements.size() - own.size();
    if (others < 0 || !elements.subList(others, elements.size()).equals(own)) {
      found(AnomalyKind.OWN_APPEND_UNSEEN, "T" + t.id() + " appended " + own + " and read " + read);
    } else if (others > 0) {
      Writer last = writers.get(elements.get(others - 1));
      if (last != null && last.transaction.id() != t.id() && !last.last) {
        found(
            AnomalyKind.G1B,
            "T" + t.id() + " read " + read + ", not all of T" + last.transaction.id());
      }
    }
    noteOrder(t, read);
  }

  private void noteOrder(ListTransaction t, ListOperation.Read read) {
    List<Integer> known = orders.getOrDefault(read.key(), List.of());
    List<Integer> elements = read.elements();
    int common = Math.min(known.size(), elements.size());
    if (!known.subList(0, common).equals(elements.subList(0, common))) {
      found(
          AnomalyKind.INCOMPATIBLE_ORDER,
          "T" + t.id() + " read " + read + ", another one " + known);
    } else if (elements.size() > known.size() || known.isEmpty()) {
      orders.put(read.key(), elements);
    }
  }

  /** A list that a read-only transaction at the end of the history has read misses nothing. */
  private void findLost() {
    ListTransaction last = history.isEmpty() ? null : history.getLast();
    if (last == null) {
      return;
    }
    for (ListOperation operation : last.operations()) {
      if (operation instanceof ListOperation.Read read) {
        Set<Integer> there = new HashSet<>(read.elements());
        writers.forEach(
            (element, writer) -> {
              if (writer.key == read.key()
                  && writer.transaction.committed()
                  && writer.transaction.endedNanos() <= last.begunNanos()
                  && !there.contains(element)) {
                found(
                    AnomalyKind.LOST_APPEND,
                    "T" + writer.transaction.id() + " appended " + element + " to " + read.key());
              }
            });
      }
    }
  }

  private void link() {
    orders.forEach(this::linkWrites);
    for (ListTransaction t : history) {
      if (t.committed()) {
        for (ListOperation operation : t.operations()) {
          if (operation instanceof ListOperation.Read read) {
            linkRead(t, read);
          }
        }
      }
    }
    linkTimes();
  }

  private @Nullable ListTransaction committedWriter(int element) {
    Writer writer = writers.get(element);
    return writer == null || !writer.transaction.committed() ? null : writer.transaction;
  }

  private boolean isBy(ListTransaction t, int element) {
    Writer writer = writers.get(element);
    return writer != null && writer.transaction.id() == t.id();
  }

  private void linkWrites(int key, List<Integer> order) {
    for (int i = 1; i < order.size(); i++) {
      ListTransaction earlier = committedWriter(order.get(i - 1));
      ListTransaction later = committedWriter(order.get(i));
      if (earlier != null && later != null) {
        graph.add(
            earlier.id(),
            later.id(),
            Dependency.WW,
            "list " + key + ": " + order.get(i - 1) + ", " + order.get(i));
      }
    }
  }

  private void linkRead(ListTransaction t, ListOperation.Read read) {
    List<Integer> elements = read.elements();
    int others = elements.size();
    while (others > 0 && isBy(t, elements.get(others - 1))) {
      others--;
    }
    if (others > 0) {
      ListTransaction writer = committedWriter(elements.get(others - 1));
      if (writer != null) {
        graph.add(writer.id(), t.id(), Dependency.WR, "read " + elements.get(others - 1));
      }
    }
    List<Integer> order = orders.getOrDefault(read.key(), List.of());
    if (order.size() > elements.size() && order.subList(0, elements.size()).equals(elements)) {
      int missed = order.get(elements.size());
      ListTransaction writer = committedWriter(missed);
      if (writer != null) {
        graph.add(t.id(), writer.id(), Dependency.RW, "did not read " + missed);
      }
    }
  }

  /** A beginning or an end. */
  private record Event(long nanos, boolean ends, ListTransaction transaction) {}

  /**
   * Links transactions that had ended to those that begin, leaving out what follows from other
   * links: of those ended, only the newest, which no other one of them came after as a whole, are
   * linked.
   */
  private void linkTimes() {
    List<Event> events = new ArrayList<>();
    for (ListTransaction t : history) {
      if (t.committed()) {
        events.add(new Event(t.begunNanos(), false, t));
        events.add(new Event(t.endedNanos(), true, t));
      }
    }
    events.sort(Comparator.comparingLong(Event::nanos).thenComparing(Event::ends));
    List<ListTransaction> ended = new ArrayList<>();
    for (Event event : events) {
      ListTransaction t = event.transaction;
      if (event.ends) {
        ended.removeIf(before -> before.endedNanos() < t.begunNanos());
        ended.add(t);
      } else {
        for (ListTransaction before : ended) {
          graph.add(before.id(), t.id(), Dependency.TIME, "ended before");
        }
      }
    }
  }
}
