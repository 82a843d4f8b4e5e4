package io.gpdb.bench.crash;

import java.lang.StackWalker.StackFrame;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The places of the program that flush, drain or sync names, by their calls. A kernel's persist
 * barriers count as the library method that launches it.
 */
final class PersistSites {
  private static final String LIBRARY = "io.gpdb.exec.library.";
  private static final StackWalker WALKER = StackWalker.getInstance();

  private final Map<String, Long> seen = new TreeMap<>();

  /** The site of an act of the calling place, which is noted. */
  String site(String act) {
    String site = WALKER.walk(PersistSites::place) + " " + act;
    synchronized (seen) {
      seen.merge(site, 1L, Long::sum);
    }
    return site;
  }

  /** Every site, and how many acts of it there were. */
  Map<String, Long> seen() {
    synchronized (seen) {
      return new TreeMap<>(seen);
    }
  }

  private static String place(Stream<StackFrame> frames) {
    Iterator<StackFrame> left = frames.filter(frame -> !isPlumbing(frame)).iterator();
    StackFrame place = left.next();
    StackFrame next = place;
    while (next.getClassName().startsWith(LIBRARY) && left.hasNext()) {
      place = next;
      next = left.next();
    }
    String name = place.getClassName();
    return name.substring(name.lastIndexOf('.') + 1)
        + "."
        + place.getMethodName()
        + ":"
        + place.getLineNumber();
  }

  /** What only hands an act on. */
  private static boolean isPlumbing(StackFrame frame) {
    String name = frame.getClassName();
    return name.startsWith("io.gpdb.bench.crash.PersistSites")
        || name.startsWith("io.gpdb.bench.crash.SiteDirectory")
        || name.startsWith("io.gpdb.bench.crash.WrappedDirectory")
        || name.startsWith("io.gpdb.exec.emulated.")
        || name.startsWith("io.gpdb.simulation.explore.")
        || name.equals("io.gpdb.exec.LoadedKernel")
        || name.equals("io.gpdb.exec.library.base.KernelLibrary")
        || name.equals("io.gpdb.storage.memory.PersistentMemory")
        || name.equals("io.gpdb.txn.log.MemoryRange")
        || name.startsWith("java.");
  }
}
