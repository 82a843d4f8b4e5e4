package io.gpdb.exec.library.base;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;

/** What the kernels of the library have in common: trap codes, names, launching. */
public final class KernelLibrary {
  /** Trap codes of lane programs are 1 to this; the library's own are greater. */
  public static final int USER_TRAP_MAX = 32_000;

  /** A partition of a conventional log is full; the detail is the entry. */
  public static final int TRAP_LOG_FULL = 32_001;

  /** A log entry does not fit its column; the detail is the entry. */
  public static final int TRAP_LOG_ENTRY = 32_002;

  /** A dense group code is outside its limit; the detail is the row. */
  public static final int TRAP_GROUP_CODE = 32_003;

  private static final int NAME_CHARACTERS_MAX = 100;

  private KernelLibrary() {}

  /** What is left of a name when it must be an identifier of at most 100 letters. */
  public static String identifier(String name) {
    StringBuilder kept = new StringBuilder();
    for (int i = 0; i < name.length() && kept.length() < NAME_CHARACTERS_MAX; i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      kept.append(letter || (c >= '0' && c <= '9' && !kept.isEmpty()) ? c : '_');
    }
    return kept.isEmpty() ? "_" : kept.toString();
  }

  /** Launches; the library's own traps become exceptions, those of lane programs pass. */
  public static void launch(LoadedKernel kernel, int blocks, Arguments arguments) {
    if (blocks > 0) {
      launch(kernel, List.of(new LaunchGroup(blocks, arguments)));
    }
  }

  /** As {@link #launch(LoadedKernel, int, Arguments)}, where a lane takes several of the rows. */
  public static void launch(LoadedKernel kernel, int blocks, Arguments arguments, long rows) {
    launch(kernel, List.of(new LaunchGroup(blocks, arguments, rows)));
  }

  /** As {@link #launch(LoadedKernel, int, Arguments)}, for several groups. */
  public static void launch(LoadedKernel kernel, List<LaunchGroup> groups) {
    try {
      kernel.enqueue(groups);
    } catch (KernelTrap trap) {
      throw switch (trap.code()) {
        case TRAP_LOG_FULL ->
            new GpdbException(
                ErrorCode.LIMIT_EXCEEDED,
                "log partition full: kernel=" + kernel.kernel().name() + ", entry=" + trap.detail(),
                trap);
        case TRAP_GROUP_CODE ->
            new GpdbException(
                ErrorCode.INTERNAL,
                "group code out of range: kernel="
                    + kernel.kernel().name()
                    + ", row="
                    + trap.detail(),
                trap);
        default -> trap;
      };
    }
  }

  /** Launches a replay, where a trap means that the log and the table do not fit each other. */
  public static void launchReplay(LoadedKernel kernel, List<LaunchGroup> groups) {
    try {
      kernel.launch(groups);
    } catch (KernelTrap trap) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "log entry does not fit its column: kernel="
              + kernel.kernel().name()
              + ", entry="
              + trap.detail(),
          trap);
    }
  }
}
