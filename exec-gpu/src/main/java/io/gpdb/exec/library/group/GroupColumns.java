package io.gpdb.exec.library.group;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.exec.library.group.accumulator.GroupColumnKernels;
import io.gpdb.exec.library.group.accumulator.GroupColumnKernels.Kind;
import io.gpdb.exec.library.group.accumulator.GroupColumnKernels.Present;
import io.gpdb.exec.library.group.accumulator.GroupColumnKernels.Variant;
import io.gpdb.exec.library.group.accumulator.GroupSpace;
import io.gpdb.exec.library.key.KeyWords;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.move.RankedBits;
import io.gpdb.exec.library.reduce.Aggregate;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns the accumulators of many groups into columns by kernels: a bit for each row says which rows
 * are first ones, and the number of bits before one is the place of its group in the order; then
 * one grouped launch for each kind of column. Called by {@link Grouping}. Used by one thread.
 */
public final class GroupColumns {
  /** The host is faster with so few groups. */
  private static final int HOST_GROUPS_MAX = 512;

  /** Words of bits that a group may cost: sorting costs more. */
  private static final int WORDS_PER_GROUP = 16;

  private final GroupColumnKernels kernels;
  private final Scratch scratch;
  private final BufferAllocator results;
  private final Map<Variant, List<LaunchGroup>> launches = new LinkedHashMap<>();
  private DeviceBuffer order = HostBuffer.NONE;
  private int count;

  /** A column that is there when all launches have ended. */
  private record Pending(Element element, DeviceBuffer values, @Nullable DeviceBuffer validity) {}

  private GroupColumns(GroupColumnKernels kernels, Scratch scratch, BufferAllocator results) {
    this.kernels = kernels;
    this.scratch = scratch;
    this.results = results;
  }

  /**
   * What groups are made of.
   *
   * @param places null where a table numbers the groups
   * @param keyWords those of the table
   * @param rows above the numbers of all rows
   */
  record Input(
      GridGroupBy plan,
      @Nullable GroupSpace places,
      DeviceBuffer keyWords,
      DeviceBuffer accumulators,
      int groups,
      long rows) {
    int words() {
      return plan.layout.words().size();
    }
  }

  /** Whether kernels are to do it. */
  static boolean suit(Input input) {
    return input.groups > HOST_GROUPS_MAX
        && input.plan.layout.floatSums() == 0
        && RankedBits.words(input.rows) <= (long) input.groups * WORDS_PER_GROUP;
  }

  /** The groups in the order of their first rows; null where a sum does not fit 64 bits. */
  static @Nullable Groups of(
      Input input, List<ElementType> keyElements, Scratch scratch, BufferAllocator results) {
    return new GroupColumns(input.plan.columnKernels, scratch, results).all(input, keyElements);
  }

  private @Nullable Groups all(Input input, List<ElementType> keyElements) {
    sort(input);
    List<Pending> keys = new ArrayList<>();
    for (int k = 0; k < keyElements.size(); k++) {
      Element element = LaneInputs.element(keyElements.get(k));
      keys.add(input.places == null ? stored(input, k, element) : placed(input.places, k, element));
    }
    DeviceBuffer tooLarge = scratch.ints(1);
    tooLarge.fill((byte) 0);
    List<Pending> aggregates = new ArrayList<>();
    for (AccumulatorLayout.Slot slot : input.plan.layout.slots()) {
      aggregates.add(aggregate(input, slot, tooLarge));
    }
    launches.forEach((variant, groups) -> KernelLibrary.launch(kernels.column(variant), groups));
    if (tooLarge.onHost().intAt(0) != 0) {
      return null;
    }
    return new Groups(
        count,
        keys.stream().map(this::column).toList(),
        aggregates.stream().map(this::column).toList());
  }

  private void sort(Input input) {
    int words = (int) Math.max(1, RankedBits.words(input.rows));
    DeviceBuffer bits = scratch.longs(words);
    bits.fill((byte) 0);
    KernelLibrary.launch(
        kernels.mark(),
        LaneKernels.blocks(input.groups, GroupColumnKernels.BLOCK_LANES),
        ofGroups(new Arguments(kernels.mark().kernel()), input, bits));
    count = input.plan.bits.rank(bits, words);
    order = scratch.ints(count);
    KernelLibrary.launch(
        kernels.order(),
        LaneKernels.blocks(input.groups, GroupColumnKernels.BLOCK_LANES),
        ofGroups(new Arguments(kernels.order().kernel()), input, bits)
            .buffer(GroupColumnKernels.TO_ORDER, order));
  }

