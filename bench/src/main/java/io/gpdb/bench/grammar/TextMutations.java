package io.gpdb.bench.grammar;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts with tokens left out, doubled, swapped, or taken from an earlier text. */
final class TextMutations {
  private static final Pattern TOKEN =
      Pattern.compile("'(?:[^']|'')*'|[\\p{L}\\d_.$]+|[<>=!|:]+|\\S");
  private static final int KNOWN_MAX = 500;

  private final Random random;
  private final List<String> known = new ArrayList<>();

  TextMutations(Random random) {
    this.random = random;
  }

  String mutated(String text) {
    List<String> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(text);
    while (matcher.find()) {
      tokens.add(matcher.group());
    }
    remember(tokens);
    for (int changes = 1 + random.nextInt(3); changes > 0 && tokens.size() > 1; changes--) {
      change(tokens);
    }
    return String.join(" ", tokens);
  }

  private void remember(List<String> tokens) {
    for (String token : tokens) {
      if (known.size() < KNOWN_MAX) {
        known.add(token);
      } else {
        known.set(random.nextInt(KNOWN_MAX), token);
      }
    }
  }

  private void change(List<String> tokens) {
    int at = random.nextInt(tokens.size());
    int other = random.nextInt(tokens.size());
    switch (random.nextInt(5)) {
      case 0 -> tokens.remove(at);
      case 1 -> tokens.add(at, tokens.get(at));
      case 2 -> java.util.Collections.swap(tokens, at, other);
      case 3 -> tokens.set(at, known.get(random.nextInt(known.size())));
      default -> tokens.add(at, tokens.get(other));
    }
  }
}
