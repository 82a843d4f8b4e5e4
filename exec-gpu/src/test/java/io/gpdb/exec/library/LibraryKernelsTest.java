package io.gpdb.exec.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.gpdb.exec.emulated.compiled.CompiledExecutor;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelParser;
import io.gpdb.exec.ir.KernelPrinter;
import io.gpdb.exec.ptx.PtxPrinter;
import io.gpdb.exec.ptx.Ptxas;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What holds for the text of every library kernel. */
class LibraryKernelsTest {
  private static final int KERNELS_A_MODULE = 40;

  @TempDir private Path directory;

  @Test
  void printedKernelsParseBackToThemselves() {
    List<Kernel> samples = LibrarySamples.all();
    assertThat(samples).hasSizeGreaterThan(200);
    for (Kernel kernel : samples) {
      assertThat(KernelParser.parse(KernelPrinter.print(kernel))).isEqualTo(kernel);
    }
  }

  @Test
  void ptxasAcceptsEveryKernel() throws Exception {
    List<Kernel> module = new ArrayList<>();
    List<Kernel> samples = LibrarySamples.all().stream().distinct().toList();
    for (int i = 0; i < samples.size(); i++) {
      module.add(numbered(samples.get(i), i));
      if (module.size() == KERNELS_A_MODULE || i == samples.size() - 1) {
        Ptxas.assertAccepts(PtxPrinter.print(module), directory);
        module.clear();
      }
    }
  }

  @Test
  void ptxasAcceptsTheEntriesForGroups() throws Exception {
    List<Kernel> grouped = new ArrayList<>();
    for (Kernel kernel : LibrarySamples.all().stream().distinct().toList()) {
      if (kernel.name().startsWith("batch") || kernel.name().startsWith("insert")) {
        grouped.add(numbered(kernel, grouped.size()));
      }
    }
    assertThat(grouped).isNotEmpty();
    Ptxas.assertAccepts(PtxPrinter.printGrouped(grouped), directory);
  }

  @Test
  void everyKernelCompilesToAHiddenClass() {
    for (Kernel kernel : LibrarySamples.all()) {
      assertThatCode(() -> new CompiledExecutor(kernel))
          .as(kernel.name())
          .doesNotThrowAnyException();
    }
  }

  /** The names in a module must differ; those of variants do not. */
  private static Kernel numbered(Kernel k, int number) {
    String name = k.name() + "_" + number;
    return new Kernel(name, k.blockSize(), k.buffers(), k.scalars(), k.shared(), k.body());
  }

  @Test
  void writingAKernelAgainGivesAnEqualKernel() {
    assertThat(LibrarySamples.all()).isEqualTo(LibrarySamples.all());
  }
}
