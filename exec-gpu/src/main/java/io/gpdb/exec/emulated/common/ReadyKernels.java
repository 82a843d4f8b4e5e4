package io.gpdb.exec.emulated.common;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.gpdb.exec.ir.Kernel;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The kernels that are ready to run, by what they say. The first of them stay in a plain map, only
 * those after them go through a cache: many a process has no more, and should not wait for the
 * cache's hundred classes. Thread-safe.
 *
 * @param <K> a kernel as the device has it
 */
public final class ReadyKernels<K> {
  /** Kernels of the plain map. */
  static final int FIRST = 256;

  private static final int KERNELS_KEPT_MAX = 4096;

  private final Function<Kernel, K> maker;
  private final ConcurrentHashMap<Kernel, K> first = new ConcurrentHashMap<>();
  private volatile @Nullable Cache<Kernel, K> later;

  public ReadyKernels(Function<Kernel, K> maker) {
    this.maker = maker;
  }

  public K of(Kernel kernel) {
    // Asked without a lock: computeIfAbsent locks a bin even for a key that the map has.
    K known = first.get(kernel);
    if (known != null) {
      return known;
    }
    Cache<Kernel, K> cache = later;
    if (cache == null && first.size() < FIRST) {
      return first.computeIfAbsent(kernel, maker);
    }
    return Objects.requireNonNull((cache != null ? cache : makeCache()).get(kernel, maker));
  }

  private synchronized Cache<Kernel, K> makeCache() {
    Cache<Kernel, K> known = later;
    if (known == null) {
      known = Caffeine.newBuilder().maximumSize(KERNELS_KEPT_MAX).executor(Runnable::run).build();
      later = known;
    }
    return known;
  }
}
