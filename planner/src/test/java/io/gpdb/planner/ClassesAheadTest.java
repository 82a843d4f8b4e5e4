package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassesAheadTest {
  /** Without that they would be passed over one and all, and nothing would be said. */
  @Test
  void theNamesAreOfClassesThatAreHere() throws IOException {
    List<String> planning = ClassesAhead.PLANNING.names();
    assertThat(planning)
        .hasSizeGreaterThan(2000)
        .contains("io.gpdb.planner.StatementPlanner", "org.apache.calcite.rex.RexBuilder")
        .doesNotHaveDuplicates();
    assertThat(planning.stream().filter(name -> !isHere(name)).count())
        .isLessThan(planning.size() / 50);
  }

  /** The driver's and the session's are behind this module, and not here. */
  @Test
  void whatOpensADatabaseIsRead() throws IOException {
    assertThat(ClassesAhead.OPENING.names())
        .hasSizeGreaterThan(400)
        .contains("io.gpdb.storage.tablet.Tablet", "org.slf4j.LoggerFactory")
        .doesNotHaveDuplicates()
        .allMatch(name -> isHere(name) || name.matches("io\\.gpdb\\.(jdbc|session)\\..*"));
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
