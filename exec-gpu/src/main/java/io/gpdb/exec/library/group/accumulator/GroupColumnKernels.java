package io.gpdb.exec.library.group.accumulator;

import io.gpdb.exec.Device;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelTexts;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.key.KeyWords;
import io.gpdb.exec.library.move.RankedBits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The kernels of {@code GroupColumns}: one lane per group. They know nothing of a plan, so that all
 * plans share them. Thread-safe.
 */
public final class GroupColumnKernels {
  public static final int BLOCK_LANES = 1024;
  public static final ScalarParam N = new ScalarParam("n", Type.I32);
  public static final BufferParam ACCUMULATORS = BufferParam.input("accumulators", Element.I64);
  public static final ScalarParam WORDS = new ScalarParam("words", Type.I64);
  public static final BufferParam BITS = BufferParam.input("bits", Element.I64);
  public static final BufferParam ORDER = BufferParam.input("order", Element.I32);
  public static final BufferParam TO_ORDER = BufferParam.output("order", Element.I32);
  public static final ScalarParam WORD = new ScalarParam("word", Type.I64);
  public static final ScalarParam PRESENCE = new ScalarParam("presence", Type.I64);
  static final ScalarParam STRIDE = new ScalarParam("stride", Type.I32);
  static final ScalarParam WIDTH = new ScalarParam("width", Type.I32);
  static final ScalarParam LEAST = new ScalarParam("least", Type.I64);
  public static final BufferParam VALUES = BufferParam.output("values", Element.I64);
  public static final BufferParam VALIDITY = BufferParam.output("validity", Element.I32);
  public static final BufferParam TOO_LARGE = BufferParam.output("too_large", Element.I32);

  private static final KernelTexts<Boolean> MARK_TEXTS = new KernelTexts<>(_ -> markKernel());
  private static final KernelTexts<Boolean> ORDER_TEXTS = new KernelTexts<>(_ -> orderKernel());
  private static final KernelTexts<Variant> COLUMN_TEXTS =
      new KernelTexts<>(GroupColumnKernels::columnKernel);

  private final LoadedKernels<Boolean> marks;
  private final LoadedKernels<Boolean> orders;
  private final LoadedKernels<Variant> columns;

  public GroupColumnKernels(Device device) {
    marks = new LoadedKernels<>(device, MARK_TEXTS);
    orders = new LoadedKernels<>(device, ORDER_TEXTS);
    columns = new LoadedKernels<>(device, COLUMN_TEXTS);
  }

  /** Where a column's values come from: words of records, a record for each group. */
  public enum Kind {
    /** A word as it is. */
    WORD,
    /** The group's rows without those that a word counts. */
    ROWS_LESS_WORD,
    /** A word that orders as an F32 does. */
    F32_ORDER,
    /** A word that orders as an F64 does. */
    F64_ORDER,
    /** Two words, sums of low and of high halves. */
    WIDE_SUM,
    /** No word: the group's place, whose only key it is. */
    PLACE,
    /** No word: a digit of the group's place. */
    DIGIT
  }

  /** How it is known whether a value is there. */
  public enum Present {
    ALWAYS,
    /** A word counts fewer NULLs than the group has rows. */
    COUNTED,
    /** The value is not {@link KeyWords#NARROW_NULL}. */
    NOT_NARROW_NULL,
    /** A bit of the record's last word is not set; {@link #PRESENCE} is its number. */
    NO_NULL_BIT,
    /** The digit is below the width. */
    BELOW_WIDTH
  }

  /**
   * What a kernel computes.
   *
   * @param element of the column, as bits
   */
  public record Variant(Kind kind, Present present, Element element) {
    boolean isPlaced() {
      return kind == Kind.PLACE || kind == Kind.DIGIT;
    }
  }

  public LoadedKernel mark() {
    return marks.get(true);
  }

  public LoadedKernel order() {
    return orders.get(true);
  }

  public LoadedKernel column(Variant variant) {
    return columns.get(variant);
  }

  /** A kernel of every kind. */
  static List<Kernel> samples() {
    List<Kernel> samples = new ArrayList<>(List.of(markKernel(), orderKernel()));
    for (Kind kind : Kind.values()) {
      for (Present present : Present.values()) {
        Variant variant = new Variant(kind, present, Element.I64);
        if (variant.isPlaced() == (present == Present.BELOW_WIDTH)) {
          samples.add(columnKernel(variant));
        }
      }
    }
    for (Element element : List.of(Element.I8, Element.I16, Element.I32)) {
      samples.add(columnKernel(new Variant(Kind.WORD, Present.ALWAYS, element)));
    }
    return samples;
  }

  /** Sets the bit of each group's first row. */
  private static Kernel markKernel() {
    return eachGroup(
        "group_first_rows",
        BITS.with(Access.READ_WRITE),
        null,
        (b, bits, firstRow, order) -> RankedBits.mark(b, bits, firstRow));
  }

  /** {@code order[rank of group g's first row] = g}. */
  private static Kernel orderKernel() {
    return eachGroup(
        "group_order",
        BITS,
        TO_ORDER,
        (b, bits, firstRow, order) ->
            b.store(order, RankedBits.find(b, bits, firstRow).rank(), b.global()));
  }

  private interface OfGroup {
    void write(KernelBuilder b, int bits, Reg firstRow, int order);
  }

