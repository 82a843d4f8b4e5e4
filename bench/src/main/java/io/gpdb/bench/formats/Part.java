package io.gpdb.bench.formats;

/**
 * A piece of a file under one checksum.
 *
 * @param structure as docs/internals/file-format.md calls it
 * @param from its first byte in the file
 * @param to the byte behind its last one
 * @param seal puts the checksums right that are over it
 */
record Part(String structure, String file, int from, int to, Runnable seal) {}
