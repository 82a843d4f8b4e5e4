package io.gpdb.session.copy;

/** Called now and then with the progress of a COPY, by the thread that runs it. */
@FunctionalInterface
public interface CopyProgress {
  CopyProgress SILENT = (rows, bytesDone, bytesTotal) -> {};

  /**
   * Bytes are those of the file itself, compressed or not; {@code bytesTotal} is 0 when the end is
   * not known.
   */
  void at(long rows, long bytesDone, long bytesTotal);
}
