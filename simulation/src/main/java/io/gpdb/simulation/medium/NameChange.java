package io.gpdb.simulation.medium;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A change of names that is not synced: a memory is created ({@code from} is null), deleted ({@code
 * to} is null) or renamed. A crash may find any of them done and any others not (A4).
 *
 * @param memory what is meant: a memory or its number
 */
record NameChange<M>(@Nullable String from, @Nullable String to, M memory) {
  /** The name that the change is about. */
  String name() {
    return to != null ? to : String.valueOf(from);
  }

  /** Applies the change to the names, whatever has become of changes before it. */
  void apply(Map<String, M> names) {
    if (to == null) {
      names.remove(from);
      return;
    }
    if (from != null) {
      names.values().removeIf(memory::equals); // a rename is whole: no memory has two names
    }
    names.put(to, memory);
  }

  <N> NameChange<N> map(Function<M, N> other) {
    return new NameChange<>(from, to, other.apply(memory));
  }
}
