package io.gpdb.exec.library.key;

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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The kernels of {@link GroupTable}, by key words. One lane per row, winner or group. */
public final class GroupTableKernels {
  static final int BLOCK_LANES = 1024;

  /** In a slot: the number is a staged row's, not a group's. */
  static final long STAGED_FLAG = 1L << 31;

  /** In a slot: never empty. */
  static final long USED_FLAG = 1L << 32;

  public static final long NUMBER_MASK = STAGED_FLAG - 1;

  static final ScalarParam ROWS = new ScalarParam("rows", Type.I32);
  static final ScalarParam SLOT_MASK = new ScalarParam("slot_mask", Type.I32);
  static final ScalarParam WINNERS_COUNT = new ScalarParam("n", Type.I32);
  static final ScalarParam GROUPS = new ScalarParam("groups", Type.I32);
  public static final BufferParam SLOT_OF = BufferParam.input("slot_of", Element.I32);
  static final BufferParam STAGED = BufferParam.input("staged", Element.I64);
  public static final BufferParam SLOTS = BufferParam.output("slots", Element.I64);
  static final BufferParam KEYS = BufferParam.input("keys", Element.I64);
  static final BufferParam WINNERS = BufferParam.input("winners", Element.I32);
  static final BufferParam WINNER_COUNT = BufferParam.output("winner_count", Element.I32);
  static final BufferParam GROUP_OF = BufferParam.output("group_of", Element.I32);

  private static final long HASH_MASK = ~(2 * USED_FLAG - 1);

  private static final KernelTexts<Integer> PROBE_TEXTS =
      new KernelTexts<>(GroupTableKernels::probeKernel);
  private static final KernelTexts<Integer> SETTLE_TEXTS =
      new KernelTexts<>(GroupTableKernels::settleKernel);
  private static final KernelTexts<Integer> INSERT_TEXTS =
      new KernelTexts<>(GroupTableKernels::insertKernel);
  private static final KernelTexts<Boolean> RESOLVE_TEXTS = new KernelTexts<>(_ -> resolveKernel());

  private final LoadedKernels<Integer> probes;
  private final LoadedKernels<Integer> settles;
  private final LoadedKernels<Integer> inserts;
  private final LoadedKernels<Boolean> resolves;

  public GroupTableKernels(Device device) {
    probes = new LoadedKernels<>(device, PROBE_TEXTS);
    settles = new LoadedKernels<>(device, SETTLE_TEXTS);
    inserts = new LoadedKernels<>(device, INSERT_TEXTS);
    resolves = new LoadedKernels<>(device, RESOLVE_TEXTS);
  }

  LoadedKernel probe(int words) {
    return probes.get(words);
  }

  LoadedKernel settle(int words) {
    return settles.get(words);
  }

  LoadedKernel insert(int words) {
    return inserts.get(words);
  }

  LoadedKernel resolve() {
    return resolves.get(true);
  }

