package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassesAheadTest {
  /** Without that they would be passed over one and all, and nothing would be said. */
  @Test
  void theNamesAreOfClassesThatAreHere() throws IOException {
    List<String> names = ClassesAhead.names();
    assertThat(names)
        .hasSizeGreaterThan(2000)
        .contains("io.gpdb.planner.StatementPlanner", "org.apache.calcite.rex.RexBuilder")
        .doesNotHaveDuplicates();
    assertThat(names.stream().filter(name -> !isHere(name)).count()).isLessThan(names.size() / 50);
  }

  private static boolean isHere(String name) {
    try {
      Class.forName(name, false, ClassesAheadTest.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError _) {
      return false;
    }
  }
}
