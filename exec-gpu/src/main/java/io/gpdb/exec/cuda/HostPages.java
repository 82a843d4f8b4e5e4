package io.gpdb.exec.cuda;

/** Which pages of the host's memory GPUs reach. Thread-safe. */
interface HostPages {
  /**
   * Lets kernels reach whole pages of the host's memory at the addresses that the host uses.
   *
   * @param readOnly whether kernels only load from them: enough for pages the host may not write
   * @return whether the system allows it for these pages
   */
  boolean register(long address, long bytes, boolean readOnly);

  void unregister(long address);
}
