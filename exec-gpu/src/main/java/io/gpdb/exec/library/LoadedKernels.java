package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** The instances of a family of kernels, loaded when first launched. Thread-safe. */
final class LoadedKernels<K> {
  private final Device device;
  private final Function<K, Kernel> text;
  private final ConcurrentHashMap<K, LoadedKernel> loaded = new ConcurrentHashMap<>();

  LoadedKernels(Device device, Function<K, Kernel> text) {
    this.device = device;
    this.text = text;
  }

  LoadedKernel get(K variant) {
    LoadedKernel known = loaded.get(variant);
    return known != null ? known : loaded.computeIfAbsent(variant, v -> device.load(text.apply(v)));
  }
}
