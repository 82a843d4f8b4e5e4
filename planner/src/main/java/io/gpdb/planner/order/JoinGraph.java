package io.gpdb.planner.order;

import java.util.ArrayList;
import java.util.List;

/** Relations and the links between them: a hypergraph. At most {@link #RELATIONS_MAX} relations. */
public final class JoinGraph {
  public static final int RELATIONS_MAX = 60;

  private final List<Relation> relations;
  private final List<JoinLink> links;
  private final long[] neighbours;
  private final List<JoinLink> wide = new ArrayList<>();

  public JoinGraph(List<Relation> relations, List<JoinLink> links) {
    if (relations.isEmpty() || relations.size() > RELATIONS_MAX) {
      throw new IllegalArgumentException(
          "relations=" + relations.size() + ", limit=" + RELATIONS_MAX);
    }
    this.relations = List.copyOf(relations);
    this.links = List.copyOf(links);
    neighbours = new long[relations.size()];
    for (JoinLink link : links) {
      if (Long.bitCount(link.left()) == 1 && Long.bitCount(link.right()) == 1) {
        neighbours[Long.numberOfTrailingZeros(link.left())] |= link.right();
        neighbours[Long.numberOfTrailingZeros(link.right())] |= link.left();
      } else {
        wide.add(link);
      }
    }
  }

  List<Relation> relations() {
    return relations;
  }

  int size() {
    return relations.size();
  }

  /** The sets of relations that no link connects with each other. */
  List<Long> parts() {
    List<Long> parts = new ArrayList<>();
    long rest = -1L >>> (Long.SIZE - relations.size());
    while (rest != 0) {
      long part = Long.lowestOneBit(rest);
      for (long before = 0; before != part; ) {
        before = part;
        for (JoinLink link : links) {
          long ends = link.left() | link.right();
          part |= (ends & part) == 0 ? 0 : ends;
        }
      }
      parts.add(part);
      rest &= ~part;
    }
    return parts;
  }

  List<JoinLink> between(long a, long b) {
    List<JoinLink> found = List.of();
    for (JoinLink link : links) {
      if (link.links(a, b)) {
        found = found.isEmpty() ? new ArrayList<>() : found;
        found.add(link);
      }
    }
    return found;
  }

  boolean areLinked(long a, long b) {
    for (JoinLink link : links) {
      if (link.links(a, b)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Relations next to the set and outside of the other one: of a link to several relations the
   * first one in place of all.
   */
  long neighbourhood(long set, long excluded) {
    long found = 0;
    for (long rest = set; rest != 0; rest &= rest - 1) {
      found |= neighbours[Long.numberOfTrailingZeros(rest)];
    }
    found &= ~(set | excluded);
    for (JoinLink link : wide) {
      found |= first(link.left(), link.right(), set, excluded);
      found |= first(link.right(), link.left(), set, excluded);
    }
    return found;
  }

  private static long first(long from, long to, long set, long excluded) {
    return (from & ~set) == 0 && (to & (set | excluded)) == 0 ? Long.lowestOneBit(to) : 0;
  }
}
