package io.gpdb.txn.version;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableReadsTest {
  @Test
  void whatAScanCoversTakesNoMemory() {
    TableReads reads = new TableReads(null);
    assertThat(reads.row(5, 0b01)).isTrue();
    assertThat(reads.row(5, 0b01)).isFalse();
    reads.scanned(0b01);
    assertThat(reads.row(6, 0b01)).isFalse();
    assertThat(reads.row(6, 0b11)).isTrue();
    assertThat(reads.points()).isEqualTo(2);
  }
}
