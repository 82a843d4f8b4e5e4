package io.gpdb.bench.grammar;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The productions of expressions.bnf, and texts made from them. */
final class Productions {
  private static final String FILE = "expressions.bnf";
  private static final Pattern NAME = Pattern.compile("<([a-z]+)(?::([a-z0-9]+))?>");
  private static final String ENDS_NESTING = "! ";

  private final Map<String, List<String>> all = new HashMap<>();
  private final Map<String, List<String>> ends = new HashMap<>();
  private final Random random;
  private final BiFunction<String, Integer, String> columnsAndQueries;
  private boolean plain;

  /** {@code columnsAndQueries} has the text for {@code column:KIND} and {@code query:COLUMNS}. */
  Productions(Random random, BiFunction<String, Integer, String> columnsAndQueries) {
    this.random = random;
    this.columnsAndQueries = columnsAndQueries;
    for (String line : lines()) {
      int sign = line.indexOf(" ::= ");
      if (sign > 0) {
        add(line.substring(0, sign), line.substring(sign + 5));
      }
    }
  }

  private static List<String> lines() {
    try (InputStream in = Productions.class.getResourceAsStream(FILE)) {
      return new String(Objects.requireNonNull(in, FILE).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(String name, String text) {
    boolean end = text.startsWith(ENDS_NESTING);
    String plain = end ? text.substring(ENDS_NESTING.length()) : text;
    all.computeIfAbsent(name, n -> new ArrayList<>()).add(plain);
    if (end) {
      ends.computeIfAbsent(name, n -> new ArrayList<>()).add(plain);
    }
  }

  /** From now on whether rows stay rows, without aggregates and whatever else is odd or bound. */
  void plain(boolean on) {
    plain = on;
  }

  /** A text for a name; from depth 0 on only productions that end the nesting are taken. */
  String text(String name, int depth) {
    List<String> choices = depth <= 0 ? ends.getOrDefault(name, List.of()) : all.get(name);
    if (choices == null || choices.isEmpty()) {
      return name.equals("any") ? text("number", depth) : columnsAndQueries.apply("column:any", 0);
    }
    String production = choices.get(random.nextInt(choices.size()));
    if (plain && (production.equals("?") || production.equals("<odd>"))) {
      return text("literal", depth);
    }
    StringBuilder made = new StringBuilder();
    Matcher names = NAME.matcher(production);
    while (names.find()) {
      String part = part(names.group(1), names.group(2), depth - 1);
      names.appendReplacement(made, Matcher.quoteReplacement(part));
    }
    names.appendTail(made);
    return made.toString();
  }

  private String part(String name, String kind, int depth) {
    if (kind != null) {
      return columnsAndQueries.apply(name + ":" + kind, depth);
    }
    boolean wrongType = !plain && random.nextInt(40) == 0;
    return text(wrongType ? "any" : name, depth);
  }
}
