package io.gpdb.planner.batch;

import io.gpdb.storage.memory.HostBuffer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The batches of another stream, which is told whatever this one is told and is closed with it.
 * Whoever extends it changes what comes, batch by batch: a batch that it may lose when memory ends
 * must not come by {@link #nextTogether}.
 */
public abstract class ForwardingBatches implements Batches {
  protected final Batches batches;

  /**
   * @param batches closed with this
   */
  protected ForwardingBatches(Batches batches) {
    this.batches = batches;
  }

  @Override
  public @Nullable Batch next() {
    return batches.next();
  }

  @Override
  public @Nullable Batch nextTogether() {
    return batches.nextTogether();
  }

  @Override
  public void expectAll() {
    batches.expectAll();
  }

  @Override
  public void leaveRows(LongFunction<HostBuffer> memory) {
    batches.leaveRows(memory);
  }

  @Override
  public void close() {
    batches.close();
  }
}
