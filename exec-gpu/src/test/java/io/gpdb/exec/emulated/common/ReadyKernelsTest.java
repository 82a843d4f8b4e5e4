package io.gpdb.exec.emulated.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReadyKernelsTest {
  private static Kernel kernel(int number) {
    KernelBuilder builder = new KernelBuilder("k" + number);
    builder.i32(number);
    return builder.build();
  }

  @Test
  void equalKernelsAreMadeOnceWhileThereAreFewAndWhenThereAreMany() {
    List<String> made = new ArrayList<>();
    ReadyKernels<Object> ready =
        new ReadyKernels<>(
            kernel -> {
              made.add(kernel.name());
              return new Object();
            });
    List<Object> first = new ArrayList<>();
    int kernels = 3 * ReadyKernels.FIRST;
    for (int i = 0; i < kernels; i++) {
      first.add(ready.of(kernel(i)));
      assertThat(ready.of(kernel(i / 2))).isSameAs(first.get(i / 2));
    }
    for (int i = 0; i < kernels; i++) {
      assertThat(ready.of(kernel(i))).as("kernel %d", i).isSameAs(first.get(i));
    }
    assertThat(made).hasSize(kernels).doesNotHaveDuplicates();
  }
}
