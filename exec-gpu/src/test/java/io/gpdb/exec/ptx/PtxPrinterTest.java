package io.gpdb.exec.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.GeneratedKernels;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PtxPrinterTest {
  private static final int KERNELS_DEFAULT = 60;
  private static final int KERNELS_A_MODULE = 20;

  @TempDir private Path directory;

  @Test
  void ptxasAcceptsGeneratedKernels() throws Exception {
    Long replay = Long.getLong("gpdb.seed");
    long kernels = replay == null ? Long.getLong("gpdb.fuzz", KERNELS_DEFAULT) : 1;
    long first = replay == null ? 1 : replay;
    List<Kernel> module = new ArrayList<>();
    for (long seed = first; seed < first + kernels; seed++) {
      module.add(GeneratedKernels.fromSeed(seed).kernel());
      if (module.size() == KERNELS_A_MODULE || seed == first + kernels - 1) {
        Ptxas.assertAccepts(PtxPrinter.print(module), directory);
        Ptxas.assertAccepts(PtxPrinter.printGrouped(module), directory);
        module.clear();
      }
    }
  }

  @Test
  void aTrapLeavesTheLaneInStepForTheBarrier() {
    KernelBuilder b = new KernelBuilder("trap.then.barrier").blockSize(64);
    Reg odd = b.eq(b.and(b.global(), 1), 1);
    b.trap(odd, 7, b.global());
    b.barrier();
    String ptx = PtxPrinter.print(b.build());
    assertThat(ptx).contains(".entry gpdb_trap_then_barrier(").contains("barrier.sync 0;");
    assertThat(ptx).doesNotContain("exit").contains("red.global.min.s64 [%traps]");
  }
}
