package io.gpdb.exec.library.join;

import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.key.GroupTableKernels;
import java.util.List;

/** Looks the keys of a join's probe up, in a kernel's text. */
interface KeyLook {
  ScalarParam SLOT_MASK = new ScalarParam("slot_mask", Type.I32);
  BufferParam SLOTS = BufferParam.input("slots", Element.I64);
  BufferParam KEYS = BufferParam.input("keys", Element.I64);

  /** How keys are numbered. */
  enum Lookup {
    /** By a hash table. */
    HASH,
    /** By {@link KeyRanks}. */
    RANKS,
    /** By their places in a {@link KeySpace}, each of which is a key. */
    PLACES
  }

  /** Sets {@code number}, -1 so far, to the key's number where it is present and occurs. */
  void up(List<Reg> words, Reg present, Reg number);

  /** Declares what is read. */
  static KeyLook of(Lookup lookup, KernelBuilder b, int words) {
    return switch (lookup) {
      case HASH -> new ByHash(b);
      case RANKS -> new ByRank(b, words);
      case PLACES -> new ByPlace(b, words);
    };
  }

  /** By {@link KeyRanks}. */
  final class ByRank implements KeyLook {
    private final KernelBuilder b;
    private final KeySpace.Text space;
    private final int ranks;

    ByRank(KernelBuilder b, int words) {
      this.b = b;
      space = new KeySpace.Text(b, words);
      ranks = b.buffer(KeyRankKernels.RANKS);
    }

    @Override
    public void up(List<Reg> words, Reg present, Reg number) {
      b.set(number, KeyRankKernels.find(b, space, ranks, words, present));
    }
  }

  /** By places in a {@link KeySpace}. */
  final class ByPlace implements KeyLook {
    private final KernelBuilder b;
    private final KeySpace.Text space;

    ByPlace(KernelBuilder b, int words) {
      this.b = b;
      space = new KeySpace.Text(b, words);
    }

    @Override
    public void up(List<Reg> words, Reg present, Reg number) {
      Reg inside = b.and(present, space.contains(words));
      Reg place = b.convert(space.place(words), Type.I32);
      b.set(number, b.select(inside, place, b.i32(-1)));
    }
  }

  /** By a hash table. */
  final class ByHash implements KeyLook {
    private final KernelBuilder b;
    private final Reg slotMask;
    private final int slots;
    private final int tableKeys;

    ByHash(KernelBuilder b) {
      this.b = b;
      slotMask = b.scalar(SLOT_MASK);
      slots = b.buffer(SLOTS);
      tableKeys = b.buffer(KEYS);
    }

    @Override
    public void up(List<Reg> words, Reg present, Reg number) {
      b.ifThen(present, () -> GroupTableKernels.find(b, words, slotMask, slots, tableKeys, number));
    }
  }
}
