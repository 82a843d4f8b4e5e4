package io.gpdb.exec;

import io.gpdb.exec.ir.InvalidKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelVerifier;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Ops;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Takes operations out of a kernel as long as it stays valid and still fails. Barriers stay, so
 * that no race comes in, and the last operation of a loop's body, which counts its turns.
 */
final class GeneratedShrinker {
  private final Predicate<GeneratedKernel> fails;
  private GeneratedKernel smallest;

  private GeneratedShrinker(GeneratedKernel failing, Predicate<GeneratedKernel> fails) {
    this.smallest = failing;
    this.fails = fails;
  }

  static GeneratedKernel shrink(GeneratedKernel failing, Predicate<GeneratedKernel> fails) {
    GeneratedShrinker shrinker = new GeneratedShrinker(failing, fails);
    while (shrinker.removeOne()) {
      // until nothing more can go
    }
    return shrinker.smallest;
  }

  /** Tries each single removal, the last operations first. */
  private boolean removeOne() {
    boolean any = false;
    for (int at = size(smallest.kernel().body()) - 1; at >= 0; at--) {
      int[] countdown = {at};
      List<Op> body = without(smallest.kernel().body(), countdown, false);
      GeneratedKernel candidate = smallest.with(withBody(smallest.kernel(), body));
      if (size(body) < size(smallest.kernel().body()) && isValid(candidate.kernel())) {
        if (fails.test(candidate)) {
          smallest = candidate;
          any = true;
        }
      }
    }
    return any;
  }

  private static boolean isValid(Kernel kernel) {
    try {
      KernelVerifier.verify(kernel);
      return true;
    } catch (InvalidKernel broken) {
      return false;
    }
  }

  private static Kernel withBody(Kernel k, List<Op> body) {
    return new Kernel(k.name(), k.blockSize(), k.buffers(), k.scalars(), k.shared(), body);
  }

  private static int size(List<Op> ops) {
    int[] count = new int[1];
    Ops.forEach(ops, op -> count[0]++);
    return count[0];
  }

  /** The list without operation number {@code countdown[0]}, counted as {@link #size} counts. */
  private static List<Op> without(List<Op> ops, int[] countdown, boolean loopBody) {
    List<Op> kept = new ArrayList<>();
    for (int i = 0; i < ops.size(); i++) {
      Op op = ops.get(i);
      boolean needed = op instanceof Op.Barrier || (loopBody && i == ops.size() - 1);
      if (countdown[0]-- != 0 || needed) {
        kept.add(
            switch (op) {
              case Op.If branch ->
                  new Op.If(
                      branch.p(),
                      without(branch.then(), countdown, false),
                      without(branch.otherwise(), countdown, false));
              case Op.While loop ->
                  new Op.While(
                      without(loop.head(), countdown, false),
                      loop.p(),
                      without(loop.body(), countdown, true));
              default -> op;
            });
      }
    }
    return kept;
  }
}
