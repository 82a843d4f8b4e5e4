package io.gpdb.exec.emulated.interpreted;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.emulated.EmulatedOptions.Mode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What follows from scalars and constants alone is computed for a launch's group, not a turn. */
class FilledOnceTest {
  private static final int LANES = 64;

  /** A group whose divisor is 0 has no lane that divides. */
  @Test
  void eachGroupHasTheValuesOfItsScalars() {
    KernelBuilder b = new KernelBuilder("filled").blockSize(LANES);
    int out = b.output("out", Element.I32);
    Reg scalar = b.scalar("scalar", Type.I32);
    Reg divisor = b.scalar("divisor", Type.I32);
    Reg result = b.variable(b.add(b.mul(scalar, 3), b.i32(1)));
    b.ifThen(
        b.lt(b.global(), divisor),
        () -> b.set(result, b.binary(BinaryOp.DIV, b.mul(scalar, 100), divisor)));
    b.store(out, b.global(), result);
    try (EmulatedDevice device =
        new EmulatedDevice(new EmulatedOptions(Mode.INTERPRETED, 1, false))) {
      LoadedKernel kernel = device.load(b.build());
      List<HostBuffer> results = new ArrayList<>();
      List<LaunchGroup> groups = new ArrayList<>();
      for (int g = 0; g < 6; g++) {
        results.add(HostBuffer.collected(2L * LANES * Integer.BYTES));
        groups.add(
            new LaunchGroup(
                2,
                new Arguments(kernel.kernel())
                    .buffer(0, results.get(g))
                    .scalar(0, 7 * g)
                    .scalar(1, g % 3)));
      }
      kernel.launch(groups);
      for (int g = 0; g < 6; g++) {
        for (int lane = 0; lane < 2 * LANES; lane++) {
          int expected = lane < g % 3 ? 700 * g / (g % 3) : 21 * g + 1;
          assertThat(results.get(g).intAt(lane))
              .as("group %d, lane %d", g, lane)
              .isEqualTo(expected);
        }
      }
    }
  }
}
