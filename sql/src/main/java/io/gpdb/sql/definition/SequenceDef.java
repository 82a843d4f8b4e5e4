package io.gpdb.sql.definition;

import io.gpdb.sql.catalog.Sequences;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;

/**
 * A sequence as the catalog knows it: what its numbers are, not how far they have been taken, which
 * {@link Sequences} knows under the number of the sequence's state. RESTART gives the sequence
 * another state, so that it is undone as any other change of the catalog.
 *
 * @param start the first number, also after a RESTART that says no other
 * @param cycles whether it begins again at its other end
 * @param cache how many numbers are reserved at a time
 * @param stateId the number of its state, new with each RESTART
 * @param first the number that the state begins with
 * @param owned whether it belongs to an identity column and has no name in statements
 */
public record SequenceDef(
    int sequenceId,
    String schema,
    String name,
    SqlTypeSpec type,
    long start,
    long increment,
    long minimum,
    long maximum,
    boolean cycles,
    int cache,
    int stateId,
    long first,
    boolean owned) {
  /** Numbers reserved at a time where nobody says how many. */
  public static final int CACHE_STANDARD = 100;

  /** Numbers reserved at a time, at most. */
  public static final int CACHE_MAX = 1_000_000;

  public ObjectName fullName() {
    return new ObjectName(schema, name);
  }

  public SequenceDef withIds(int id, int state) {
    return new SequenceDef(
        id, schema, name, type, start, increment, minimum, maximum, cycles, cache, state, first,
        owned);
  }

  /** The sequence from another number on, with a state that is yet to be numbered. */
  public SequenceDef restarted(long from) {
    return new SequenceDef(
        sequenceId,
        schema,
        name,
        type,
        start,
        increment,
        minimum,
        maximum,
        cycles,
        cache,
        -1,
        from,
        owned);
  }

  /** The first number of what is left when the other end is reached. */
  public long afterEnd() {
    return increment > 0 ? minimum : maximum;
  }

  /** The sequence after that number of numbers from its start; 2200H where it has no more. */
  public SequenceDef after(long numbers) {
    int wanted = (int) Math.min(numbers + 1, Integer.MAX_VALUE);
    if (room(start, wanted) < numbers + 1) {
      throw new GpdbException(
          SqlCondition.SEQUENCE_EXHAUSTED,
          "a sequence from "
              + start
              + " by "
              + increment
              + " has no more than "
              + numbers
              + " numbers for the rows that are there, and one more");
    }
    return restarted(start + numbers * increment);
  }

  boolean includes(long number) {
    return number >= minimum && number <= maximum;
  }

  /** How many numbers there are from one that it includes to its end, or {@code limit} if more. */
  public int room(long from, int limit) {
    long end = increment > 0 ? maximum : minimum;
    // Unsigned: the distance of any two longs.
    long steps = Long.divideUnsigned(increment > 0 ? end - from : from - end, magnitude());
    return Long.compareUnsigned(steps, limit) >= 0 ? limit : (int) Math.min(limit, steps + 1);
  }

  /** The size of a step, unsigned. */
  private long magnitude() {
    return increment > 0 ? increment : -increment;
  }

  /** Whether another number comes after this one without a new beginning. */
  public boolean hasNext(long number) {
    long end = increment > 0 ? maximum : minimum;
    long distance = increment > 0 ? end - number : number - end;
    return includes(number) && Long.compareUnsigned(distance, magnitude()) >= 0;
  }
}
