package io.gpdb.bench.tpcc;

import java.math.BigDecimal;
import java.util.Random;

/** The random values of the specification (4.3.2 and 2.1.6). */
final class TpccRandom {
  private static final String[] SYLLABLES = {
    "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"
  };

  private static final int LAST_NAMES = 1000;
  private static final int C_LAST = 91;
  private static final int C_ID = 259;
  private static final int C_ITEM = 7911;

  private final Random random;

  TpccRandom(long seed) {
    random = new Random(seed);
  }

  /** Of the two, and all between. */
  int between(int least, int greatest) {
    return least + random.nextInt(greatest - least + 1);
  }

  private int nonUniform(int a, int c, int least, int greatest) {
    return ((between(0, a) | between(least, greatest)) + c) % (greatest - least + 1) + least;
  }

  int customer(Scale scale) {
    return nonUniform(1023, C_ID, 1, scale.customers());
  }

  int item(Scale scale) {
    return nonUniform(8191, C_ITEM, 1, scale.items());
  }

  /** A last name that a customer has. */
  String lastName(Scale scale) {
    int names = Math.min(LAST_NAMES, scale.customers());
    return name(nonUniform(255, C_LAST, 0, names - 1));
  }

  /** Of the customer when it is loaded: the first thousand have all names. */
  String lastNameOf(int customer) {
    return name(customer <= LAST_NAMES ? customer - 1 : nonUniform(255, C_LAST, 0, 999));
  }

  private static String name(int number) {
    return SYLLABLES[number / 100] + SYLLABLES[number / 10 % 10] + SYLLABLES[number % 10];
  }

  String text(int least, int greatest) {
    int length = between(least, greatest);
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + random.nextInt(26)));
    }
    return text.toString();
  }

  /** With two digits after the point. */
  BigDecimal money(int leastCents, int greatestCents) {
    return BigDecimal.valueOf(between(leastCents, greatestCents), 2);
  }

  boolean percent(int chance) {
    return random.nextInt(100) < chance;
  }

  /** The numbers from 1 in any order. */
  int[] permutation(int n) {
    int[] all = new int[n];
    for (int i = 0; i < n; i++) {
      int at = random.nextInt(i + 1);
      all[i] = all[at];
      all[at] = i + 1;
    }
    return all;
  }
}
