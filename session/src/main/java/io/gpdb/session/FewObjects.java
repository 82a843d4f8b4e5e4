package io.gpdb.session;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Objects by identity, each once. Mostly there are one or two, and the last one that was added is
 * the first to be removed.
 */
final class FewObjects<T> {
  private @Nullable Object[] objects = new @Nullable Object[2];
  private int count;

  boolean isEmpty() {
    return count == 0;
  }

  void add(T object) {
    if (find(object) < 0) {
      if (count == objects.length) {
        objects = Arrays.copyOf(objects, count * 2);
      }
      objects[count++] = object;
    }
  }

  /** Whether it was there. */
  boolean remove(T object) {
    int at = find(object);
    if (at >= 0) {
      objects[at] = objects[--count];
      objects[count] = null;
    }
    return at >= 0;
  }

  @SuppressWarnings("ReferenceEquality") // by identity
  private int find(T object) {
    int at = count - 1;
    while (at >= 0 && objects[at] != object) {
      at--;
    }
    return at;
  }

  /** Those that are there now; they may be removed meanwhile. */
  @SuppressWarnings("unchecked")
  List<T> copy() {
    return count == 0 ? List.of() : List.of((T[]) Arrays.copyOf(objects, count));
  }

  void clear() {
    Arrays.fill(objects, 0, count, null);
    count = 0;
  }
}
