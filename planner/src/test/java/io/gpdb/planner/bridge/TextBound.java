package io.gpdb.planner.bridge;

import io.gpdb.planner.text.Characters;
import org.jspecify.annotations.Nullable;

/** MIN and MAX of strings in the order of their characters, which is not that of UTF-16. */
public final class TextBound {
  private TextBound() {}

  /** The least or greatest so far. */
  public static final class State {
    private @Nullable String text;
    private String key = "";

    void add(String value, int sign) {
      String other = Characters.ordered(value);
      if (text == null || other.compareTo(key) * sign > 0) {
        text = value;
        key = other;
      }
    }
  }

  /** MIN. */
  public static final class Least {
    private Least() {}

    public static State init() {
      return new State();
    }

    public static State add(State state, String value) {
      state.add(value, -1);
      return state;
    }

    public static @Nullable String result(State state) {
      return state.text;
    }
  }

  /** MAX. */
  public static final class Greatest {
    private Greatest() {}

    public static State init() {
      return new State();
    }

    public static State add(State state, String value) {
      state.add(value, 1);
      return state;
    }

    public static @Nullable String result(State state) {
      return state.text;
    }
  }
}
