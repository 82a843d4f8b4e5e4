package io.gpdb.exec.library.base;

import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The instances of a family of kernels, loaded when first launched. Thread-safe. */
public final class LoadedKernels<K> {
  private final Device device;
  private final Function<K, Kernel> text;
  private final ConcurrentHashMap<K, LoadedKernel> loaded = new ConcurrentHashMap<>();

  public LoadedKernels(Device device, Function<K, Kernel> text) {
    this.device = device;
    this.text = text;
  }

  public LoadedKernel get(K variant) {
    LoadedKernel known = loaded.get(variant);
    return known != null ? known : loaded.computeIfAbsent(variant, v -> device.load(text.apply(v)));
  }
}
