package io.gpdb.exec.library.join;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.group.GroupTableKernels;
import io.gpdb.exec.library.join.JoinProbe.Lookup;
import java.util.List;

/** Looks the keys of a join's probe up, in a kernel's text. */
interface KeyLook {
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
      slotMask = b.scalar(JoinProbe.SLOT_MASK);
      slots = b.buffer(JoinProbe.SLOTS);
      tableKeys = b.buffer(JoinProbe.KEYS);
    }

    @Override
    public void up(List<Reg> words, Reg present, Reg number) {
      b.ifThen(present, () -> GroupTableKernels.find(b, words, slotMask, slots, tableKeys, number));
    }
  }
}
