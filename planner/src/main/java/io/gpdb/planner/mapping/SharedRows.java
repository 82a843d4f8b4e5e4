package io.gpdb.planner.mapping;

import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.rewrite.SharedTree;
import io.gpdb.planner.run.SharedSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the places of one tree, its subqueries of one value included, share while it is mapped:
 * planned once for all of them, when the first place is mapped. A tree within it has rows of its
 * own beside those of the tree around it.
 */
final class SharedRows {
  static final SharedRows NONE = new SharedRows(null, Set.of());

  private final @Nullable SharedRows around;
  private final Set<SharedTree.Rows> own;
  private final Map<SharedTree.Rows, SharedSource> sources = new LinkedHashMap<>();

  private SharedRows(@Nullable SharedRows around, Set<SharedTree.Rows> own) {
    this.around = around;
    this.own = Set.copyOf(own);
  }

  /** Plans rows. */
  interface Planning {
    SharedSource planned(SharedTree.Rows rows, int number) throws NotCovered;
  }

  /** Those of a tree within; this where it has no others. */
  SharedRows within(Set<SharedTree.Rows> shared) {
    return shared.stream().allMatch(this::has) ? this : new SharedRows(this, shared);
  }

  private boolean has(SharedTree.Rows rows) {
    return own.contains(rows) || (around != null && around.has(rows));
  }

  SharedSource source(SharedTree.Rows rows, Planning planning) throws NotCovered {
    SharedRows outer = around;
    if (outer != null && outer.has(rows)) {
      return outer.source(rows, planning);
    }
    SharedSource known = sources.get(rows);
    if (known == null) {
      known = planning.planned(rows, sources.size() + 1);
      sources.put(rows, known);
    }
    return known;
  }

  /** All that were planned, without those of a tree around. */
  List<SharedSource> sources() {
    return List.copyOf(sources.values());
  }
}
