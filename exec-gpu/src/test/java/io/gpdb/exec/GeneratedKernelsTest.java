package io.gpdb.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelPrinter;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Ops;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GeneratedKernelsTest {
  private static final int KERNELS = 300;

  @Test
  void theyUseEveryOperationAndEveryVariant() {
    Set<String> kinds = new HashSet<>();
    Set<Enum<?>> variants = new HashSet<>();
    for (long seed = 1; seed <= KERNELS; seed++) {
      Kernel kernel = GeneratedKernels.fromSeed(seed).kernel();
      Ops.forEach(kernel.body(), op -> note(op, kinds, variants));
    }
    for (Class<?> kind : Op.class.getPermittedSubclasses()) {
      assertThat(kinds).contains(kind.getSimpleName());
    }
    for (Class<?> words : Op.class.getDeclaredClasses()) {
      if (words.isEnum()) {
        assertThat(variants).containsAll(Arrays.<Enum<?>>asList(enums(words)));
      }
    }
  }

  private static Enum<?>[] enums(Class<?> words) {
    return Arrays.stream(words.getEnumConstants()).toArray(Enum<?>[]::new);
  }

  private static void note(Op op, Set<String> kinds, Set<Enum<?>> variants) {
    kinds.add(op.getClass().getSimpleName());
    switch (op) {
      case Op.Special o -> variants.add(o.kind());
      case Op.Unary o -> variants.add(o.op());
      case Op.Binary o -> variants.add(o.op());
      case Op.Overflow o -> variants.add(o.op());
      case Op.Compare o -> variants.add(o.op());
      case Op.Atomic o -> variants.add(o.op());
      case Op.Shuffle o -> variants.add(o.kind());
      case Op.BlockReduce o -> variants.add(o.op());
      case Op.Fence o -> variants.add(o.scope());
      case Op.Persist o -> variants.add(o.scope());
      default -> {}
    }
  }

  @Test
  void oneSeedGivesOneKernelAndOneResult() {
    try (Device device = new EmulatedDevice(EmulatedOptions.standard())) {
      for (long seed = 1; seed <= 20; seed++) {
        GeneratedKernel first = GeneratedKernels.fromSeed(seed);
        GeneratedKernel again = GeneratedKernels.fromSeed(seed);
        assertThat(KernelPrinter.print(again.kernel()))
            .isEqualTo(KernelPrinter.print(first.kernel()));
        assertThat(first.difference(first.runOn(device), again.runOn(device))).isEmpty();
      }
    }
  }
}
