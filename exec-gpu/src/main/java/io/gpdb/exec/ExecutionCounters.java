package io.gpdb.exec;

import io.gpdb.exec.ir.Op.FenceScope;
import io.gpdb.exec.ir.Op.PersistScope;
import java.util.concurrent.atomic.LongAdder;

/** What launches did, in the units a GPU pays for. Thread-safe; every figure only grows. */
public final class ExecutionCounters {
  private final boolean inBlocks;
  private final LongAdder launches = new LongAdder();
  private final LongAdder blocks = new LongAdder();
  private final LongAdder warps = new LongAdder();
  private final LongAdder waits = new LongAdder();
  private final LongAdder barrierNanos = new LongAdder();
  private final LongAdder copies = new LongAdder();
  private final LongAdder bytesCopied = new LongAdder();
  private final LongAdder bytesBound = new LongAdder();
  private final LongAdder boundNanos = new LongAdder();
  private final LongAdder boundNanosLeast = new LongAdder();
  private final LongAdder warpBranches = new LongAdder();
  private final LongAdder divergentBranches = new LongAdder();
  private final LongAdder warpAccesses = new LongAdder();
  private final LongAdder sectors = new LongAdder();
  private final LongAdder lines = new LongAdder();
  private final LongAdder fencesBlock = new LongAdder();
  private final LongAdder fencesDevice = new LongAdder();
  private final LongAdder fencesSystem = new LongAdder();
  private final LongAdder persistsWorkitem = new LongAdder();
  private final LongAdder persistsWorkgroup = new LongAdder();
  private final LongAdder persistsKernel = new LongAdder();
  private final LongAdder bytesLogged = new LongAdder();
  private final LongAdder bytesPersisted = new LongAdder();

  /** Counters of all figures. */
  public ExecutionCounters() {
    this(true);
  }

  /**
   * @param inBlocks whether blocks count what their warps do, for which the emulated device
   *     interprets them; without it launches, waits and copies are counted, and the device works as
   *     it always does
   */
  public ExecutionCounters(boolean inBlocks) {
    this.inBlocks = inBlocks;
  }

  public boolean areInBlocks() {
    return inBlocks;
  }

  public void launched(long blockCount, long warpCount) {
    launches.increment();
    blocks.add(blockCount);
    warps.add(warpCount);
  }

  /** The launching thread had no block left and waited for those of others. */
  public void waitedAtBarrier(long nanos) {
    barrierNanos.add(nanos);
  }

  /** The host waited for the device. */
  public void waited() {
    waits.increment();
  }

  /** Bytes were copied between the host's memory and the device's. */
  public void copied(long bytes) {
    copies.increment();
    bytesCopied.add(bytes);
  }

  /**
   * A launch was given bytes of the device's own memory.
   *
   * @param nanos until it had ended
   * @param nanosLeast that the memory's bandwidth takes for these bytes
   */
  public void bound(long bytes, long nanos, long nanosLeast) {
    bytesBound.add(bytes);
    boundNanos.add(nanos);
    boundNanosLeast.add(nanosLeast);
  }

  /** Warps that reached a branch, and those of them whose active lanes went two ways. */
  public void branched(long warps, long divergentWarps) {
    warpBranches.add(warps);
    divergentBranches.add(divergentWarps);
  }

  /** Warps that accessed a buffer, with the 32-byte sectors and 128-byte lines they touched. */
  public void accessed(long warps, long sectorCount, long lineCount) {
    warpAccesses.add(warps);
    sectors.add(sectorCount);
    lines.add(lineCount);
  }

  /** Fences, one for each warp with an active lane. */
  public void fenced(FenceScope scope, long warps) {
    LongAdder adder =
        switch (scope) {
          case BLOCK -> fencesBlock;
          case DEVICE -> fencesDevice;
          case SYSTEM -> fencesSystem;
        };
    adder.add(warps);
  }

