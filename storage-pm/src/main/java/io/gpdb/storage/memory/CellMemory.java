package io.gpdb.storage.memory;

/** Memory of a device that brings cells to the host together, and takes them back. */
public interface CellMemory {
  /** Brings all cells, which are of this memory or the host's, to the host, as of now. */
  void fetch(Cells cells);

  /** Stores what the host has of all cells, each of which it has set. */
  void store(Cells cells);
}
