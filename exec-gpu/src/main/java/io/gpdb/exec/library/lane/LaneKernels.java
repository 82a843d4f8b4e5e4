package io.gpdb.exec.library.lane;

import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The variants of one kernel with lane programs, built and loaded when first launched. Thread-safe.
 *
 * @param <S> the positions of the kernel's own parameters
 */
public final class LaneKernels<S> {
  /** Rows of one launch: the last block's row numbers must fit an i32, with room. */
  public static final int ROWS_MAX = Integer.MAX_VALUE - 65_536;

  private final Device device;
  private final Function<LaneVariant, Written<S>> writer;
  private final ConcurrentHashMap<LaneVariant, Ready<S>> ready = new ConcurrentHashMap<>();

  /** A kernel's text with the places of its parameters. */
  public record Written<S>(Kernel kernel, LaneLayout layout, S places) {}

  /** The positions of a kernel whose own parameters are all bound by their names: none. */
  public enum ByName {
    ALL
  }

  /** A kernel to be launched. */
  public record Ready<S>(LoadedKernel kernel, LaneLayout layout, S places) {}

  public LaneKernels(Device device, Function<LaneVariant, Written<S>> writer) {
    this.device = device;
    this.writer = writer;
  }

  public Ready<S> get(LaneVariant variant) {
    Ready<S> known = ready.get(variant);
    return known != null ? known : ready.computeIfAbsent(variant, this::load);
  }

  public Written<S> written(LaneVariant variant) {
    return writer.apply(variant);
  }

  public Kernel text(LaneVariant variant) {
    return written(variant).kernel();
  }

  private Ready<S> load(LaneVariant variant) {
    Written<S> written = writer.apply(variant);
    return new Ready<>(device.load(written.kernel()), written.layout(), written.places());
  }

  /** Blocks for {@code rows} rows, one row a lane. */
  public static int blocks(long rows, int blockSize) {
    if (rows < 0 || rows > ROWS_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED, "rows of one launch: rows=" + rows + ", limit=" + ROWS_MAX);
    }
    return (int) ((rows + blockSize - 1) / blockSize);
  }
}
