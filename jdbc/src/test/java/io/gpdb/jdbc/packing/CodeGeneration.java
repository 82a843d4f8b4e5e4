package io.gpdb.jdbc.packing;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What Calcite writes Java with: the enumerable convention, whose operators become programs, and
 * the trees of linq4j, of which these are made. The packed driver has of both only those classes
 * without which others that it has cannot be linked. None of ours refers to the rest, and what of
 * Calcite's does is not called: it would need Janino, too, to run what it writes.
 */
public final class CodeGeneration {
  private static final Pattern CLASS =
      Pattern.compile(
          "io/gpdb/shaded/org/apache/calcite/(adapter/enumerable|linq4j/tree)/(.*)\\.class");

  /**
   * Some name types of arguments and results, some are superclasses; nested ones stay with them.
   */
  private static final Set<String> LINKED =
      Set.of(
          "AbstractNode",
          "DeclarationStatement",
          "EnumerableBindable$EnumerableToBindableConverterRule",
          "EnumerableInterpreterRule",
          "Expression",
          "GotoStatement",
          "MethodCallExpression",
          "NewArrayExpression",
          "Node",
          "ParameterExpression",
          "Primitive",
          "PseudoField",
          "RexToLixTranslator$InputGetter",
          "Statement",
          "TableExpressionFactory",
          "Types",
          "UnaryExpression",
          "UnsignedType");

  private CodeGeneration() {}

  /** Whether the packed driver leaves out a file of its libraries. */
  public static boolean isLeftOut(String file) {
    Matcher named = CLASS.matcher(file);
    if (!named.matches()) {
      return false;
    }
    String name = named.group(2);
    return !LINKED.contains(name) && !LINKED.contains(name.replaceFirst("\\$.*", ""));
  }
}