  /**
   * Finds or claims each staged row's slot. A slot goes from 0 to used once, so reading a stale 0
   * is harmless: the compare-and-swap then returns what is there.
   */
  static Kernel probeKernel(int words) {
    KernelBuilder b = builder("group_probe", words);
    Reg rows = b.scalar(ROWS);
    Reg slotMask = b.scalar(SLOT_MASK);
    int slotOf = b.buffer(SLOT_OF.with(Access.READ_WRITE));
    int staged = b.buffer(STAGED);
    int slots = b.buffer(SLOTS);
    int keys = b.buffer(KEYS);
    int winners = b.buffer(WINNERS.with(Access.READ_WRITE));
    int winnerCount = b.buffer(WINNER_COUNT);
    Reg row = b.global();
    Reg waits = b.variable(b.pred(false));
    b.ifThen(b.lt(row, rows), () -> b.set(waits, b.eq(b.load(slotOf, row), GroupTable.STAGED)));
    b.ifThen(
        waits,
        () -> {
          List<Reg> own = keyWords(b, staged, row, words);
          Reg hash = KeyWords.hash(b, own);
          Reg claim = b.or(tag(b, hash), b.or(b.convert(row, Type.I64), b.i64(STAGED_FLAG)));
          Reg slot = b.variable(firstSlot(b, hash, slotMask));
          b.whileLoop(
              () -> waits,
              () -> {
                Reg seen = b.variable(b.load(slots, slot));
                b.ifThen(
                    b.eq(seen, 0),
                    () -> {
                      b.set(seen, b.compareAndSwap(slots, slot, b.i64(0), claim));
                      b.ifThen(
                          b.eq(seen, 0),
                          () -> {
                            b.set(waits, b.pred(false));
                            Reg place = b.atomic(AtomicOp.ADD, winnerCount, b.i32(0), b.i32(1));
                            b.store(winners, place, row);
                          });
                    });
                b.ifThen(
                    b.and(waits, sameTag(b, seen, hash)),
                    () ->
                        b.set(
                            waits,
                            b.not(
                                sameKey(
                                    b,
                                    seen,
                                    own,
                                    number -> loadKey(b, seen, number, keys, staged, words)))));
                b.ifThen(waits, () -> b.set(slot, nextSlot(b, slot, slotMask)));
              });
          b.store(slotOf, row, slot);
        });
    return b.build();
  }

  /** The key words that a used slot refers to: a group's or a staged row's. */
  private static List<Reg> loadKey(
      KernelBuilder b, Reg slotValue, Reg number, int keys, int staged, int words) {
    List<Reg> key = new ArrayList<>();
    for (int w = 0; w < words; w++) {
      key.add(b.variable(b.i64(0)));
    }
    Reg first = b.mul(number, words);
    Reg isStaged = b.ne(b.and(slotValue, STAGED_FLAG), 0);
    b.ifElse(isStaged, () -> loadInto(b, key, staged, first), () -> loadInto(b, key, keys, first));
    return key;
  }

  private static void loadInto(KernelBuilder b, List<Reg> key, int buffer, Reg first) {
    for (int w = 0; w < key.size(); w++) {
      b.set(key.get(w), b.load(buffer, w == 0 ? first : b.add(first, w)));
    }
  }

  private static Reg sameKey(
      KernelBuilder b, Reg slotValue, List<Reg> own, Function<Reg, List<Reg>> loader) {
    List<Reg> other = loader.apply(b.and(slotValue, NUMBER_MASK));
    Reg same = b.eq(own.get(0), other.get(0));
    for (int w = 1; w < own.size(); w++) {
      same = b.and(same, b.eq(own.get(w), other.get(w)));
    }
    return same;
  }

  /** Lane k assigns winner k the group {@code groups + k} and moves its key to the store. */
  static Kernel settleKernel(int words) {
    KernelBuilder b = builder("group_settle", words);
    Reg n = b.scalar(WINNERS_COUNT);
    Reg groups = b.scalar(GROUPS);
    int winners = b.buffer(WINNERS);
    int slotOf = b.buffer(SLOT_OF);
    int staged = b.buffer(STAGED);
    int slots = b.buffer(SLOTS);
    int keys = b.buffer(KEYS.with(Access.READ_WRITE));
    Reg k = b.global();
    b.ifThen(
        b.lt(k, n),
        () -> {
          Reg row = b.load(winners, k);
          Reg group = b.convert(b.add(groups, k), Type.I64);
          List<Reg> key = keyWords(b, staged, row, words);
          Reg first = b.mul(group, words);
          for (int w = 0; w < words; w++) {
            b.store(keys, b.add(first, w), key.get(w));
          }
          Reg slot = b.load(slotOf, row);
          b.store(slots, slot, b.or(tag(b, KeyWords.hash(b, key)), group));
        });
    return b.build();
  }

