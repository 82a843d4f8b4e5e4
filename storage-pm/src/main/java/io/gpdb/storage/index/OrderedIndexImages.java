package io.gpdb.storage.index;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.home.RootImage.PageImage;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Function;

/**
 * Leaves of an {@link OrderedIndex} in a home image: pages in the order of their entries, with
 * their place as their number. A leaf without entries is left out.
 */
final class OrderedIndexImages {
  private final Function<Chunk, Extent> writer;
  private final IdentityHashMap<OrderedLeaf, Written> written = new IdentityHashMap<>();

  private record Written(Extent extent, int entryCount) {}

  OrderedIndexImages(Function<Chunk, Extent> writer) {
    this.writer = writer;
  }

  /** Writes a leaf unless that was done; nobody changes it meanwhile. */
  private Written written(OrderedLeaf leaf) {
    Written known = written.get(leaf);
    if (known == null) {
      int entries = OrderedLeaf.count(leaf.bytes());
      known = new Written(writer.apply(leaf.chunk()), entries);
      written.put(leaf, known);
    }
    return known;
  }

  /** Whether it has entries, which are written then. */
  boolean write(OrderedLeaf leaf) {
    boolean hasSome = OrderedLeaf.count(leaf.bytes()) > 0;
    if (hasSome) {
      written(leaf);
    }
    return hasSome;
  }

  IndexImage image(OrderedLeaf[] leaves) {
    List<PageImage> pages = new ArrayList<>();
    for (OrderedLeaf leaf : leaves) {
      if (written.containsKey(leaf) || OrderedLeaf.count(leaf.bytes()) > 0) {
        Written image = written(leaf);
        pages.add(new PageImage(pages.size(), 0, image.entryCount, image.extent));
      }
    }
    return new IndexImage(pages, List.of(), List.of());
  }

  /** The leaves of an image; CORRUPTION where they cannot be ones. */
  static OrderedLeaf[] load(
      SpaceMemory space, Chunk.Owner owner, List<PageImage> pages, String place) {
    OrderedLeaf[] loaded = new OrderedLeaf[pages.size()];
    for (int i = 0; i < loaded.length; i++) {
      PageImage page = pages.get(i);
      long bytes = page.entries().bytes();
      boolean possible =
          page.number() == i
              && page.depth() == 0
              && page.entryCount() > 0
              && Long.bitCount(bytes) == 1
              && bytes >= OrderedIndexLayout.LEAF_BYTES_MIN
              && bytes <= OrderedIndexLayout.LEAF_BYTES_MAX;
      if (!possible) {
        throw new GpdbException(
            ErrorCode.CORRUPTION, place + ": index directory is damaged: " + page);
      }
      Chunk chunk = new Chunk(space, owner, page.entries());
      loaded[i] = new OrderedLeaf(chunk, i == 0 ? OrderedLeaf.least() : null);
    }
    return loaded;
  }

  static long entryCount(List<PageImage> pages) {
    return pages.stream().mapToLong(PageImage::entryCount).sum();
  }
}
