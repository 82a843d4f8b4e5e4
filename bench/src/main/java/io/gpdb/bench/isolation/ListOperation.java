package io.gpdb.bench.isolation;

import java.util.List;

/** What a transaction does to the list of a key. */
public sealed interface ListOperation {
  int key();

  /** Appends an element that no other append has. */
  record Append(int key, int element) implements ListOperation {}

  /** Reads the whole list. */
  record Read(int key, List<Integer> elements) implements ListOperation {
    public Read {
      elements = List.copyOf(elements);
    }
  }
}