  private static Arguments ofGroups(Arguments arguments, Input input, DeviceBuffer bits) {
    return arguments
        .scalar(GroupColumnKernels.N, input.groups)
        .scalar(GroupColumnKernels.WORDS, input.words())
        .buffer(GroupColumnKernels.ACCUMULATORS, input.accumulators)
        .buffer(GroupColumnKernels.BITS, bits);
  }

  private Pending placed(GroupSpace places, int key, Element element) {
    Kind kind = places.widths().size() == 1 ? Kind.PLACE : Kind.DIGIT;
    Variant variant = new Variant(kind, Present.BELOW_WIDTH, bits(element));
    return add(variant, element, places.bindDigit(arguments(variant), key));
  }

  private Pending stored(Input input, int key, Element element) {
    KeyWords words = input.plan.keyWords;
    Variant variant = new Variant(Kind.WORD, presence(words, key), bits(element));
    Records ofGroup = new Records(input.keyWords, words.count());
    return add(variant, element, ofGroup.bind(arguments(variant), key, key));
  }

  private static Present presence(KeyWords words, int key) {
    if (!words.isNullable(key)) {
      return Present.ALWAYS;
    }
    return words.hasNullBit(key) ? Present.NO_NULL_BIT : Present.NOT_NARROW_NULL;
  }

  private Pending aggregate(Input input, AccumulatorLayout.Slot slot, DeviceBuffer tooLarge) {
    boolean counts = slot.function() == Aggregate.Function.COUNT;
    boolean nullable = slot.nulls() != AccumulatorLayout.NO_NULLS;
    boolean always = counts || !nullable;
    Element element = AccumulatorLayout.resultElement(slot);
    Present present = always ? Present.ALWAYS : Present.COUNTED;
    Variant variant = new Variant(kind(slot), present, bits(element));
    Records ofGroup = new Records(input.accumulators, input.words());
    Arguments arguments =
        ofGroup.bind(
            arguments(variant),
            counts ? (nullable ? slot.nulls() : AccumulatorLayout.ROWS) : slot.value(),
            nullable ? slot.nulls() : 0);
    if (variant.kind() == Kind.WIDE_SUM) {
      arguments.buffer(GroupColumnKernels.TOO_LARGE, tooLarge);
    }
    return add(variant, element, arguments);
  }

  private static Kind kind(AccumulatorLayout.Slot slot) {
    return switch (slot.function()) {
      case COUNT -> slot.nulls() == AccumulatorLayout.NO_NULLS ? Kind.WORD : Kind.ROWS_LESS_WORD;
      case SUM -> slot.type() == Type.I64 ? Kind.WIDE_SUM : Kind.WORD;
      case MIN, MAX ->
          switch (slot.type()) {
            case I32, I64, PRED -> Kind.WORD;
            case F32 -> Kind.F32_ORDER;
            case F64 -> Kind.F64_ORDER;
          };
    };
  }

  /** Records of the same number of words, one for each group. */
  private record Records(DeviceBuffer records, int words) {
    Arguments bind(Arguments arguments, int word, int presence) {
      return arguments
          .scalar(GroupColumnKernels.WORDS, words)
          .scalar(GroupColumnKernels.WORD, word)
          .scalar(GroupColumnKernels.PRESENCE, presence)
          .buffer(GroupColumnKernels.ACCUMULATORS, records);
    }
  }

  private Arguments arguments(Variant variant) {
    return new Arguments(kernels.column(variant).kernel())
        .scalar(GroupColumnKernels.N, count)
        .buffer(GroupColumnKernels.ORDER, order);
  }

  private Pending add(Variant variant, Element element, Arguments arguments) {
    DeviceBuffer values = results.allocate((long) count * element.bytes());
    arguments.buffer(GroupColumnKernels.VALUES, values);
    DeviceBuffer validity = null;
    if (variant.present() != Present.ALWAYS) {
      validity = results.allocate(DenseColumn.bitmapBytes(count));
      arguments.buffer(GroupColumnKernels.VALIDITY, validity);
    }
    int blocks = LaneKernels.blocks(count, GroupColumnKernels.BLOCK_LANES);
    launches
        .computeIfAbsent(variant, _ -> new ArrayList<>())
        .add(new LaunchGroup(blocks, arguments));
    return new Pending(element, values, validity);
  }

  /** A bitmap without a NULL is none. */
  private DenseColumn column(Pending made) {
    DeviceBuffer validity = made.validity;
    boolean hasNull = validity != null && Bitmaps.next(validity.onHost(), 0, count, false) < count;
    return new DenseColumn(made.element, made.values, hasNull ? validity : null);
  }

  private static Element bits(Element element) {
    return switch (element) {
      case I8, I16, I32, I64 -> element;
      case F32 -> Element.I32;
      case F64 -> Element.I64;
    };
  }
}
