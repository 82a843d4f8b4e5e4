package io.gpdb.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.Protocol;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** More states for each site: {@code -Dgpdb.crash.site-states=N}. */
class SiteOmissionsTest {
  private static final long STATES = Long.getLong("gpdb.crash.site-states", 400);

  /** Why each of these is there although no crash shows it: docs/internals/exploration.md. */
  private static final Set<String> REDUNDANT = Set.of("HomeImage.create sync of names");

  @Test
  void everyPersistOfRedoThatIsLeftOutIsCaught() {
    List<SiteOmissions.Omission> omissions = new SiteOmissions(Protocol.REDO, STATES, 1).run(2);
    Set<String> unseen = new TreeSet<>();
    for (SiteOmissions.Omission omission : omissions) {
      if (!omission.isCaught()) {
        unseen.add(omission.site().replaceFirst(":\\d+", ""));
      }
    }
    assertThat(omissions).hasSizeGreaterThanOrEqualTo(12);
    assertThat(unseen).isSubsetOf(REDUNDANT);
  }
}
