package io.gpdb.planner.expression;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import org.jspecify.annotations.Nullable;

/** From the codes of one domain to those of another; -1 where the other lacks the string. */
public final class Translation {
  private @Nullable StringDomain from;
  private @Nullable StringDomain to;
  private long fromVersion;
  private long toVersion;
  private @Nullable DeviceBuffer table;

  /** i32 per code of {@code source}, at least one element. */
  public synchronized DeviceBuffer table(StringDomain source, StringDomain target) {
    DeviceBuffer known = table;
    long sourceVersion = source.version(); // before the sizes: what comes between is noticed
    long targetVersion = target.version();
    if (known != null
        && from != null
        && from.isSameAs(source)
        && to != null
        && to.isSameAs(target)
        && fromVersion == sourceVersion
        && toVersion == targetVersion) {
      return known;
    }
    int sourceSize = source.size();
    HostBuffer made = HostBuffer.collected(4L * Math.max(1, sourceSize));
    boolean same = source.isSameAs(target);
    for (int code = 0; code < sourceSize; code++) {
      StopSignal.poll(code);
      made.setInt(code, same ? code : target.find(source.bytes(code)));
    }
    from = source;
    to = target;
    fromVersion = sourceVersion;
    toVersion = targetVersion;
    DeviceBuffer kept = MemoryAccount.current().memory().keep(made);
    table = kept;
    return kept;
  }
}
