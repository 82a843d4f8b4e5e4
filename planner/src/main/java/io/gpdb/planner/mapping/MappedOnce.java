package io.gpdb.planner.mapping;

import io.gpdb.planner.expression.NotCovered;
import java.util.IdentityHashMap;
import org.apache.calcite.rel.RelNode;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one tree as pipelines, or why no operator of ours covers them, each found once. For
 * one thread.
 */
final class MappedOnce {
  private final IdentityHashMap<RelNode, Pipeline> mapped = new IdentityHashMap<>();
  private final IdentityHashMap<RelNode, NotCovered> refused = new IdentityHashMap<>();

  /** How a node becomes a pipeline. */
  @FunctionalInterface
  interface Mapping {
    Pipeline of(RelNode node) throws NotCovered;
  }

  Pipeline of(RelNode node, Mapping mapping) throws NotCovered {
    Pipeline known = mapped.get(node);
    if (known != null) {
      return known;
    }
    NotCovered reason = refused.get(node);
    if (reason != null) {
      throw reason;
    }
    try {
      Pipeline made = mapping.of(node);
      mapped.put(node, made);
      return made;
    } catch (NotCovered e) {
      refused.put(node, e);
      throw e;
    }
  }

  /** The node's pipeline, null where it was not asked for or is not covered. */
  @Nullable Pipeline known(RelNode node) {
    return mapped.get(node);
  }
}
