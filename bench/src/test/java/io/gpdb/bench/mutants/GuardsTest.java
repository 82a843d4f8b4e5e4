package io.gpdb.bench.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Guards that were once left out without a test noticing, and places that only one test notices:
 * each is changed here, and its test must fail.
 */
class GuardsTest {
  private static final List<Guard> GUARDS =
      List.of(
          new Guard(
              "txn.commit.GroupCommit",
              "putRecord(",
              MutationKind.CALL_REMOVED,
              "GroupCommit.awaitEarlier",
              0,
              "txn.log.SegmentChangeTest#aSegmentIsMadeWhenAllRecordsBeforeItAreDurable"),
          new Guard(
              "txn.log.Wal",
              "retire(",
              MutationKind.PAGE_MORE,
              "",
              0,
              "txn.log.SegmentChangeTest#aCheckpointBesideCommitsLeavesTheFileOfWhatItDoesNotHold"),
          new Guard(
              "txn.protocol.UndoProtocol",
              "lambda$beforeCheckpoint",
              MutationKind.BOUNDARY,
              "IFGT",
              0,
              "txn.UndoGuardsTest#aCheckpointWaitsForTheMarksOfAllThatItHolds"),
          new Guard(
              "txn.reclaim.VersionReclaim",
              "mergeAll(",
              MutationKind.NEVER_JUMPS,
              "IFGT",
              0,
              "txn.VersionReclaimTest#versionsBehindACommitThatIsNotHereAreNotMerged"),
          new Guard(
              "txn.reclaim.VersionReclaim$DroppedTable",
              "isSeenBySome(",
              MutationKind.BOUNDARY,
              "IFLT",
              0,
              "txn.VersionReclaimTest#aDroppedTableIsKeptForTheSnapshotAtItsCreation"),
          new Guard(
              "txn.version.TabletVersions",
              "anyOlderState(",
              MutationKind.LOOP_ONCE,
              "",
              0,
              "txn.IsolationLevelTest#aKeyThatAnOpenTransactionChangedTwiceIsNotFree"),
          new Guard(
              "txn.version.TableReads",
              "widen(",
              MutationKind.MATH,
              "LOR",
              0,
              "txn.IsolationLevelTest#tooManyKeysThatWereNotFoundCountAsTheirColumns"),
          new Guard(
              "txn.protocol.UndoLog",
              "regionIsWhole(",
              MutationKind.NEVER_JUMPS,
              "IF_ICMPNE",
              0,
              "txn.UndoGuardsTest#aDamagedRegionIsRefusedWhereItWouldBePutBack"),
          new Guard(
              "txn.protocol.UndoLog",
              "rollBack(",
              MutationKind.CALL_REMOVED,
              "UndoLog.requireWhole",
              0,
              "txn.UndoGuardsTest#aDamagedRegionIsRefusedWhereItWouldBePutBack"),
          new Guard(
              "txn.version.Snapshots",
              "follow(",
              MutationKind.ALWAYS_JUMPS,
              "IFEQ",
              0,
              "txn.version.SnapshotsTest#aSnapshotIsNeverBetweenTwoThatAMergeWasToldOf"),
          new Guard(
              "txn.protocol.UndoLog",
              "readFileHeader(",
              MutationKind.NEVER_JUMPS,
              "IF_ICMPGT",
              0,
              "txn.protocol.DurabilityGuardsTest#anUndoLogOfALaterVersionIsRefused"),
          new Guard(
              "txn.protocol.Poison",
              "isOfMedium(",
              MutationKind.NEVER_JUMPS,
              "IF_ACMPEQ",
              0,
              "txn.protocol.DurabilityGuardsTest#failuresOfTheMediumPoison"),
          new Guard(
              "txn.log.Wal",
              "eraseTail(",
              MutationKind.CALL_REMOVED,
              "PersistentMemory.store",
              0,
              "txn.protocol.DurabilityGuardsTest#aRecordWhoseValuesDidNotArriveIsErasedDurably"),
          new Guard(
              "txn.log.Wal",
              "eraseTail(",
              MutationKind.CALL_REMOVED,
              "PersistentMemory.persist",
              0,
              "txn.protocol.DurabilityGuardsTest#aRecordWhoseValuesDidNotArriveIsErasedDurably"),
          new Guard(
              "txn.protocol.UndoPutBack",
              "add(",
              MutationKind.CALL_REMOVED,
              "UndoPutBack.finish",
              0,
              "txn.protocol.DurabilityGuardsTest#oldValuesOfBothKindsOfLogsArePutBackNewestFirst"),
          new Guard(
              "txn.commit.ExtentWrites$Rows",
              "with(",
              MutationKind.CALL_REMOVED,
              "Bitmaps.setRange",
              0,
              "txn.protocol.DurabilityGuardsTest#rowsOfAnEarlierVersionCountInATabletThatGrew"),
          new Guard(
              "txn.SnapshotCopies",
              "image(",
              MutationKind.CALL_REMOVED,
              "TabletVersions.patchValidity",
              0,
              "txn.CheckpointBesideWritersTest#nullsAndRowsOfAnOpenTransactionAreNotInIt(io.gpdb.txn.api.Protocol)"),
          new Guard(
              "txn.SnapshotCopies",
              "includes(",
              MutationKind.NEVER_JUMPS,
              "IFEQ",
              0,
              "txn.CheckpointBesideWritersTest#aTableThatAnOpenTransactionMadeIsNotInIt"),
          new Guard(
              "txn.protocol.ChosenProtocol",
              "mayAdopt(",
              MutationKind.NEVER_JUMPS,
              "IFNE",
              0,
              "txn.InPlaceMixtureTest#aColumnThatAnotherIsUpdatingIsNotTakenInPlace"),
          new Guard(
              "txn.recovery.Recovery",
              "rollBackInPlace(",
              MutationKind.CALL_REMOVED,
              "Recovery.requireMarkedCommit",
              0,
              "txn.protocol.LostCommitTest#aDamagedLastRecordIsRefusedBesideAnOpenTransaction"),
          new Guard(
              "txn.version.StatementSnapshot",
              "end(",
              MutationKind.STORE_REMOVED,
              "ended",
              0,
              "txn.protocol.RareCasesTest#aSnapshotThatEndedTwiceLeavesItsSuccessorAlone"),
          new Guard(
              "txn.commit.CommitRecords",
              "durable(",
              MutationKind.CALL_REMOVED,
              "LoggedStrings.durable",
              0,
              "txn.protocol.RareCasesTest#stringsThatTheLogHoldsAreForgotten"),
          new Guard(
              "storage.space.Checkpoint",
              "writeTable(",
              MutationKind.MATH,
              "IOR",
              0,
              "storage.space.TableSpaceTest#aTabletBehindTheSnapshotIsLeftToTheNextCheckpoint"),
          new Guard(
              "txn.commit.CommitRecords",
              "<init>(",
              MutationKind.LOOP_ONCE,
              "",
              0,
              "txn.recovery.RecoveredTablesTest#everyStringOfEveryTableIsThere(io.gpdb.txn.api.Protocol)"),
          new Guard(
              "txn.recovery.Replay",
              "delete(",
              MutationKind.CALL_REMOVED,
              "GridReplay.clearLive",
              0,
              "txn.recovery.RecoveredTablesTest#deletedAndUpdatedRowsAreSoAfterACrash(int)"),
          new Guard(
              "txn.version.VersionMerge",
              "rowWrites(",
              MutationKind.CALL_REMOVED,
              "VersionMerge.addUpdate",
              0,
              "txn.VersionReclaimTest#columnsThatWereChangedInOtherRowsAreMerged"),
          new Guard(
              "txn.protocol.UndoProtocol",
              "finish(",
              MutationKind.CALL_REMOVED,
              "UndoLog.reset",
              0,
              "txn.protocol.UndoRecordsTest#transactionsThatAreRolledBackDoNotFillTheFile"),
          new Guard(
              "storage.tablet.CheckpointWrites",
              "takeBack(",
              MutationKind.CALL_REMOVED,
              "Chunk.markDirty",
              0,
              "storage.space.FailedCheckpointTest#valuesOfTheLogThatAFailedCheckpointTookAreTakenByTheNext"),
          new Guard(
              "exec.library.sort.Top$FewOffer",
              "finish(",
              MutationKind.NEVER_JUMPS,
              "IFNE",
              1,
              "exec.library.sort.GridSortTest#topRowsAreTheHeadWhereSmallTabletsAreOfferedFirst"),
          new Guard(
              "storage.memory.MemoryAccount",
              "give(",
              MutationKind.CALL_REMOVED,
              "MemoryAccount.discharge",
              0,
              "storage.memory.DatabaseMemoryTest#theEndOfAStatementGivesBackWhatWasLeft"),
          new Guard(
              "storage.memory.HeldBlocks",
              "close(",
              MutationKind.CALL_REMOVED,
              "List.forEach",
              0,
              "storage.memory.DatabaseMemoryTest#theEndOfAStatementGivesBackWhatWasLeft"));

  @Test
  void everyGuardHasATestThatFailsWithoutIt(@TempDir Path scratch) throws IOException {
    assertThat(Guard.unnoticed(GUARDS, "txn", scratch)).isEmpty();
  }
}
