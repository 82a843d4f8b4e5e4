package io.gpdb.exec.library.sort;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.OrderWords;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.scan.GridFilterProject.Output;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns sort keys into words that order as unsigned i64: for types of 32 bits one word, NULL being
 * 0 or 2^32 with the values between; for wider types that may be NULL a word 0 or 1 that puts NULLs
 * first or last, then the value's word (0 for NULL). Descending keys are complemented.
 */
final class SortWords {
  private static final long NARROW_MAX = 0xffffffffL;

  private SortWords() {}

  /** The words of all keys, most significant first. */
  static List<LaneProgram> programs(LaneInputs inputs, List<SortKey> keys) {
    List<LaneProgram> words = new ArrayList<>();
    for (SortKey key : keys) {
      words.addAll(programs(inputs, key));
    }
    return words;
  }

  static List<LaneProgram> programs(LaneInputs inputs, SortKey key) {
    LaneValue widest =
        Lane.trialValues(inputs, LaneVariant.full(inputs), List.of(key.program())).get(0);
    boolean wide = widest.type() == Type.I64 || widest.type() == Type.F64;
    LaneProgram value = lane -> LaneValue.of(valueWord(lane, key));
    return wide && widest.isNullable()
        ? List.of(lane -> LaneValue.of(nullWord(lane, key)), value)
        : List.of(value);
  }

  /** The words as outputs of a projection. */
  static List<Output> outputs(List<LaneProgram> words) {
    return words.stream().map(word -> new Output(Element.I64, word)).toList();
  }

  private static Reg nullWord(Lane lane, SortKey key) {
    KernelBuilder b = lane.builder();
    Reg present = key.program().emit(lane).present();
    Reg ifPresent = b.i64(key.nullsFirst() ? 1 : 0);
    return present == null
        ? ifPresent
        : b.select(present, ifPresent, b.i64(key.nullsFirst() ? 0 : 1));
  }

  private static Reg valueWord(Lane lane, SortKey key) {
    KernelBuilder b = lane.builder();
    LaneValue value = key.program().emit(lane);
    Reg signed = OrderWords.of(b, value.value());
    if (value.type() == Type.I64 || value.type() == Type.F64) {
      Reg word = b.xor(signed, b.i64(Long.MIN_VALUE));
      return orElse(b, value.present(), key.descending() ? b.not(word) : word, 0);
    }
    Reg word = b.add(signed, 1L << 31);
    Reg directed = key.descending() ? b.sub(b.i64(NARROW_MAX), word) : word;
    return key.nullsFirst()
        ? orElse(b, value.present(), b.add(directed, 1), 0)
        : orElse(b, value.present(), directed, NARROW_MAX + 1);
  }

  private static Reg orElse(KernelBuilder b, @Nullable Reg present, Reg word, long whenNull) {
    return present == null ? word : b.select(present, word, b.i64(whenNull));
  }
}
