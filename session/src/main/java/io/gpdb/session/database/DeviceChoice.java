package io.gpdb.session.database;

import io.gpdb.exec.Device;
import io.gpdb.exec.cuda.CudaDevice;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.spread.SpreadDevice;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which device a database's kernels run on: {@code emulated}, {@code cuda}, {@code cuda:NUMBER},
 * several GPUs by {@code cuda:NUMBER,NUMBER} or {@code cuda:all}, or {@code auto}, which is the
 * first GPU where one can be used, and the emulated device elsewhere.
 *
 * @param gpus the GPUs' numbers, from 0 on; for {@link Kind#CUDA}, where none are all of them
 * @param host how the emulated device runs kernels; a GPU leaves work of the host to it
 * @param hostRows rows up to which a GPU leaves a plan's kernels to the host; null for a number
 *     that is measured
 */
public record DeviceChoice(
    Kind kind, List<Integer> gpus, EmulatedOptions host, @Nullable Long hostRows) {
  private static final String NUMBERED = "cuda:";
  private static final List<Integer> FIRST = List.of(0);

  /** What is asked for. */
  public enum Kind {
    EMULATED,
    CUDA,
    AUTO
  }

  /** The choice that a text names. */
  public static DeviceChoice of(String text, EmulatedOptions host, @Nullable Long hostRows) {
    return switch (text) {
      case "emulated" -> new DeviceChoice(Kind.EMULATED, FIRST, host, hostRows);
      case "auto" -> new DeviceChoice(Kind.AUTO, FIRST, host, hostRows);
      case "cuda" -> new DeviceChoice(Kind.CUDA, FIRST, host, hostRows);
      case "cuda:all" -> new DeviceChoice(Kind.CUDA, List.of(), host, hostRows);
      default -> new DeviceChoice(Kind.CUDA, numbers(text), host, hostRows);
    };
  }

  private static List<Integer> numbers(String text) {
    List<Integer> numbers = new ArrayList<>();
    if (text.startsWith(NUMBERED)) {
      for (String each : text.substring(NUMBERED.length()).split(",", -1)) {
        Integer number = number(each);
        if (number == null || numbers.contains(number)) {
          throw unknown(text);
        }
        numbers.add(number);
      }
      return numbers;
    }
    throw unknown(text);
  }

  private static @Nullable Integer number(String text) {
    try {
      int number = Integer.parseInt(text);
      return number >= 0 ? number : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static GpdbException unknown(String text) {
    return new GpdbException(
        ErrorCode.INVALID_ARGUMENT,
        "device="
            + text
            + " is not one of auto, emulated, cuda, cuda:NUMBER, cuda:NUMBER,NUMBER, cuda:all");
  }

  Device open() {
    if (kind == Kind.CUDA && gpus.size() != 1) {
      return openSeveral();
    }
    EmulatedDevice emulated = new EmulatedDevice(host);
    try {
      return switch (kind) {
        case EMULATED -> emulated;
        case CUDA -> CudaDevice.open(gpus.getFirst(), emulated, hostRows);
        case AUTO -> openFirst(emulated);
      };
    } catch (RuntimeException | Error e) {
      emulated.close();
      throw e;
    }
  }

  private Device openSeveral() {
    List<Integer> numbers =
        gpus.isEmpty() ? IntStream.range(0, CudaDevice.count()).boxed().toList() : gpus;
    if (numbers.size() == 1) {
      return new DeviceChoice(kind, numbers, host, hostRows).open();
    }
    return new SpreadDevice(
        CudaDevice.openLinked(numbers, () -> new EmulatedDevice(host), hostRows));
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
