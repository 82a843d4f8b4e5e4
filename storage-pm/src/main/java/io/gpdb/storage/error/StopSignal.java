package io.gpdb.storage.error;

import org.jspecify.annotations.Nullable;

/**
 * Whether the work of a statement is to end. Any thread requests it; the threads that do the work
 * poll it every few milliseconds of work, wherever they are: it is bound to them.
 *
 * <p>Invariant: what must not be left half done (a change of a tablet, a commit, a roll-back) runs
 * {@link #masked}, so that no poll in it ends it.
 */
public final class StopSignal {
  /** Never requested. */
  public static final StopSignal NONE = new StopSignal(null);

  private static final ThreadLocal<StopSignal> CURRENT = ThreadLocal.withInitial(() -> NONE);

  private final @Nullable StopSignal parent;
  private final @Nullable StopSignal other;
  private volatile boolean requested;

  /** Is requested also when {@code parent} is. */
  public StopSignal(@Nullable StopSignal parent) {
    this(parent, null);
  }

  private StopSignal(@Nullable StopSignal parent, @Nullable StopSignal other) {
    this.parent = parent;
    this.other = other;
  }

  /** Is requested when this or the other is. */
  @SuppressWarnings("ReferenceEquality") // signals are equal to nothing but themselves
  public StopSignal or(StopSignal that) {
    if (that == NONE || that == this) {
      return this;
    }
    return this == NONE ? that : new StopSignal(this, that);
  }

  /** What was bound to the thread before; bound again by closing. */
  public record Scope(StopSignal before) implements AutoCloseable {
    @Override
    public void close() {
      CURRENT.set(before);
    }
  }

  public void request() {
    assert this != NONE;
    requested = true;
  }

  /** Takes a request back, though not that of the parent. */
  public void clear() {
    requested = false;
  }

  public boolean isRequested() {
    StopSignal above = parent;
    StopSignal beside = other;
    return requested
        || (above != null && above.isRequested())
        || (beside != null && beside.isRequested());
  }

  /** Throws {@code CANCELLED} when a stop was requested. */
  public void check() {
    if (isRequested()) {
      throw new GpdbException(ErrorCode.CANCELLED, "the statement was cancelled");
    }
  }

  /** Has the calling thread work under this signal until the scope is closed. */
  public Scope bind() {
    Scope scope = new Scope(CURRENT.get());
    CURRENT.set(this);
    return scope;
  }

  /** Has the calling thread work under none until the scope is closed. */
  public static Scope masked() {
    return NONE.bind();
  }

  /** The signal under which the calling thread works. */
  public static StopSignal current() {
    return CURRENT.get();
  }

  /** Throws {@code CANCELLED} when the calling thread is to stop. */
  public static void poll() {
    CURRENT.get().check();
  }

  /** As {@link #poll()}, in one of 1024 steps of a loop. */
  public static void poll(int step) {
    if ((step & 1023) == 0) {
      poll();
    }
  }
}