  /** Persist barriers: WORKITEM one for each warp, WORKGROUP for each block, KERNEL a launch. */
  public void persisted(PersistScope scope, long count) {
    LongAdder adder =
        switch (scope) {
          case WORKITEM -> persistsWorkitem;
          case WORKGROUP -> persistsWorkgroup;
          case KERNEL -> persistsKernel;
        };
    adder.add(count);
  }

  /** Bytes of log entries appended. */
  public void logged(long bytes) {
    bytesLogged.add(bytes);
  }

  /** Bytes handed to persist targets, in whole 64-byte lines. */
  public void persistedBytes(long bytes) {
    bytesPersisted.add(bytes);
  }

  public Snapshot snapshot() {
    return new Snapshot(
        launches.sum(),
        blocks.sum(),
        warps.sum(),
        waits.sum(),
        barrierNanos.sum(),
        copies.sum(),
        bytesCopied.sum(),
        bytesBound.sum(),
        boundNanos.sum(),
        boundNanosLeast.sum(),
        warpBranches.sum(),
        divergentBranches.sum(),
        warpAccesses.sum(),
        sectors.sum(),
        lines.sum(),
        fencesBlock.sum(),
        fencesDevice.sum(),
        fencesSystem.sum(),
        persistsWorkitem.sum(),
        persistsWorkgroup.sum(),
        persistsKernel.sum(),
        bytesLogged.sum(),
        bytesPersisted.sum());
  }

  /** The figures at one time. */
  public record Snapshot(
      long launches,
      long blocks,
      long warps,
      long waits,
      long barrierNanos,
      long copies,
      long bytesCopied,
      long bytesBound,
      long boundNanos,
      long boundNanosLeast,
      long warpBranches,
      long divergentBranches,
      long warpAccesses,
      long sectors,
      long lines,
      long fencesBlock,
      long fencesDevice,
      long fencesSystem,
      long persistsWorkitem,
      long persistsWorkgroup,
      long persistsKernel,
      long bytesLogged,
      long bytesPersisted) {

    /** What happened since {@code before}. */
    public Snapshot minus(Snapshot before) {
      return new Snapshot(
          launches - before.launches,
          blocks - before.blocks,
          warps - before.warps,
          waits - before.waits,
          barrierNanos - before.barrierNanos,
          copies - before.copies,
          bytesCopied - before.bytesCopied,
          bytesBound - before.bytesBound,
          boundNanos - before.boundNanos,
          boundNanosLeast - before.boundNanosLeast,
          warpBranches - before.warpBranches,
          divergentBranches - before.divergentBranches,
          warpAccesses - before.warpAccesses,
          sectors - before.sectors,
          lines - before.lines,
          fencesBlock - before.fencesBlock,
          fencesDevice - before.fencesDevice,
          fencesSystem - before.fencesSystem,
          persistsWorkitem - before.persistsWorkitem,
          persistsWorkgroup - before.persistsWorkgroup,
          persistsKernel - before.persistsKernel,
          bytesLogged - before.bytesLogged,
          bytesPersisted - before.bytesPersisted);
    }

    /** Both together. */
    public Snapshot plus(Snapshot other) {
      return new Snapshot(
          launches + other.launches,
          blocks + other.blocks,
          warps + other.warps,
          waits + other.waits,
          barrierNanos + other.barrierNanos,
          copies + other.copies,
          bytesCopied + other.bytesCopied,
          bytesBound + other.bytesBound,
          boundNanos + other.boundNanos,
          boundNanosLeast + other.boundNanosLeast,
          warpBranches + other.warpBranches,
          divergentBranches + other.divergentBranches,
          warpAccesses + other.warpAccesses,
          sectors + other.sectors,
          lines + other.lines,
          fencesBlock + other.fencesBlock,
          fencesDevice + other.fencesDevice,
          fencesSystem + other.fencesSystem,
          persistsWorkitem + other.persistsWorkitem,
          persistsWorkgroup + other.persistsWorkgroup,
          persistsKernel + other.persistsKernel,
          bytesLogged + other.bytesLogged,
          bytesPersisted + other.bytesPersisted);
    }
  }
}
