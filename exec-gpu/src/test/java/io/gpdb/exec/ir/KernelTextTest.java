package io.gpdb.exec.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.exec.GeneratedKernels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelTextTest {
  private static final Path DOCUMENT = Path.of("../docs/internals/kernel-language.md");

  @Test
  void printedKernelsParseBackToEqualKernels() {
    for (long seed = 1; seed <= 300; seed++) {
      Kernel kernel = GeneratedKernels.fromSeed(seed).kernel();
      String text = KernelPrinter.print(kernel);
      Kernel parsed = KernelParser.parse(text);
      assertThat(parsed).as("-Dgpdb.seed=" + seed).isEqualTo(kernel);
      assertThat(KernelPrinter.print(parsed)).isEqualTo(text);
    }
  }

  @Test
  void theTextMayHaveCommentsAndAnySpacing() {
    Kernel kernel =
        KernelParser.parse(
            """
            kernel count_below block 64 {  // rows below a limit
              buffer x : i32 device read
              buffer counts : i64 device readwrite
              scalar limit : i32
              %0:i32 = special global   %1:i32 = scalar limit
              %2:i32 = load x[%0]
              %3:pred = lt %2, %1
              if %3 { %4:i64 = const 1
                atomic add counts[%0], %4 } else { }
            }
            """);
    assertThat(kernel.body()).hasSize(5);
    assertThat(kernel.body().get(4)).isInstanceOf(Op.If.class);
  }

  @Test
  void theDocumentsKernelIsPrintedAsItStandsThere() throws IOException {
    String document = Files.readString(DOCUMENT);
    int start = document.indexOf("kernel sum_below");
    String text = document.substring(start, document.indexOf("```", start));
    assertThat(KernelPrinter.print(KernelParser.parse(text))).isEqualTo(text);
  }

  @Test
  void theDocumentNamesEveryRuleAndOperation() throws IOException {
    String document = Files.readString(DOCUMENT);
    for (InvalidKernel.Rule rule : InvalidKernel.Rule.values()) {
      assertThat(document).contains(rule.name());
    }
    for (Class<?> words :
        List.of(
            Op.UnaryOp.class,
            Op.BinaryOp.class,
            Op.CompareOp.class,
            Op.AtomicOp.class,
            Op.SpecialKind.class,
            Op.ShuffleKind.class)) {
      for (Object word : words.getEnumConstants()) {
        assertThat(document).contains(KernelPrinter.word((Enum<?>) word));
      }
    }
  }

  @Test
  void floatConstantsKeepTheirBits() {
    long[] bits = {
      0x7ff8000000000001L, 0xfff0000000000000L, 0x8000000000000000L, 1L, 0x3ff0000000000001L
    };
    for (long expected : bits) {
      KernelBuilder b = new KernelBuilder("constants");
      b.constant(Type.F64, expected);
      Kernel parsed = KernelParser.parse(KernelPrinter.print(b.build()));
      assertThat(((Op.Const) parsed.body().getFirst()).bits()).isEqualTo(expected);
    }
  }

  @Test
  void anErrorNamesLineColumnAndWhatWasFound() {
    assertThatThrownBy(() -> KernelParser.parse("kernel k block 32 {\n  %0:i32 = wrong %1\n}"))
        .isInstanceOf(InvalidKernel.class)
        .hasMessageContaining("kernel k, line 2, column 12")
        .hasMessageContaining("unknown operation 'wrong'");
    assertThatThrownBy(() -> KernelParser.parse("kernel k block 32 { store x[%0], %1 }"))
        .hasMessageContaining("no buffer is named 'x'");
    assertThatThrownBy(() -> KernelParser.parse("kernel k block 32 { %0:i32 = const 5000000000 }"))
        .hasMessageContaining("'5000000000' is no constant of type i32");
    assertThatThrownBy(() -> KernelParser.parse("kernel k block 32 {"))
        .hasMessageContaining("expected a word, found the end");
    assertThatThrownBy(() -> KernelParser.parse("kernel k block 32 { } }"))
        .hasMessageContaining("expected the end after the kernel");
    assertThatThrownBy(() -> KernelParser.parse("kernel k # {"))
        .hasMessageContaining("unexpected character '#'");
    assertThatThrownBy(() -> KernelParser.parse("kernel k block 32 { %0:i32 = move %0 }"))
        .hasMessageContaining("register %0 is read before it is written");
  }
}
