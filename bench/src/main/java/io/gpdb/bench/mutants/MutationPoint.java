package io.gpdb.bench.mutants;

/**
 * One change of one instruction.
 *
 * @param className with dots
 * @param index among the points of the class, from 0
 * @param method name and descriptor
 * @param element the instruction's place in the list of the method's code elements
 * @param detail what is changed, for whoever reads the report
 */
record MutationPoint(
    String className,
    int index,
    String method,
    int element,
    int line,
    MutationKind kind,
    String detail) {
  MutationPoint numbered(int number) {
    return new MutationPoint(className, number, method, element, line, kind, detail);
  }

  /** As the command takes it to run this one alone. */
  String id() {
    return className + "#" + index;
  }

  @Override
  public String toString() {
    String name = method.substring(0, method.indexOf('('));
    return "%s %s.%s:%d %s %s".formatted(id(), simpleName(), name, line, kind, detail);
  }

  private String simpleName() {
    return className.substring(className.lastIndexOf('.') + 1);
  }
}
