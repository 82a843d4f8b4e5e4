package io.gpdb.exec.emulated.common;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.gpdb.exec.ir.Kernel;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The kernels that are ready to run, by what they say. The cache is made for the first of them:
 * opening a database that has nothing to recover runs none, and should not wait for its classes.
 * Thread-safe.
 *
 * @param <K> a kernel as the device has it
 */
public final class ReadyKernels<K> {
  private static final int KERNELS_KEPT_MAX = 4096;

  private final Function<Kernel, K> maker;
  private volatile @Nullable Cache<Kernel, K> cache;

  public ReadyKernels(Function<Kernel, K> maker) {
    this.maker = maker;
  }

  public K of(Kernel kernel) {
    Cache<Kernel, K> known = cache;
    return Objects.requireNonNull((known != null ? known : makeCache()).get(kernel, maker));
  }

  private synchronized Cache<Kernel, K> makeCache() {
    Cache<Kernel, K> known = cache;
    if (known == null) {
      known = Caffeine.newBuilder().maximumSize(KERNELS_KEPT_MAX).executor(Runnable::run).build();
      cache = known;
    }
    return known;
  }
}
