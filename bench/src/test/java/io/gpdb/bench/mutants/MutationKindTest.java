package io.gpdb.bench.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongUnaryOperator;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of a small class, compiled with all that debuggers want, as the build does it. */
class MutationKindTest {
  private static final String SOURCE =
      """
      import java.util.List;
      import java.util.function.LongUnaryOperator;
      public class Sample implements LongUnaryOperator {
        private long last;
        @Override public long applyAsLong(long n) {
          long sum = 0;
          for (long i = 1; i <= n; i++) {
            List<Long> turn = List.of(i);
            sum += turn.get(0);
          }
          note(sum);
          return last;
        }
        private void note(long sum) { last = sum; }
        int first(int[] of, int wanted) {
          int at = 0;
          while (true) {
            int found = of[at];
            if (found == wanted) { return at; }
            if (found < 0) { at += 2; continue; }
            at++;
          }
        }
      }
      """;

  private static final MutationKind[] NEEDED = {
    MutationKind.NEVER_JUMPS,
    MutationKind.ALWAYS_JUMPS,
    MutationKind.BOUNDARY,
    MutationKind.LOOP_ONCE,
    MutationKind.PAGE_MORE,
    MutationKind.PAGE_LESS,
    MutationKind.CALL_REMOVED,
    MutationKind.STORE_REMOVED,
    MutationKind.MATH,
    MutationKind.INCREMENT
  };

  /** Loads the class that the bytes are, checked as any other. */
  private static final class Loader extends ClassLoader {
    Class<?> load(byte[] file) {
      return defineClass(null, file, 0, file.length);
    }
  }

  private static byte[] sample(Path folder) throws IOException {
    Path source = Files.writeString(folder.resolve("Sample.java"), SOURCE);
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-g", "-d", folder.toString(), source.toString());
    assertThat(status).isZero();
    return Files.readAllBytes(folder.resolve("Sample.class"));
  }

  private static LongUnaryOperator mutant(byte[] file, MutationPoint point)
      throws ReflectiveOperationException {
    byte[] changed = new ClassChange(MutationKindTest.class.getClassLoader()).mutate(file, point);
    return (LongUnaryOperator) new Loader().load(changed).getConstructor().newInstance();
  }

  private static long answer(byte[] file, MutationKind kind) throws ReflectiveOperationException {
    List<MutationPoint> points =
        PointFinder.points(file).stream()
            .filter(p -> p.kind() == kind && p.method().startsWith("applyAsLong"))
            .toList();
    assertThat(points).as(kind.name()).isNotEmpty();
    return mutant(file, points.getFirst()).applyAsLong(10);
  }

  @Test
  void everyChangeLeavesAClassThatLoads(@TempDir Path folder) throws Exception {
    byte[] file = sample(folder);
    for (MutationPoint point : PointFinder.points(file)) {
      assertThat(mutant(file, point)).as(point.toString()).isNotNull();
    }
    assertThat(PointFinder.points(file).stream().map(MutationPoint::kind)).contains(NEEDED);
  }

  @Test
  void aChangedLoopOrPlaceDoesWhatItsNameSays(@TempDir Path folder) throws Exception {
    byte[] file = sample(folder);
    assertThat(answer(file, MutationKind.LOOP_ONCE)).isEqualTo(1);
    assertThat(answer(file, MutationKind.PAGE_LESS)).isZero();
    assertThat(answer(file, MutationKind.PAGE_MORE)).isEqualTo(4106L * 4107 / 2);
    assertThat(answer(file, MutationKind.BOUNDARY)).isEqualTo(45);
    assertThat(answer(file, MutationKind.CALL_REMOVED)).isZero();
  }
}
