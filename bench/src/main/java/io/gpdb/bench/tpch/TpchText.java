package io.gpdb.bench.tpch;

import java.util.List;
import java.util.SplittableRandom;

/** The words that the tables are filled with: those that the queries ask for, and others. */
final class TpchText {
  static final List<String> REGIONS = words("AFRICA,AMERICA,ASIA,EUROPE,MIDDLE EAST");

  /** The nations, each with the number of its region behind it. */
  static final List<String> NATIONS =
      words(
          "ALGERIA0,ARGENTINA1,BRAZIL1,CANADA1,EGYPT4,ETHIOPIA0,FRANCE3,GERMANY3,INDIA2,"
              + "INDONESIA2,IRAN4,IRAQ4,JAPAN2,JORDAN4,KENYA0,MOROCCO0,MOZAMBIQUE0,PERU1,CHINA2,"
              + "ROMANIA3,SAUDI ARABIA4,VIETNAM2,RUSSIA3,UNITED KINGDOM3,UNITED STATES1");

  static final List<String> SEGMENTS = words("AUTOMOBILE,BUILDING,FURNITURE,HOUSEHOLD,MACHINERY");
  static final List<String> PRIORITIES = words("1-URGENT,2-HIGH,3-MEDIUM,4-NOT SPECIFIED,5-LOW");
  static final List<String> INSTRUCTIONS =
      words("COLLECT COD,DELIVER IN PERSON,NONE,TAKE BACK RETURN");
  static final List<String> MODES = words("AIR,FOB,MAIL,RAIL,REG AIR,SHIP,TRUCK");

  private static final List<String> SIZES = words("STANDARD,SMALL,MEDIUM,LARGE,ECONOMY,PROMO");
  private static final List<String> FINISHES = words("ANODIZED,BURNISHED,PLATED,POLISHED,BRUSHED");
  private static final List<String> METALS = words("TIN,NICKEL,BRASS,STEEL,COPPER");
  private static final List<String> PACKETS = words("SM,LG,MED,JUMBO,WRAP");
  private static final List<String> BOXES = words("CASE,BOX,BAG,JAR,PKG,PACK,CAN,DRUM");
  private static final List<String> COLOURS =
      words(
          "amber,azure,beige,black,blue,bronze,brown,copper,coral,cream,crimson,cyan,ebony,forest,"
              + "gold,green,grey,indigo,ivory,jade,khaki,lemon,lilac,lime,maroon,navy,olive,orange,"
              + "pink,plum,purple,red,rose,ruby,salmon,silver,tan,teal,violet,white");
  private static final List<String> REMARKS =
      words(
          "special,requests,regular,pending,final,express,packages,deposits,accounts,orders,"
              + "quickly,slowly,wait,sleep,among,above,under,ideas,theories,letters");

  private TpchText() {}

  private static List<String> words(String list) {
    return List.of(list.split(",", -1));
  }

  static String one(SplittableRandom random, List<String> words) {
    return words.get(random.nextInt(words.size()));
  }

  /** What a part is called: some colours. */
  static String partName(SplittableRandom random) {
    return several(random, COLOURS, 5);
  }

  static String partType(SplittableRandom random) {
    return one(random, SIZES) + " " + one(random, FINISHES) + " " + one(random, METALS);
  }

  static String container(SplittableRandom random) {
    return one(random, PACKETS) + " " + one(random, BOXES);
  }

  /** A few words without a meaning. */
  static String remark(SplittableRandom random) {
    return several(random, REMARKS, 4);
  }

  /** The number of a telephone in a nation. */
  static String phone(SplittableRandom random, int nation) {
    return "%d-%03d-%03d-%04d"
        .formatted(
            nation + 10,
            random.nextInt(100, 1000),
            random.nextInt(100, 1000),
            random.nextInt(1000, 10_000));
  }

  private static String several(SplittableRandom random, List<String> words, int count) {
    StringBuilder text = new StringBuilder(one(random, words));
    for (int i = 1; i < count; i++) {
      text.append(' ').append(one(random, words));
    }
    return text.toString();
  }
}
