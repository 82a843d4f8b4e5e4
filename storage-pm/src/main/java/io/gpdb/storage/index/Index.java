package io.gpdb.storage.index;

import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.tablet.CheckpointWrites;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Leads from a key to the rows that may have it, its candidates.
 *
 * <p>A key is one raw value for each of the index's columns; some kinds hold keys with NULLs,
 * others have no entry for them. Entries are hints: whoever follows one compares the row with the
 * key. All rows that were inserted under a key are among its candidates, each once, by descending
 * row, so that a look-up can go on from the row found last, while others insert. Inserting an entry
 * again changes nothing.
 *
 * <p>Many threads may read and insert at once. Callers that insert hold no latch of the table.
 * Look-ups allocate nothing. See {@code docs/internals/indexes.md} for what must hold, and why.
 */
public sealed interface Index permits HashIndex, OrderedIndex {
  /**
   * The index that a table's image has, or an empty one. The one place that knows all kinds.
   *
   * @param types of the table's columns
   * @param strings of the table's columns
   */
  static Index create(
      SpaceMemory space,
      IndexShape shape,
      ElementType[] types,
      @Nullable Dictionary[] strings,
      String place,
      @Nullable IndexImage image) {
    return switch (shape.kind()) {
      case HASH -> new HashIndex(space, shape, place, image);
      case ORDERED -> new OrderedIndex(space, shape, types, strings, place, image);
    };
  }

  IndexShape shape();

  /** The columns of a key, in order; not to be changed. */
  int[] columns();

  default boolean isUnique() {
    return shape().unique();
  }

  /** Whether keys with a NULL have entries. They are nobody's duplicates. */
  boolean holdsNulls();

  /**
   * Inserts the row of each key under it, for all keys that may have an entry. Of a unique index,
   * notes in {@code suspects}, ascending, each i before whose insertion its key, without a NULL,
   * had a candidate that is another row; returns how many.
   *
   * @param workers share what is large
   */
  int insertAll(KeyBatch keys, int @Nullable [] suspects, SharedWork workers);

  /** As the calling thread does it alone. */
  default int insertAll(KeyBatch keys, int @Nullable [] suspects) {
    return insertAll(keys, suspects, SharedWork.ALONE);
  }

  /**
   * Inserts unless that very entry is there, or keys with a NULL have none; returns whether it was
   * inserted.
   *
   * @param nulls which columns are NULL; null where none is
   */
  boolean insert(long[] key, boolean @Nullable [] nulls, long row);

  /** Inserts a key without NULLs. */
  default boolean insert(long[] key, long row) {
    return insert(key, null, row);
  }

  /** Takes an entry out, when nobody can want it any more; returns whether it was there. */
  boolean remove(long[] key, long row);

  /** The candidate with the greatest row, or -1. */
  long firstCandidate(long[] key);

  /** The candidate with the next smaller row than {@code row}, or -1. */
  long nextCandidate(long[] key, long row);

  /**
   * First candidates of the keys {@code from} to {@code to} at once, into {@code rows}.
   *
   * @param keys one key after the other
   */
  void firstCandidates(long[] keys, int from, int to, long[] rows);

  /** Whether there is that entry. */
  boolean contains(long[] key, boolean @Nullable [] nulls, long row);

  default boolean contains(long[] key, long row) {
    return contains(key, null, row);
  }

  /** Entries, stale ones among them. */
  long entryCount();

  /** Bytes that an entry takes. */
  int entryBytes();

  /**
   * Writes what has changed to free extents, for a checkpoint that has copied the table's rows.
   * Others may insert meanwhile: the image has at least the entries from before.
   */
  IndexImage write(CheckpointWrites writes);

  /** Copies all entries into another home file, as {@link #write} does. */
  IndexImage copyTo(HomeImage target);

  /** The memory that it takes; nobody writes meanwhile. */
  void forEachChunk(Consumer<Chunk> action);

  /** Adds what is wrong with the index in itself. Nobody writes meanwhile. */
  void check(List<String> problems);

  /** Gives back all memory and space; the index is empty. */
  void discard();
}
