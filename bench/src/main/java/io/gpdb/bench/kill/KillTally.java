package io.gpdb.bench.kill;

import java.util.ArrayList;
import java.util.List;

/** The outcomes of the kills of one setting. */
final class KillTally {
  int kills;
  int endedBefore;
  int inOpening;
  int inWork;
  int inClosing;
  int verified;
  int backups;
  long acknowledged;
  long counted;
  int keptUnacknowledged;
  int lostUnacknowledged;
  int notGuaranteed;
  final List<Double> recoverySeconds = new ArrayList<>();

  /** From each kill until the process was gone, which a GPU's driver may take seconds for. */
  final List<Double> endingSeconds = new ArrayList<>();
}
