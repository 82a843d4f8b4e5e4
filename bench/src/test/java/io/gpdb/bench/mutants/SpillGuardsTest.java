package io.gpdb.bench.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guards of operators that spill, and of what they leave: as {@link GuardsTest}, by SQL. */
class SpillGuardsTest {
  private static final List<Guard> GUARDS =
      List.of(
          new Guard(
              "planner.run.join.PartedJoin",
              "probedParts(",
              MutationKind.NEVER_JUMPS,
              "IFGE",
              0,
              "jdbc.JoinSpillTest#joinsOfPartsHaveThePairsOfAllRows"),
          new Guard(
              "planner.run.join.PartedJoin",
              "builtParts(",
              MutationKind.STORE_REMOVED,
              "nullKey",
              0,
              "jdbc.JoinSpillTest#notInOfPartsIsEndedByANull"),
          new Guard(
              "planner.run.join.BlockedJoin",
              "afterBlock(",
              MutationKind.CALL_REMOVED,
              "BlockedJoin.keepUnmatched",
              0,
              "jdbc.JoinSpillTest#aKeyWithMoreRowsThanMemoryHoldsIsJoinedBlockByBlock"),
          new Guard(
              "planner.run.join.RowBlocks",
              "block(",
              MutationKind.CALL_REMOVED,
              "DenseBatch.close",
              0,
              "jdbc.JoinSpillTest#joinsByMarksOfBlocksHaveThePairsOfAllRows"),
          new Guard(
              "planner.run.sort.WindowSlices",
              "added(",
              MutationKind.CALL_REMOVED,
              "WindowSlices.keepFrom",
              0,
              "jdbc.WindowSpillTest#smallPartitionsBesideOneThatMemoryDoesNotHoldKeepTheirRows"),
          new Guard(
              "planner.run.sort.WindowSlices",
              "added(",
              MutationKind.CALL_REMOVED,
              "WindowSlices.spill",
              1,
              "jdbc.WindowSpillTest#smallPartitionsBesideOneThatMemoryDoesNotHoldKeepTheirRows"),
          new Guard(
              "planner.run.sort.TopRowsSource$First",
              "offeredHeld(",
              MutationKind.NEVER_JUMPS,
              "IFGT",
              0,
              "jdbc.FirstRowsSpillTest#fewRowsOfMoreThanMemoryHoldsAreFoundByOneRead"),
          new Guard(
              "exec.library.sort.Top",
              "move(",
              MutationKind.CALL_REMOVED,
              "Scratch.close",
              0,
              "jdbc.FirstRowsSpillTest#theFirstRowsOfATableAreThoseOfAllWithAnyLimit"),
          new Guard(
              "exec.library.sort.Top",
              "move(",
              MutationKind.CALL_REMOVED,
              "Scratch.close",
              1,
              "jdbc.FirstRowsSpillTest#theFirstRowsOfATableAreThoseOfAllWithAnyLimit"),
          new Guard(
              "storage.memory.MemoryAccount",
              "close(",
              MutationKind.CALL_REMOVED,
              "MappedPages.read",
              0,
              "jdbc.FilePagesTest#rowsByKeyKeepNoMorePagesThanThereMayBe"),
          new Guard(
              "storage.memory.MappedPages",
              "look(",
              MutationKind.CALL_REMOVED,
              "Runnable.run",
              0,
              "jdbc.FilePagesTest#aScanKeepsNoMorePagesThanThereMayBe"));

  @Test
  void everyGuardOfSpillingHasATestThatFailsWithoutIt(@TempDir Path scratch) throws IOException {
    assertThat(Guard.unnoticed(GUARDS, "jdbc", scratch)).isEmpty();
  }
}
