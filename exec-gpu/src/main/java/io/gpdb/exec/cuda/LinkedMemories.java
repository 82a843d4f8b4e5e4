package io.gpdb.exec.cuda;

/**
 * What the memories of GPUs have in common whose kernels reach all of them. A kernel that reaches
 * another GPU's memory, or a copy from there, is given when that GPU has done what it was given
 * before, and is waited for: no stream orders the work of two GPUs.
 */
final class LinkedMemories {}
