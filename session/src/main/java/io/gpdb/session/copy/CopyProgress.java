package io.gpdb.session.copy;

/** Is told now and then, by the thread that runs a COPY, how far it is. */
@FunctionalInterface
public interface CopyProgress {
  CopyProgress SILENT = (rows, bytesDone, bytesTotal) -> {};

  /**
   * Bytes are those of the file itself, compressed or not; {@code bytesTotal} is 0 when the end is
   * not known.
   */
  void at(long rows, long bytesDone, long bytesTotal);
}
