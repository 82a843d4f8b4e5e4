package io.gpdb.storage.home;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.RootImage.DictionaryImage;
import io.gpdb.storage.home.RootImage.IndexImage;
import io.gpdb.storage.home.RootImage.TableImage;
import io.gpdb.storage.home.RootImage.TabletImage;
import io.gpdb.storage.memory.Checksum;
import io.gpdb.storage.memory.PersistentMemory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a home file without opening the database in it: superblocks, the current root directory,
 * and every extent that it names. An extent must be inside the file, behind the superblocks,
 * overlap no other one and match its checksum. Bytes that the current root does not name are free
 * or belong to the older root, so that every byte of the file is accounted for.
 */
public final class HomeCheck {
  private static final int PIECE_BYTES = 1 << 16;

  private final PersistentMemory memory;
  private final List<String> problems;
  private final List<Use> uses = new ArrayList<>();

  /** Long enough for the longest extent read so far, or for a piece of it. */
  private byte[] piece = {};

  /** What an extent belongs to, numbered: {@code outer=a, inner=b kind}. */
  private record Use(Extent extent, int tableId, String outer, int a, String inner, int b) {
    String place() {
      return tableId < 0
          ? outer
          : "table=" + tableId + ", " + outer + "=" + a + (b < 0 ? inner : inner + "=" + b);
    }
  }

  public HomeCheck(PersistentMemory memory, List<String> problems) {
    this.memory = memory;
    this.problems = problems;
  }

  /** The current root, when there is one that can be read. */
  public @Nullable RootImage run() {
    if (memory.sizeBytes() < SuperblockLayout.EXTENTS_OFFSET) {
      problems.add(
          "%s: file is too short: sizeBytes=%d, atLeast=%d"
              .formatted(memory.name(), memory.sizeBytes(), SuperblockLayout.EXTENTS_OFFSET));
      return null;
    }
    Superblock current = null;
    for (int slot = 0; slot < SuperblockLayout.COUNT; slot++) {
      Superblock found = superblock(slot);
      if (found != null && (current == null || found.generation() > current.generation())) {
        current = found;
      }
    }
    if (current == null) {
      problems.add("both superblocks are damaged: file=" + memory.name());
      return null;
    }
    RootImage root = root(current.root());
    if (root != null) {
      checkUses(current.root(), root);
    }
    return root;
  }

  private @Nullable Superblock superblock(int slot) {
    byte[] block = new byte[SuperblockLayout.BLOCK_BYTES];
    String place = "superblock " + (slot == 0 ? 'A' : 'B') + " of " + memory.name();
    try {
      memory.load((long) slot * SuperblockLayout.BLOCK_BYTES, MemorySegment.ofArray(block));
      Superblock found = Superblock.decode(block, memory.name());
      if (found == null && !Superblock.isBlank(block)) {
        problems.add(place + " is damaged, or a checkpoint was cut short");
      }
      if (found != null && !Superblock.isPadded(block)) {
        problems.add(place + ": bytes behind its fields are not zero");
      }
      return found;
    } catch (GpdbException e) {
      problems.add(place + ": " + e.getMessage());
      return null;
    }
  }

  private @Nullable RootImage root(Extent at) {
    Use use = new Use(at, -1, "root directory", 0, "", 0);
    if (!isInside(use) || at.bytes() > Integer.MAX_VALUE - 8 || !isWhole(use)) {
      return null;
    }
    try {
      byte[] encoded = new byte[(int) at.bytes()];
      memory.load(at.offset(), MemorySegment.ofArray(encoded));
      return RootCodec.decode(encoded, memory.name() + ":" + at.offset());
    } catch (GpdbException e) {
      problems.add(e.getMessage());
      return null;
    }
  }

  private void checkUses(Extent at, RootImage root) {
    uses.add(new Use(at, -1, "root directory", 0, "", 0));
    Set<Integer> tableIds = new HashSet<>();
    for (TableImage table : root.tables()) {
      if (!tableIds.add(table.tableId())) {
        problems.add("table=%d: is in the root directory twice".formatted(table.tableId()));
      }
      collect(table);
    }
    uses.sort(Comparator.comparingLong(use -> use.extent().offset()));
    long end = SuperblockLayout.EXTENTS_OFFSET;
    for (Use use : uses) {
      if (!isInside(use)) {
        continue;
      }
      Extent e = use.extent();
      if (e.offset() < end) {
        report(use, "overlaps another extent");
      }
      end = Math.max(end, e.offset() + ExtentAllocator.occupiedBytes(e.bytes()));
      isWhole(use);
    }
  }

  private void collect(TableImage table) {
    int id = table.tableId();
    for (int t = 0; t < table.tablets().size(); t++) {
      TabletImage tablet = table.tablets().get(t);
      for (int c = 0; c < tablet.values().size(); c++) {
        uses.add(new Use(tablet.values().get(c), id, "tablet", t, ", column number", c));
        Extent valid = tablet.validity().get(c);
        if (valid != null) {
          uses.add(new Use(valid, id, "tablet", t, ", validity of column number", c));
        }
      }
      uses.add(new Use(tablet.live(), id, "tablet", t, " (live)", -1));
    }
    for (int c = 0; c < table.dictionaries().size(); c++) {
      DictionaryImage dictionary = table.dictionaries().get(c);
      if (dictionary != null) {
        collect(dictionary.entries(), id, "column number", c, ", dictionary entries, page");
        collect(dictionary.bytes(), id, "column number", c, ", dictionary bytes, page");
      }
    }
    for (int i = 0; i < table.indexes().size(); i++) {
      IndexImage index = table.indexes().get(i);
      List<Extent> pages = new ArrayList<>();
      index.pages().forEach(page -> pages.add(page.entries()));
      collect(pages, id, "index number", i, ", page");
      collect(index.overflow(), id, "index number", i, ", overflow entries, page");
    }
  }

  private void collect(
      List<? extends @Nullable Extent> extents, int tableId, String outer, int a, String inner) {
    for (int page = 0; page < extents.size(); page++) {
      Extent extent = extents.get(page);
      if (extent != null) {
        uses.add(new Use(extent, tableId, outer, a, inner, page));
      }
    }
  }

  private boolean isInside(Use use) {
    Extent e = use.extent();
    boolean sized = e.bytes() >= 0 && e.bytes() <= memory.sizeBytes();
    boolean inside =
        sized
            && e.offset() >= SuperblockLayout.EXTENTS_OFFSET
            && e.offset() <= memory.sizeBytes() - ExtentAllocator.occupiedBytes(e.bytes());
    if (!inside) {
      report(use, "extent is outside of the file, sizeBytes=" + memory.sizeBytes());
    } else if (e.offset() % ExtentAllocator.alignment(e.bytes()) != 0) {
      report(use, "extent is not aligned to its size");
    }
    return inside;
  }

  private boolean isWhole(Use use) {
    Extent e = use.extent();
    if (!e.sealed()) {
      return true;
    }
    int pieceBytes = Math.clamp(e.bytes(), 1, PIECE_BYTES);
    if (piece.length < pieceBytes) {
      piece = new byte[pieceBytes];
    }
    try {
      if (Checksum.of(memory, e.offset(), e.bytes(), piece) == e.crc()) {
        return true;
      }
      report(use, "checksum does not match");
    } catch (GpdbException failed) {
      report(use, "cannot be read: " + failed.getMessage());
    }
    return false;
  }

  private void report(Use use, String what) {
    problems.add(
        "%s: %s, file=%s, offset=%d, bytes=%d"
            .formatted(
                use.place(), what, memory.name(), use.extent().offset(), use.extent().bytes()));
  }
}
