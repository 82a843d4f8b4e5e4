package io.gpdb.storage.index;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.RootImage.PageImage;
import io.gpdb.storage.tablet.Chunk;
import io.gpdb.storage.tablet.SpaceMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The directory of a {@link HashIndex}: 2^bits places, by the first bits of the hash. A page of
 * depth d has 2^(bits - d) places next to each other.
 */
final class HashIndexDirectory {
  static final int DEPTH_MAX = HashIndexLayout.PREFIX_BITS - HashIndexLayout.PAGE_BUCKET_BITS_MAX;

  private HashIndexDirectory() {}

  /** The directory of pages that an image has; CORRUPTION where they do not make one. */
  static HashIndexPage[] load(
      SpaceMemory space, Chunk.Owner owner, List<PageImage> images, String place) {
    int bits = 0;
    for (PageImage page : images) {
      bits = Math.max(bits, page.depth());
    }
    if (bits > DEPTH_MAX) {
      throw damaged(place, "depth=" + bits);
    }
    HashIndexPage[] loaded = new HashIndexPage[1 << bits];
    for (PageImage p : images) {
      if (!isPossible(p)) {
        throw damaged(place, p.toString());
      }
      Chunk chunk = new Chunk(space, owner, p.entries());
      place(loaded, bits, new HashIndexPage(chunk, p.number(), p.depth(), p.entryCount()));
    }
    if (Arrays.asList(loaded).contains(null)) {
      throw damaged(place, "a page is missing");
    }
    return loaded;
  }

  private static boolean isPossible(PageImage page) {
    long bytes = page.entries().bytes();
    return Long.bitCount(bytes) == 1
        && bytes >= HashIndexLayout.BUCKET_BYTES
        && bytes <= HashIndexLayout.PAGE_BYTES_MAX
        && page.depth() >= 0
        && page.number() >= 0
        && page.number() < 1 << page.depth();
  }

  private static GpdbException damaged(String place, String what) {
    return new GpdbException(ErrorCode.CORRUPTION, place + ": index directory is damaged: " + what);
  }

  /** All pages, each once, in the order of their places. */
  static List<HashIndexPage> pages(HashIndexPage[] directory) {
    List<HashIndexPage> pages = new ArrayList<>();
    for (HashIndexPage page : directory) {
      if (pages.isEmpty() || pages.getLast() != page) {
        pages.add(page);
      }
    }
    return pages;
  }

  /** The least depth of all pages; 0 where there are none. */
  static int leastDepth(HashIndexPage[] directory) {
    int least = directory.length == 0 ? 0 : DEPTH_MAX;
    for (HashIndexPage page : directory) {
      least = Math.min(least, page.depth());
    }
    return least;
  }

  /** Puts the page into all of its places. */
  static void place(@Nullable HashIndexPage[] directory, int bits, HashIndexPage page) {
    int copies = 1 << (bits - page.depth());
    int first = page.prefix() << (bits - page.depth());
    Arrays.fill(directory, first, first + copies, page);
  }
}
