package io.gpdb.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.api.Protocol;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** More states for each site: {@code -Dgpdb.crash.site-states=N}. */
class SiteOmissionsTest {
  private static final long DEFAULT_STATES = 200;
  private static final long STATES = Long.getLong("gpdb.crash.site-states", DEFAULT_STATES);
  private static final int THREADS = 2;
  private static final long DEFAULT_SEED = 1;
  private static final long SEED = Long.getLong("gpdb.seed", DEFAULT_SEED);

  /** Why each of these is there although no crash shows it: docs/internals/exploration.md. */
  private static final Set<String> REDUNDANT =
      Set.of(
          "HomeImage.create sync of names",
          "GridApplyBatch.undoStore drain",
          "GridInsert.run drain",
          "Chunk.writeBound flush");

  private static boolean isHunted(String site) {
    return !REDUNDANT.contains(withoutLine(site));
  }

  private static boolean isOfTheLogs(String site) {
    return site.startsWith("UndoLog.persist") || site.startsWith("Wal");
  }

  private static String withoutLine(String site) {
    return site.replaceFirst(":\\d+", "");
  }

  /** {@code auto} reaches no site that these do not reach, in more time than all of them. */
  @ParameterizedTest
  @EnumSource(names = {"REDO", "UNDO", "VERSIONED", "CHECKSUMMED"})
  void everyPersistThatIsLeftOutIsCaughtAndNothingElse(Protocol protocol) {
    SiteCensus.Sample sample =
        STATES > DEFAULT_STATES ? SiteCensus.Sample.LARGE : SiteCensus.Sample.SMALL;
    ProtocolSites sites = ProtocolSites.of(protocol, SEED, sample, THREADS);
    assertThat(SEED == DEFAULT_SEED ? sites.idleHints() : List.of()).isEmpty();
    assertThat(new SiteOmissions(sites, STATES).of(SiteOmissionsTest::isHunted).run(THREADS))
        .hasSizeGreaterThanOrEqualTo(18)
        .allMatch(SiteOmissions.Omission::isCaught);
    assertThat(
            new SiteOmissions(sites, Math.ceilDiv(STATES, 16)) // which nothing cuts short
                .pretended()
                .of(SiteOmissionsTest::isOfTheLogs)
                .run(THREADS))
        .isNotEmpty()
        .noneMatch(SiteOmissions.Omission::isCaught);
  }
}
