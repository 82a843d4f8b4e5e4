package io.gpdb.exec.library.base;

import io.gpdb.exec.ir.Kernel;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The texts of a family of kernels with few variants, each made once in a process, whichever
 * database wants it: writing and verifying one takes longer than a launch over few rows.
 * Thread-safe.
 */
public final class KernelTexts<K> implements Function<K, Kernel> {
  private final Function<K, Kernel> text;
  private final ConcurrentHashMap<K, Kernel> written = new ConcurrentHashMap<>();

  public KernelTexts(Function<K, Kernel> text) {
    this.text = text;
  }

  @Override
  public Kernel apply(K variant) {
    Kernel known = written.get(variant);
    return known != null ? known : written.computeIfAbsent(variant, text);
  }
}
