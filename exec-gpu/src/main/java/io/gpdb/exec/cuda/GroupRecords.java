package io.gpdb.exec.cuda;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a launch's groups as the grouped entry reads them; see {@code PtxParameters}.
 */
interface GroupRecords {
  /** Of groups. */
  int count();

  /** The records and numbers where they are in the GPU's memory; null where they are not. */
  default @Nullable CudaBuffer onDevice() {
    return null;
  }

  /** Of the first group: address and length of each buffer, then the scalars. */
  long[] first();

  /** Writes a record for each group, and the number of its group for each block. */
  void write(MemorySegment host, long recordsAt, long numbersAt);
}
