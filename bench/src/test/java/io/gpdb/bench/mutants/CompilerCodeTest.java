package io.gpdb.bench.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the compiler writes on its own is not changed, and what looks like it is. */
class CompilerCodeTest {
  private static final String SOURCE =
      """
      import java.util.ArrayList;
      import java.util.List;
      import java.util.concurrent.locks.Lock;
      record Sample(int a, String b, int c) {
        public int c() {
          return c + 1;
        }
        void returns(Lock lock, Runnable work) {
          lock.lock();
          try {
            work.run();
          } finally {
            lock.unlock();
          }
        }
        void fails(Lock lock) {
          try {
            throw new IllegalStateException();
          } finally {
            lock.unlock();
          }
        }
        void closes(Iterable<Reader> readers, Runnable work) {
          try (Reader first = readers.iterator().next()) {
            work.run();
          }
        }
        void closesOnItsOwn(Reader reader) {
          if (reader != null) {
            reader.close();
          }
        }
        List<String> list() {
          return new ArrayList<>(16);
        }
        int checked(long at, int rows, Runnable undo) {
          if (at >= rows + 7) {
            throw refused("at " + (at + 2), rows - 1);
          }
          if (rows == 9) {
            undo.run();
            throw refused("", 3);
          }
          if (at < 0) {
            return 5;
          }
          return 4;
        }
        static RuntimeException refused(String what, int rows) {
          return new IllegalStateException(what + rows);
        }
        static final class Growing {
          private int[] numbers = new int[4];
          private final long[] others;
          Growing(int n) {
            others = new long[n + 2];
          }
          int[] copy() {
            return new int[3];
          }
        }
        interface Reader extends AutoCloseable {
          @Override void close();
        }
      }
      """;

  private static List<MutationPoint> points;
  private static List<MutationPoint> ofGrowing;

  @BeforeAll
  static void compile(@TempDir Path folder) throws Exception {
    Path source = Files.writeString(folder.resolve("Sample.java"), SOURCE);
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-g", "-d", folder.toString(), source.toString());
    assertThat(status).isZero();
    points = PointFinder.points(Files.readAllBytes(folder.resolve("Sample.class")));
    ofGrowing = PointFinder.points(Files.readAllBytes(folder.resolve("Sample$Growing.class")));
  }

  private static List<String> of(String method) {
    return points.stream()
        .filter(p -> p.method().startsWith(method + "("))
        .map(p -> p.kind() + " " + p.detail())
        .toList();
  }

  @Test
  void aFinallyBlockIsChangedOnce() {
    assertThat(of("returns"))
        .containsExactly(
            "CALL_REMOVED Lock.lock", "CALL_REMOVED Runnable.run", "CALL_REMOVED Lock.unlock");
  }

  @Test
  void aFinallyBlockForFailuresAloneIsChanged() {
    assertThat(of("fails")).containsExactly("CALL_REMOVED Lock.unlock");
  }

  @Test
  void aResourceIsNotClosedButAlwaysAskedFor() {
    assertThat(of("closes"))
        .containsExactly("CALL_REMOVED Runnable.run", "CALL_REMOVED Sample$Reader.close");
    assertThat(of("closesOnItsOwn"))
        .containsExactly(
            "NEVER_JUMPS IFNULL", "ALWAYS_JUMPS IFNULL", "CALL_REMOVED Sample$Reader.close");
  }

  @Test
  void methodsOfRecordsAndCapacitiesAreNotChanged() {
    assertThat(of("equals")).isEmpty();
    assertThat(of("list")).isEmpty();
    assertThat(of("a")).isEmpty();
    assertThat(of("c")).contains("RETURNS_ZERO ");
  }

  /** What is done before the throw is, and the conditions. */
  @Test
  void whatIsSaidOfAFailureIsNotChanged() {
    assertThat(of("checked"))
        .containsExactly(
            "CONSTANT 7",
            "MATH IADD",
            "PAGE_MORE ",
            "PAGE_LESS ",
            "NEVER_JUMPS IFLT",
            "ALWAYS_JUMPS IFLT",
            "BOUNDARY IFLT",
            "CONSTANT 9",
            "NEVER_JUMPS IF_ICMPNE",
            "ALWAYS_JUMPS IF_ICMPNE",
            "CALL_REMOVED Runnable.run",
            "CONSTANT 0",
            "NEVER_JUMPS IFGE",
            "ALWAYS_JUMPS IFGE",
            "BOUNDARY IFGE",
            "CONSTANT 5",
            "CONSTANT 4");
  }

  @Test
  void theRoomOfAnArrayThatAFieldBeginsWithIsNotChanged() {
    assertThat(ofGrowing.stream().map(p -> p.kind() + " " + p.detail()))
        .containsExactly("CONSTANT 2", "MATH IADD", "CONSTANT 3");
  }
}
