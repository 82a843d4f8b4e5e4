package io.gpdb.exec.library.group.accumulator;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.KernelLimits;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.reduce.Aggregate;
import java.util.ArrayList;
import java.util.List;

/**
 * The i64 words that {@code GridGroupBy} keeps for each group, one group after the other:
 *
 * <pre>
 *   | first row | rows | NULLs of nullable arguments, sums, minima, maxima |
 * </pre>
 *
 * <p>A group has rows where it has a first one. Without aggregates rows are not counted. An
 * argument's values are the rows less its NULLs, which cost nothing where there are none.
 *
 * <p>A sum of i32 is one word; a sum of i64 is two, of the low and of the high halves, so that it
 * is exact up to 2^31 rows a group. Minima and maxima are kept as order words: signed i64 that
 * compare as the values do. Sums of floats are not here: they are made in row order, see {@link
 * GroupFloatSums}.
 */
public final class AccumulatorLayout {
  public static final int FIRST_ROW = 0;
  public static final int ROWS = 1;

  /** In place of the word of NULLs: the argument has none. */
  public static final int NO_NULLS = -1;

  /** The first row of a group without rows. */
  public static final long NO_ROW = Long.MAX_VALUE;

  private final List<Word> words = new ArrayList<>();
  private final List<LaneProgram> arguments = new ArrayList<>();
  private final List<LaneValue> argumentTypes;
  private final List<Slot> slots = new ArrayList<>();
  private final List<Integer> nullWords = new ArrayList<>();
  private final int blockPlaces;
  private int floatSums;

  /**
   * How a word takes values, and what it holds before the first.
   *
   * @param isNarrow whether 32 bits do for the rows of one tablet
   */
  public record Word(AtomicOp op, long identity, boolean isNarrow) {
    int blockBytes() {
      return isNarrow ? Integer.BYTES : Long.BYTES;
    }

    long combined(long a, long b) {
      return switch (op) {
        case ADD -> a + b;
        case MIN -> Math.min(a, b);
        case MAX -> Math.max(a, b);
        case AND, OR, EXCHANGE, CAS -> throw new IllegalStateException("no accumulator by " + op);
      };
    }

    /** The same in a kernel's text. */
    public Reg combined(KernelBuilder text, Reg a, Reg b) {
      return switch (op) {
        case ADD -> text.add(a, b);
        case MIN -> text.min(a, b);
        case MAX -> text.max(a, b);
        case AND, OR, EXCHANGE, CAS -> throw new IllegalStateException("no accumulator by " + op);
      };
    }
  }

  /**
   * Where an aggregate is kept.
   *
   * @param argument its number among the arguments; -1 for COUNT(*)
   * @param nulls the word that counts its argument's NULLs, or {@link #NO_NULLS}
   * @param value its first word; -1 for counts
   * @param floatSum its number among the float sums; -1 for all else
   */
  public record Slot(
      Aggregate.Function function, Type type, int argument, int nulls, int value, int floatSum) {
    /** Whether it has two words, the sums of low and of high halves. */
    public boolean isWideSum() {
      return function == Aggregate.Function.SUM && type == Type.I64;
    }
  }

  public AccumulatorLayout(LaneInputs inputs, List<Aggregate> aggregates) {
    for (Aggregate aggregate : aggregates) {
      LaneProgram argument = aggregate.argument();
      if (argument != null && !arguments.contains(argument)) {
        arguments.add(argument);
      }
    }
    argumentTypes = Lane.trialValues(inputs, LaneVariant.full(inputs), arguments);
    narrowWord(AtomicOp.MIN, NO_ROW);
    if (!aggregates.isEmpty()) {
      narrowWord(AtomicOp.ADD, 0);
    }
    for (LaneValue type : argumentTypes) {
      nullWords.add(type.isNullable() ? narrowWord(AtomicOp.ADD, 0) : NO_NULLS);
    }
    aggregates.forEach(aggregate -> slots.add(slot(aggregate)));
    int bytes = words.stream().mapToInt(Word::blockBytes).sum();
    blockPlaces = KernelLimits.SHARED_BYTES_MAX / bytes & -2; // no array needs to be rounded up
  }

  private int narrowWord(AtomicOp op, long identity) {
    words.add(new Word(op, identity, true));
    return words.size() - 1;
  }

  private int word(AtomicOp op, long identity) {
    words.add(new Word(op, identity, false));
    return words.size() - 1;
  }

  /** The greatest number of places whose words a block can keep in shared memory. */
  public int blockPlaces() {
    return blockPlaces;
  }

  private Slot slot(Aggregate aggregate) {
    Aggregate.Function function = aggregate.function();
    LaneProgram program = aggregate.argument();
    int argument = program == null ? -1 : arguments.indexOf(program);
    int nulls = argument < 0 ? NO_NULLS : nullWords.get(argument);
    Type type = argument < 0 ? Type.I64 : argumentTypes.get(argument).type();
    type = type == Type.PRED ? Type.I32 : type;
    return switch (function) {
      case COUNT -> new Slot(function, Type.I64, argument, nulls, -1, -1);
      case MIN -> new Slot(function, type, argument, nulls, word(AtomicOp.MIN, Long.MAX_VALUE), -1);
      case MAX -> new Slot(function, type, argument, nulls, word(AtomicOp.MAX, Long.MIN_VALUE), -1);
      case SUM -> {
        if (type == Type.F32 || type == Type.F64) {
          yield new Slot(function, Type.F64, argument, nulls, -1, floatSums++);
        }
        int low = word(AtomicOp.ADD, 0);
        if (type == Type.I64) {
          word(AtomicOp.ADD, 0);
        }
        yield new Slot(function, type, argument, nulls, low, -1);
      }
    };
  }

  public boolean countsRows() {
    return words.size() > ROWS;
  }

  public List<Word> words() {
    return words;
  }

  public List<LaneProgram> arguments() {
    return arguments;
  }

  /** Of each argument, a value as it is where there may be NULLs. */
  public List<LaneValue> argumentTypes() {
    return argumentTypes;
  }

  /** The word that counts the argument's NULLs, or {@link #NO_NULLS}. */
  public int nullWord(int argument) {
    return nullWords.get(argument);
  }

  public List<Slot> slots() {
    return slots;
  }

  public int floatSums() {
    return floatSums;
  }

  /** The element of an aggregate's result. */
  public static Element resultElement(Slot slot) {
    return switch (slot.function()) {
      case COUNT -> Element.I64;
      case SUM -> slot.floatSum() >= 0 ? Element.F64 : Element.I64;
      case MIN, MAX ->
          switch (slot.type()) {
            case I32, PRED -> Element.I32;
            case I64 -> Element.I64;
            case F32 -> Element.F32;
            case F64 -> Element.F64;
          };
    };
  }
}