  /** Lane g looks at group g, if it has rows. */
  private static Kernel eachGroup(
      String name, BufferParam bitsParam, @Nullable BufferParam orderParam, OfGroup body) {
    KernelBuilder b = new KernelBuilder(name);
    b.blockSize(BLOCK_LANES);
    Reg n = b.scalar(N);
    Reg words = b.scalar(WORDS);
    int accumulators = b.buffer(ACCUMULATORS);
    int bits = b.buffer(bitsParam);
    int order = orderParam == null ? -1 : b.buffer(orderParam);
    b.ifThen(
        b.lt(b.global(), n),
        () -> {
          Reg first = b.mul(b.convert(b.global(), Type.I64), words);
          Reg firstRow = b.load(accumulators, b.add(first, AccumulatorLayout.FIRST_ROW));
          b.ifThen(
              b.ne(firstRow, AccumulatorLayout.NO_ROW), () -> body.write(b, bits, firstRow, order));
        });
    return b.build();
  }

  /** Lane i stores the value of the group that comes i-th. */
  private static Kernel columnKernel(Variant variant) {
    return new ColumnText(variant).build();
  }

  /** The text of a column's kernel. */
  private static final class ColumnText {
    private final Variant variant;
    private final KernelBuilder b;

    ColumnText(Variant variant) {
      this.variant = variant;
      String name = "group_" + variant.kind + "_" + variant.present + "_" + variant.element;
      b = new KernelBuilder(name.toLowerCase(Locale.ROOT));
    }

    Kernel build() {
      b.blockSize(BLOCK_LANES);
      Reg n = b.scalar(N);
      int order = b.buffer(ORDER);
      int values = b.buffer(VALUES.of(variant.element));
      int validity = variant.present == Present.ALWAYS ? -1 : b.buffer(VALIDITY);
      Source source = variant.isPlaced() ? new Placed() : new Recorded();
      Reg inRange = b.lt(b.global(), n);
      Reg present = b.variable(b.pred(false));
      b.ifThen(
          inRange,
          () -> {
            source.read(b.load(order, b.global()));
            Reg raw = source.value();
            if (validity >= 0) {
              b.set(present, source.isPresent());
              raw = b.select(present, raw, b.i64(0));
            }
            b.store(values, b.global(), b.convert(raw, variant.element.register()));
          });
      if (validity >= 0) {
        Reg word = b.ballot(present);
        Reg stores = b.and(b.eq(b.lane(), 0), inRange);
        b.ifThen(stores, () -> b.store(validity, b.ushr(b.global(), 5), word));
      }
      return b.build();
    }

    /** What is known of a group; declares its parameters when made. */
    private interface Source {
      void read(Reg group);

      Reg value();

      Reg isPresent();
    }

    /** A word of a record, or two. */
    private final class Recorded implements Source {
      private final Reg words = b.scalar(WORDS);
      private final Reg word = b.scalar(WORD);
      private final Reg presence = b.scalar(PRESENCE);
      private final int records = b.buffer(ACCUMULATORS);
      private final int tooLarge = variant.kind == Kind.WIDE_SUM ? b.buffer(TOO_LARGE) : -1;
      private Reg first = words;
      private Reg read = words;

      @Override
      public void read(Reg group) {
        first = b.mul(b.convert(group, Type.I64), words);
        read = b.load(records, b.add(first, word));
      }

      @Override
      public Reg value() {
        return switch (variant.kind) {
          case WORD -> read;
          case ROWS_LESS_WORD -> b.sub(rows(), read);
          case F32_ORDER -> {
            Reg bits = b.convert(read, Type.I32);
            yield b.convert(b.xor(bits, b.ushr(b.shr(bits, 31), 1)), Type.I64);
          }
          case F64_ORDER -> b.xor(read, b.ushr(b.shr(read, 63), 1));
          case WIDE_SUM -> joined(b.load(records, b.add(b.add(first, word), 1)), read);
          case PLACE, DIGIT -> throw new IllegalStateException("no word: " + variant);
        };
      }

      /** As {@code GroupPiece} does; what does not fit 64 bits is only noted. */
      private Reg joined(Reg high, Reg low) {
        Reg carried = b.add(high, b.ushr(low, 32));
        Reg fits = b.eq(carried, b.convert(b.convert(carried, Type.I32), Type.I64));
        b.ifThen(b.not(fits), () -> b.atomicUpdate(AtomicOp.MAX, tooLarge, b.i32(0), b.i32(1)));
        return b.or(b.shl(carried, 32), b.and(low, 0xffffffffL));
      }

      private Reg rows() {
        return b.load(records, b.add(first, AccumulatorLayout.ROWS));
      }

      @Override
      public Reg isPresent() {
        return switch (variant.present) {
          case COUNTED -> b.ne(b.load(records, b.add(first, presence)), rows());
          case NOT_NARROW_NULL -> b.ne(read, KeyWords.NARROW_NULL);
          case NO_NULL_BIT -> {
            Reg nulls = b.load(records, b.sub(b.add(first, words), 1));
            yield b.eq(b.and(nulls, b.shl(b.i64(1), presence)), 0);
          }
          case ALWAYS, BELOW_WIDTH -> throw new IllegalStateException("no word: " + variant);
        };
      }
    }

    /** A digit of the group's place. */
    private final class Placed implements Source {
      private final Reg stride = b.scalar(STRIDE);
      private final Reg width = b.scalar(WIDTH);
      private final Reg least = b.scalar(LEAST);
      private Reg digit = stride;

      @Override
      public void read(Reg group) {
        digit = variant.kind == Kind.PLACE ? group : b.rem(b.div(group, stride), b.add(width, 1));
      }

      @Override
      public Reg value() {
        return b.add(least, b.convert(digit, Type.I64));
      }

      @Override
      public Reg isPresent() {
        return b.lt(digit, width);
      }
    }
  }
}
