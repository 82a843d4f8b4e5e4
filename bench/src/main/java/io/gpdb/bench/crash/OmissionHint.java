package io.gpdb.bench.crash;

import io.gpdb.txn.api.Protocol;
import java.util.List;

/**
 * Where a crash is known to show that a site was left out, for sites that many hunts before would
 * not show. It only says where the search begins: a hint that is wrong costs time.
 *
 * @param site as {@link PersistSites} names it, without its line
 * @param moment before which a process was killed whose successor recovers without the site; empty
 *     where the workload itself runs without it
 */
record OmissionHint(String site, Protocol protocol, Workload workload, String moment) {
  private static final List<OmissionHint> ALL =
      List.of(
          new OmissionHint(
              "UndoLog.persistWhatWasRead flush",
              Protocol.UNDO,
              Workload.ROLLBACKS,
              "FLUSH undo.gpdb:512, DRAIN undo.gpdb:0"),
          new OmissionHint(
              "UndoLog.persistWhatWasRead flush",
              Protocol.UNDO,
              Workload.STATEMENTS,
              "DRAIN wal-.gpdb:0, DRAIN undo.gpdb:0"),
          new OmissionHint(
              "UndoLog.persistWhatWasRead drain",
              Protocol.UNDO,
              Workload.STATEMENTS,
              "DRAIN wal-.gpdb:0, DRAIN undo.gpdb:0"),
          new OmissionHint(
              "HomeImage.persistSuperblock drain", Protocol.REDO, Workload.REUSED_CODES, ""),
          new OmissionHint(
              "HomeImage.persistSuperblock drain",
              Protocol.UNDO,
              Workload.STATEMENTS,
              "FLUSH home.gpdb:4096, DRAIN home.gpdb:0"),
          new OmissionHint(
              "HomeImage.persistSuperblock drain",
              Protocol.VERSIONED,
              Workload.STATEMENTS,
              "FLUSH home.gpdb:0, DRAIN home.gpdb:0"),
          new OmissionHint(
              "HomeImage.persistSuperblock flush",
              Protocol.UNDO,
              Workload.STATEMENTS,
              "FLUSH home.gpdb:0, DRAIN home.gpdb:0"),
          new OmissionHint(
              "HomeImage.writeSuperblock drain", Protocol.UNDO, Workload.DEFINITIONS, ""),
          new OmissionHint(
              "HomeImage.writeSuperblock drain", Protocol.VERSIONED, Workload.LOG_FILES, ""),
          new OmissionHint(
              "WalReader.persist sync of names",
              Protocol.REDO,
              Workload.STATEMENTS,
              "NAMES home.gpdb.new:0, NAMES :0"),
          new OmissionHint(
              "WalReader.persist sync of names",
              Protocol.UNDO,
              Workload.STATEMENTS,
              "NAMES home.gpdb.new:0, NAMES :0"),
          new OmissionHint(
              "WalReader.persist sync of names",
              Protocol.VERSIONED,
              Workload.STATEMENTS,
              "NAMES home.gpdb.new:0, NAMES :0"),
          new OmissionHint(
              "WalReader.persist sync of names",
              Protocol.CHECKSUMMED,
              Workload.STATEMENTS,
              "NAMES home.gpdb.new:0, NAMES :0"),
          new OmissionHint(
              "WalReader.persist flush",
              Protocol.UNDO,
              Workload.STATEMENTS,
              "FLUSH wal-.gpdb:0, DRAIN wal-.gpdb:0"),
          new OmissionHint(
              "WalReader.persist flush",
              Protocol.VERSIONED,
              Workload.STATEMENTS,
              "FLUSH wal-.gpdb:0, DRAIN wal-.gpdb:0"),
          new OmissionHint("WalReader.persist drain", Protocol.UNDO, Workload.KILLS_AT_PLACES, ""),
          new OmissionHint("UndoDraft.clearLastGroup flush", Protocol.UNDO, Workload.LOG_FILES, ""),
          new OmissionHint(
              "UndoPutBack.add flush",
              Protocol.UNDO,
              Workload.STATEMENTS,
              "DRAIN home.gpdb:0, DRAIN home.gpdb:0"),
          new OmissionHint(
              "UndoPutBack.add flush",
              Protocol.UNDO,
              Workload.ROLLBACKS,
              "DRAIN home.gpdb:0, DRAIN home.gpdb:0"),
          new OmissionHint(
              "UndoPutBack.add drain",
              Protocol.UNDO,
              Workload.STATEMENTS,
              "DRAIN home.gpdb:0, DRAIN home.gpdb:0"),
          new OmissionHint("SpareFiles.create drain", Protocol.UNDO, Workload.KILLS, ""),
          new OmissionHint("Chunk.storeHome flush", Protocol.UNDO, Workload.FEW_ROWS, ""));

  static List<OmissionHint> of(Protocol protocol) {
    return ALL.stream().filter(hint -> hint.protocol == protocol).toList();
  }

  /** Of all sites of the method that do the same act. */
  static List<OmissionHint> of(Protocol protocol, String site) {
    return of(protocol).stream().filter(hint -> hint.isOf(site)).toList();
  }

  boolean isOf(String siteWithLine) {
    return site.equals(siteWithLine.replaceFirst(":\\d+", ""));
  }

  /** Whether the search begins there. */
  boolean names(Setting setting, String killedBefore) {
    return setting.workload() == workload && moment.equals(killedBefore);
  }
}
