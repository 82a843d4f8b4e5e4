package io.gpdb.session;

import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** CREATE SCHEMA with statements that create what is in it. */
final class FullSchema {
  private final SessionSchema current;
  private final Consumer<String> statements;

  /**
   * @param current the session's
   * @param statements executes the text of a statement in the session
   */
  FullSchema(SessionSchema current, Consumer<String> statements) {
    this.current = current;
    this.statements = statements;
  }

  /** The schema and what is in it; it is the current schema meanwhile. */
  void create(Analyzed.CreateFullSchema create) {
    String name = ObjectName.quoted(create.name());
    String condition = create.ifNotExists() ? "IF NOT EXISTS " : "";
    statements.accept("CREATE SCHEMA " + condition + name);
    String before = current.name();
    current.set(create.name());
    try {
      createAll(create.elements());
    } finally {
      current.set(before);
    }
  }

  /**
   * Executes the elements, which may name what others create behind them: one that fails is put off
   * until the others are there, as long as that helps.
   */
  private void createAll(List<String> elements) {
    List<String> left = elements;
    while (!left.isEmpty()) {
      List<String> putOff = new ArrayList<>();
      GpdbException first = null;
      for (String element : left) {
        try {
          statements.accept(element);
        } catch (GpdbException e) {
          putOff.add(element);
          first = first == null ? e : first;
        }
      }
      if (first != null && putOff.size() == left.size()) {
        throw first;
      }
      left = putOff;
    }
  }
}
