package io.gpdb.exec.cuda;

/**
 * What the device asks of the CUDA driver, for one GPU. Addresses are those of unified addressing:
 * one space for the GPU's memory and the host's. Thread-safe, from any thread. A method that fails
 * throws a {@code GpdbException} that names the call.
 */
interface CudaDriver extends HostPages, AutoCloseable {
  /** The GPU's name and the bytes of its memory, for people. */
  String description();

  /** The bytes of the GPU's memory. */
  long memoryBytes();

  /** How many bytes of it are read or written in a second, at most; 0 where it is not known. */
  long bandwidth();

  /** Memory of the GPU, aligned to 256 bytes; OUT_OF_MEMORY when there is none. */
  long allocate(long bytes);

  void free(long address);

  /** Compiles a module of PTX and returns the handle of its entry. */
  long load(String ptx, String entry);

  /** An order of work that waits for no other. */
  long openStream();

  void closeStream(long stream);

  void copy(long to, long from, long bytes, long stream);

  void fill(long address, byte value, long bytes, long stream);

  /**
   * Gives a launch to a stream.
   *
   * @param parameters what the entry takes, one after the other
   */
  void launch(long entry, int blocks, int blockSize, long[] parameters, long stream);

  /** Returns when the stream's work has ended. */
  void await(long stream);

  @Override
  void close();
}