  /** Lane g puts group g into an empty table; all keys are distinct. */
  static Kernel insertKernel(int words) {
    KernelBuilder b = builder("group_insert", words);
    Reg groups = b.scalar(GROUPS);
    Reg slotMask = b.scalar(SLOT_MASK);
    int keys = b.buffer(KEYS);
    int slots = b.buffer(SLOTS);
    Reg group = b.global();
    b.ifThen(
        b.lt(group, groups),
        () -> {
          Reg hash = KeyWords.hash(b, keyWords(b, keys, group, words));
          Reg value = b.or(tag(b, hash), b.convert(group, Type.I64));
          Reg slot = b.variable(firstSlot(b, hash, slotMask));
          Reg waits = b.variable(b.pred(true));
          b.whileLoop(
              () -> waits,
              () -> {
                b.set(waits, b.ne(b.compareAndSwap(slots, slot, b.i64(0), value), 0));
                b.ifThen(waits, () -> b.set(slot, nextSlot(b, slot, slotMask)));
              });
        });
    return b.build();
  }

  /** Lane r writes row r's group. */
  static Kernel resolveKernel() {
    KernelBuilder b = new KernelBuilder("group_resolve");
    b.blockSize(BLOCK_LANES);
    Reg rows = b.scalar(ROWS);
    int slotOf = b.buffer(SLOT_OF);
    int slots = b.buffer(SLOTS.with(Access.READ));
    int groupOf = b.buffer(GROUP_OF);
    Reg row = b.global();
    b.ifThen(
        b.lt(row, rows),
        () -> {
          Reg slot = b.load(slotOf, row);
          Reg group = b.variable(b.i32(-1));
          b.ifThen(b.ge(slot, b.i32(0)), () -> b.set(group, group(b, b.load(slots, slot))));
          b.store(groupOf, row, group);
        });
    return b.build();
  }

  /**
   * Looks a key up in a table that no launch changes; {@code found} receives the group or stays as
   * it is. Written where the lane is active.
   */
  public static void find(
      KernelBuilder b, List<Reg> own, Reg slotMask, int slots, int keys, Reg found) {
    Reg hash = KeyWords.hash(b, own);
    Reg slot = b.variable(firstSlot(b, hash, slotMask));
    Reg seen = b.variable(b.load(slots, slot));
    b.whileLoop(
        () -> b.ne(seen, 0),
        () -> {
          Reg miss = b.variable(b.pred(true));
          b.ifThen(
              sameTag(b, seen, hash),
              () ->
                  b.set(
                      miss,
                      b.not(
                          sameKey(b, seen, own, number -> keyWords(b, keys, number, own.size())))));
          b.ifElse(
              miss,
              () -> {
                b.set(slot, nextSlot(b, slot, slotMask));
                b.set(seen, b.load(slots, slot));
              },
              () -> {
                b.set(found, group(b, seen));
                b.set(seen, b.i64(0));
              });
        });
  }

  /** The group in a settled slot, i32. */
  static Reg group(KernelBuilder b, Reg slotValue) {
    return b.convert(b.and(slotValue, NUMBER_MASK), Type.I32);
  }

  private static KernelBuilder builder(String name, int words) {
    KernelBuilder b = new KernelBuilder(name + "_" + words);
    b.blockSize(BLOCK_LANES);
    return b;
  }

  private static List<Reg> keyWords(KernelBuilder b, int buffer, Reg number, int words) {
    Reg wide = number.type() == Type.I64 ? number : b.convert(number, Type.I64);
    Reg first = b.mul(wide, words);
    List<Reg> key = new ArrayList<>();
    for (int w = 0; w < words; w++) {
      key.add(b.load(buffer, w == 0 ? first : b.add(first, w)));
    }
    return key;
  }

  private static Reg tag(KernelBuilder b, Reg hash) {
    return b.or(b.and(hash, HASH_MASK), b.i64(USED_FLAG));
  }

  private static Reg sameTag(KernelBuilder b, Reg slotValue, Reg hash) {
    return b.eq(b.and(b.xor(slotValue, hash), HASH_MASK), 0);
  }

  private static Reg firstSlot(KernelBuilder b, Reg hash, Reg slotMask) {
    return b.and(b.convert(hash, Type.I32), slotMask);
  }

  private static Reg nextSlot(KernelBuilder b, Reg slot, Reg slotMask) {
    return b.and(b.add(slot, 1), slotMask);
  }
}
