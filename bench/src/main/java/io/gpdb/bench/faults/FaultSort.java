package io.gpdb.bench.faults;

/** What is done to a database. */
enum FaultSort {
  DISK_FULL("disk full"),
  FAILED_WRITE("write or sync fails"),
  SHORT_WRITE("write takes a part"),
  FLIPPED_BIT("bit flipped"),
  CUT_FILE("file cut"),
  DELETED_FILE("file deleted");

  private final String text;

  FaultSort(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
