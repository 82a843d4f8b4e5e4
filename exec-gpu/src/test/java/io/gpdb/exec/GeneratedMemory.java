package io.gpdb.exec;

import java.util.ArrayList;
import java.util.List;

/** The numbers of a generated kernel's buffers and shared arrays. */
final class GeneratedMemory {
  /** Common elements: a range of its own for each commuting atomic operation. */
  static final int COMMON_RANGE = 8;

  static final int COMMON_ELEMENTS = 5 * COMMON_RANGE;
  static final int LOGS = 3;
  static final int LOG_WORDS_MAX = 5;

  /** By element. */
  final List<Integer> inputs = new ArrayList<>();

  final List<Integer> inputLengths = new ArrayList<>();
  final List<Integer> outputs = new ArrayList<>();
  final List<Integer> shared = new ArrayList<>();

  /** I32, I64. */
  final List<Integer> common = new ArrayList<>();

  final List<Integer> own = new ArrayList<>();
  final List<Integer> sharedCommon = new ArrayList<>();
  int log;
}
