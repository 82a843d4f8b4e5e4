package io.gpdb.exec.ptx;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.GeneratedKernels;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PtxPrinterTest {
  private static final int KERNELS_DEFAULT = 16;
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
  void moreParametersThanAnEntryTakesAreReadFromARecord() throws Exception {
    KernelBuilder b = new KernelBuilder("wide");
    Reg sum = b.variable(b.i32(0));
    for (int i = 0; i < 300; i++) {
      sum = b.add(sum, b.load(b.input("in" + i, Element.I32), b.global()));
    }
    b.store(b.output("out", Element.I32), b.global(), sum);
    Kernel kernel = b.build();
    assertThat(PtxPrinter.needsRecord(kernel)).isTrue();
    String ptx = PtxPrinter.print(kernel);
    assertThat(ptx).contains(".entry gpdb_wide_grouped(").doesNotContain(".param .u64 buffer");
    Ptxas.assertAccepts(ptx, directory);
  }

  @Test
  void aTrapLeavesTheLaneInStepForTheBarrier() {
    KernelBuilder b = new KernelBuilder("trap.then.barrier").blockSize(64);
    Reg odd = b.eq(b.and(b.global(), 1), 1);
    b.trap(odd, 7, b.global());
    b.barrier();
    String ptx = PtxPrinter.print(b.build());
    assertThat(ptx).contains(".entry gpdb_trap_then_barrier(").contains("barrier.sync 0;");
    assertThat(ptx).doesNotContain("exit").contains("red.global.min.s64");
  }

  /** An atomic operation between two loads would have the second wait for the first. */
  @Test
  void trapsAreReportedAtTheEndSoThatLoadsFollowEachOther() throws Exception {
    KernelBuilder b = new KernelBuilder("loads");
    Reg first = b.load(b.input("first", Element.I32), b.global());
    b.trap(b.eq(first, 0), 7, b.global());
    Reg second = b.load(b.input("second", Element.I32), b.global());
    b.store(b.output("out", Element.I32), b.global(), b.div(first, second));
    String ptx = PtxPrinter.print(b.build());
    assertThat(ptx.indexOf("red.global")).isGreaterThan(ptx.lastIndexOf("ld.global"));
    assertThat(ptx.indexOf("red.global")).isGreaterThan(ptx.lastIndexOf("st.global"));
    assertThat(ptx.substring(ptx.lastIndexOf("red.global"))).endsWith("ret;\n}\n");
    Ptxas.assertAccepts(ptx, directory);
  }

  @Test
  void twoBlocksOfKernelsOfFewBuffersFitAProcessor() {
    assertThat(PtxPrinter.print(summing(5, 1024))).contains(".minnctapersm 2");
    assertThat(PtxPrinter.print(summing(6, 1024))).doesNotContain(".minnctapersm");
    assertThat(PtxPrinter.print(summing(5, 512))).doesNotContain(".minnctapersm");
  }

  /** Sums of the elements of some buffers, stored to one more. */
  private static Kernel summing(int buffers, int blockSize) {
    KernelBuilder b = new KernelBuilder("summing").blockSize(blockSize);
    Reg sum = b.variable(b.i32(0));
    for (int i = 0; i < buffers; i++) {
      b.set(sum, b.add(sum, b.load(b.input("in" + i, Element.I32), b.global())));
    }
    b.store(b.output("out", Element.I32), b.global(), sum);
    return b.build();
  }
}
