package io.gpdb.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.Protocol;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** More states for each site: {@code -Dgpdb.crash.site-states=N}. */
class SiteOmissionsTest {
  private static final long STATES = Long.getLong("gpdb.crash.site-states", 200);
  private static final long SEED = Long.getLong("gpdb.seed", 1);

  /** Why each of these is there although no crash shows it: docs/internals/exploration.md. */
  private static final Set<String> REDUNDANT =
      Set.of(
          "HomeImage.create sync of names",
          "GridApplyUpdate.undoStore drain",
          "GridApplyBatch.undoStore drain",
          "GridInsert.run drain",
          "Chunk.writeBound flush");

  private static boolean isHunted(String site) {
    return !REDUNDANT.contains(withoutLine(site));
  }

  private static String withoutLine(String site) {
    return site.replaceFirst(":\\d+", "");
  }

  @ParameterizedTest
  @EnumSource(names = {"REDO", "UNDO", "VERSIONED", "CHECKSUMMED", "AUTO"})
  void everyPersistThatIsLeftOutIsCaught(Protocol protocol) {
    List<SiteOmissions.Omission> omissions =
        new SiteOmissions(protocol, STATES, SEED).of(SiteOmissionsTest::isHunted).run(2);
    assertThat(omissions)
        .hasSizeGreaterThanOrEqualTo(18)
        .allMatch(SiteOmissions.Omission::isCaught);
  }

  @ParameterizedTest
  @EnumSource(names = {"UNDO", "CHECKSUMMED"})
  void nothingIsCaughtWhereNothingIsLeftOut(Protocol protocol) {
    List<SiteOmissions.Omission> omissions =
        new SiteOmissions(protocol, STATES, SEED)
            .pretended()
            .of(site -> site.startsWith("UndoLog.persist") || site.startsWith("Wal"))
            .run(2);
    assertThat(omissions).isNotEmpty().noneMatch(SiteOmissions.Omission::isCaught);
  }
}
