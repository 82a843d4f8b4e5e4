package io.gpdb.session.database;

import io.gpdb.exec.Device;
import io.gpdb.exec.cuda.CudaDevice;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import org.jspecify.annotations.Nullable;

/**
 * Which device a database's kernels run on: {@code emulated}, {@code cuda} or {@code cuda:NUMBER},
 * or {@code auto}, which is the first GPU where one can be used, and the emulated device elsewhere.
 *
 * @param gpu the GPU's number, from 0 on; for {@link Kind#CUDA}
 * @param host how the emulated device runs kernels; a GPU leaves work of the host to it
 * @param hostRows rows up to which a GPU leaves a plan's kernels to the host; null for a number
 *     that is measured
 */
public record DeviceChoice(Kind kind, int gpu, EmulatedOptions host, @Nullable Long hostRows) {
  private static final String NUMBERED = "cuda:";

  /** What is asked for. */
  public enum Kind {
    EMULATED,
    CUDA,
    AUTO
  }

  /** The choice that a text names. */
  public static DeviceChoice of(String text, EmulatedOptions host, @Nullable Long hostRows) {
    return switch (text) {
      case "emulated" -> new DeviceChoice(Kind.EMULATED, 0, host, hostRows);
      case "auto" -> new DeviceChoice(Kind.AUTO, 0, host, hostRows);
      case "cuda" -> new DeviceChoice(Kind.CUDA, 0, host, hostRows);
      default -> new DeviceChoice(Kind.CUDA, number(text), host, hostRows);
    };
  }

  private static int number(String text) {
    if (text.startsWith(NUMBERED)) {
      try {
        int number = Integer.parseInt(text.substring(NUMBERED.length()));
        if (number >= 0) {
          return number;
        }
      } catch (NumberFormatException e) {
        // Said below, as for other words.
      }
    }
    throw new GpdbException(
        ErrorCode.CANNOT_OPEN,
        "device=" + text + " is not one of auto, emulated, cuda, cuda:NUMBER");
  }

  Device open() {
    EmulatedDevice emulated = new EmulatedDevice(host);
    try {
      return switch (kind) {
        case EMULATED -> emulated;
        case CUDA -> CudaDevice.open(gpu, emulated, hostRows);
        case AUTO -> openFirst(emulated);
      };
    } catch (RuntimeException | Error e) {
      emulated.close();
      throw e;
    }
  }

  /** Without the permission to call native code it is not tried: the JVM would warn of it. */
  private Device openFirst(EmulatedDevice emulated) {
    if (!CudaDevice.class.getModule().isNativeAccessEnabled()) {
      return emulated;
    }
    try {
      return CudaDevice.open(0, emulated, hostRows);
    } catch (GpdbException e) {
      System.getLogger("io.gpdb").log(System.Logger.Level.DEBUG, "device=auto: emulated", e);
      return emulated;
    }
  }
}
