package io.gpdb.simulation.medium;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page some of whose units are not durable as they were stored: for each of them the versions
 * that stores wrote after the durable one, oldest first, and how many of these were flushed.
 */
final class PendingPage {
  private final int unitBytes;
  private final byte[] newest;
  private final @Nullable List<byte[]>[] versions;
  private final int[] flushed;
  private final int[] drained;
  private int pendingUnits;

  @SuppressWarnings("unchecked")
  PendingPage(CrashUnit unit, @Nullable CrashPage durable) {
    unitBytes = unit.flushedBytes();
    newest = CrashPage.bytes(durable).clone();
    versions = (List<byte[]>[]) new List<?>[CrashPage.BYTES / unitBytes];
    flushed = new int[versions.length];
    drained = new int[versions.length];
  }

  int unitCount() {
    return versions.length;
  }

  /** The versions of a unit that is not durable as stored; null where it is. */
  @Nullable List<byte[]> versions(int unit) {
    return versions[unit];
  }

  boolean isEmpty() {
    return pendingUnits == 0;
  }

  /** Notes what differs in {@code now}, the bytes of the page as they are. */
  void capture(byte[] now) {
    for (int at = 0; at < CrashPage.BYTES; ) {
      int differs = Arrays.mismatch(now, at, CrashPage.BYTES, newest, at, CrashPage.BYTES);
      if (differs < 0) {
        return;
      }
      int unit = (at + differs) / unitBytes;
      note(unit, Arrays.copyOfRange(now, unit * unitBytes, (unit + 1) * unitBytes));
      at = (unit + 1) * unitBytes;
    }
  }

  private void note(int unit, byte[] version) {
    System.arraycopy(version, 0, newest, unit * unitBytes, unitBytes);
    List<byte[]> known = versions[unit];
    if (known == null) {
      known = new ArrayList<>(2);
      versions[unit] = known;
      pendingUnits++;
    }
    known.add(version);
  }

  /** The newest versions of the units are to be durable with the next drain. */
  boolean flush(int firstUnit, int endUnit) {
    boolean any = false;
    for (int unit = firstUnit; unit < endUnit; unit++) {
      List<byte[]> known = versions[unit];
      if (known != null) {
        flushed[unit] = known.size();
        any = true;
      }
    }
    return any;
  }

  /** No drain covers the versions so far, unless they are flushed again. */
  void forgetFlushes() {
    Arrays.fill(flushed, 0);
  }

  /** How many versions of each unit have been flushed, ever: what a drain from now on covers. */
  int[] flushedSoFar() {
    int[] marks = new int[versions.length];
    for (int unit = 0; unit < marks.length; unit++) {
      marks[unit] = drained[unit] + flushed[unit];
    }
    return marks;
  }

  /** The page with the versions before the marks; they are not pending any more. */
  @Nullable CrashPage drain(@Nullable CrashPage durable, int[] marks) {
    byte[] next = CrashPage.bytes(durable).clone();
    for (int unit = 0; unit < versions.length; unit++) {
      List<byte[]> known = versions[unit];
      int done = marks[unit] - drained[unit]; // less than nothing after a drain that began later
      if (known != null && done > 0) {
        System.arraycopy(known.get(done - 1), 0, next, unit * unitBytes, unitBytes);
        known.subList(0, done).clear();
        flushed[unit] -= done;
        drained[unit] += done;
        if (known.isEmpty()) {
          versions[unit] = null;
          pendingUnits--;
        }
      }
    }
    return CrashPage.of(next);
  }

  /** Whether a drain that begins now would find something. */
  boolean isFlushed() {
    return Arrays.stream(flushed).anyMatch(count -> count > 0);
  }

  /** Flips a bit of all that is known, as a failing medium does. */
  void flip(int at, int mask) {
    newest[at] ^= (byte) mask;
    List<byte[]> known = versions[at / unitBytes];
    if (known != null) {
      known.forEach(version -> version[at % unitBytes] ^= (byte) mask);
    }
  }
}
