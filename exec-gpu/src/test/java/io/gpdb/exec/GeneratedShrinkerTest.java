package io.gpdb.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.ir.KernelPrinter;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Ops;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GeneratedShrinkerTest {
  @Test
  void onlyWhatFailsIsLeft() {
    GeneratedKernel large = firstWithBallot();
    GeneratedKernel small = GeneratedShrinker.shrink(large, GeneratedShrinkerTest::hasBallot);
    assertThat(hasBallot(small)).isTrue();
    List<Op> left = new ArrayList<>();
    Ops.forEach(small.kernel().body(), left::add);
    List<Op> all = new ArrayList<>();
    Ops.forEach(large.kernel().body(), all::add);
    assertThat(left.size()).as(KernelPrinter.print(small.kernel())).isLessThan(all.size() / 4);
  }

  private static GeneratedKernel firstWithBallot() {
    for (long seed = 1; ; seed++) {
      GeneratedKernel kernel = GeneratedKernels.fromSeed(seed);
      if (hasBallot(kernel)) {
        return kernel;
      }
    }
  }

  private static boolean hasBallot(GeneratedKernel kernel) {
    List<Op> ballots = new ArrayList<>();
    Ops.forEach(
        kernel.kernel().body(),
        op -> {
          if (op instanceof Op.Ballot) {
            ballots.add(op);
          }
        });
    return !ballots.isEmpty();
  }
}
