package io.gpdb.bench.harness;

import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.api.Protocol;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The constants of an option's type, as documents write them ({@code cap-fs}); taken in capitals
 * and with underscores too.
 */
public abstract class EnumWords<E extends Enum<E>> implements ITypeConverter<E>, Iterable<String> {
  private final List<E> constants;

  private EnumWords(E[] constants) {
    this.constants = List.of(constants);
  }

  private static String word(String text) {
    return text.toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private List<String> words() {
    return constants.stream().map(constant -> word(constant.name())).toList();
  }

  @Override
  public E convert(String text) {
    int at = words().indexOf(word(text));
    if (at < 0) {
      throw new TypeConversionException(
          "'" + text + "' is not one of " + String.join(", ", words()));
    }
    return constants.get(at);
  }

  @Override
  public Iterator<String> iterator() {
    return words().iterator();
  }

  /** How transactions become durable. */
  public static final class Protocols extends EnumWords<Protocol> {
    public Protocols() {
      super(Protocol.values());
    }
  }

  /** What a transaction sees of others. */
  public static final class Levels extends EnumWords<IsolationLevel> {
    public Levels() {
      super(IsolationLevel.values());
    }
  }
}
