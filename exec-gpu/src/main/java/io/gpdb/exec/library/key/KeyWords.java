package io.gpdb.exec.library.key;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.lane.LaneVariant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the keys of groups and joins into i64 words that are equal exactly when the keys are:
 * integers sign-extended, predicates 0 or 1, float bits with -0.0 made 0.0 and NaN canonical.
 *
 * <p>With NULLs (groups): a NULL of a type of 32 bits is {@value #NARROW_NULL}, which no value is;
 * a NULL of a wider type is word 0 and, where such a key may be NULL, its bit in one last word.
 */
public final class KeyWords {
  public static final long NARROW_NULL = 1L << 32;

  private final List<LaneProgram> keys;
  private final List<Type> types;
  private final boolean nulls;
  private final boolean nullWord;

  /** The words of one row, and the predicate "no key is NULL" (null: none ever is). */
  public record Row(List<Reg> words, @Nullable Reg allPresent) {}

  /**
   * @param nulls whether NULL is a key of its own; otherwise only rows without NULL keys count
   */
  public KeyWords(LaneInputs inputs, List<LaneProgram> keys, boolean nulls) {
    this.keys = List.copyOf(keys);
    this.nulls = nulls;
    List<LaneValue> widest = Lane.trialValues(inputs, LaneVariant.full(inputs), keys);
    this.types = widest.stream().map(LaneValue::type).toList();
    this.nullWord =
        nulls && widest.stream().anyMatch(value -> value.isNullable() && isWide(value.type()));
  }

  /** Words of a key. */
  public int count() {
    return keys.size() + (nullWord ? 1 : 0);
  }

  public List<LaneProgram> programs() {
    return keys;
  }

  public List<Type> types() {
    return types;
  }

  /** Whether key {@code k} may be NULL. */
  public boolean isNullable(int k) {
    return isWide(types.get(k)) ? nullWord : nulls;
  }

  /** Whether a bit of the last word says that key {@code k} is NULL; else its own word may. */
  public boolean hasNullBit(int k) {
    return nullWord && isWide(types.get(k));
  }

  /** Puts a key that is a whole number, or NULL, among words that are 0 so far. */
  public void set(int k, boolean isNull, long value, long[] words) {
    if (!isNull) {
      words[k] = value;
    } else if (isWide(types.get(k))) {
      words[keys.size()] |= 1L << k;
    } else {
      words[k] = NARROW_NULL;
    }
  }

  /** Whether all keys are whole numbers or predicates. */
  public boolean areWhole() {
    return types.stream().noneMatch(type -> type == Type.F32 || type == Type.F64);
  }

  private static boolean isWide(Type type) {
    return type == Type.I64 || type == Type.F64;
  }

  /** Writes the words; the lane's stage holds the keys' programs. */
  public Row emit(Lane lane) {
    KernelBuilder b = lane.builder();
    List<Reg> words = new ArrayList<>();
    Reg allPresent = null;
    Reg nullBits = nullWord ? b.i64(0) : null;
    for (int k = 0; k < keys.size(); k++) {
      LaneValue value = keys.get(k).emit(lane);
      Reg word = word(b, value.value());
      Reg present = value.present();
      if (present != null) {
        allPresent = allPresent == null ? present : b.and(allPresent, present);
        if (nulls) {
          boolean wide = isWide(value.type());
          word = b.select(present, word, b.i64(wide ? 0 : NARROW_NULL));
          if (wide && nullBits != null) {
            nullBits = b.or(nullBits, b.select(present, b.i64(0), b.i64(1L << k)));
          }
        }
      }
      words.add(word);
    }
    if (nullBits != null) {
      words.add(nullBits);
    }
    return new Row(words, allPresent);
  }

  private static Reg word(KernelBuilder b, Reg value) {
    return switch (value.type()) {
      case I64 -> value;
      case I32, PRED -> b.convert(value, Type.I64);
      case F32 -> b.convert(b.bitcast(b.add(value, b.f32(0.0f))), Type.I64);
      case F64 -> b.bitcast(b.add(value, b.f64(0.0)));
    };
  }

  /** The hash of words: each stirred in by a multiplication, then finished as splitmix64 does. */
  static Reg hash(KernelBuilder b, List<Reg> words) {
    Reg hash = b.i64(0x2545f4914f6cdd1dL);
    for (Reg word : words) {
      hash = b.mul(b.xor(hash, word), 0x9e3779b97f4a7c15L);
      hash = b.xor(hash, b.ushr(hash, 32));
    }
    hash = b.mul(hash, 0x94d049bb133111ebL);
    return b.xor(hash, b.ushr(hash, 29));
  }
}
