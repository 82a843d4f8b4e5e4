package io.gpdb.session;

import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.SchemaElement;
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
   * until the others are there, as long as that helps; then the foreign keys of those that are left
   * are put off, for tables may refer to each other.
   */
  private void createAll(List<SchemaElement> elements) {
    List<SchemaElement> left = elements;
    while (!left.isEmpty()) {
      List<SchemaElement> putOff = new ArrayList<>();
      GpdbException first = null;
      for (SchemaElement element : left) {
        try {
          statements.accept(element.text());
        } catch (GpdbException e) {
          putOff.add(element);
          first = first == null ? e : first;
        }
      }
      boolean helped = putOff.size() < left.size();
      if (!helped && first != null && putOff.stream().allMatch(e -> e.foreignKeys().isEmpty())) {
        throw first;
      }
      left = helped ? putOff : apart(putOff);
    }
  }

  private static List<SchemaElement> apart(List<SchemaElement> elements) {
    List<SchemaElement> tables = new ArrayList<>();
    List<SchemaElement> foreignKeys = new ArrayList<>();
    for (SchemaElement element : elements) {
      tables.add(new SchemaElement(element.withoutForeignKeys()));
      element.foreignKeys().forEach(key -> foreignKeys.add(new SchemaElement(key)));
    }
    tables.addAll(foreignKeys);
    return tables;
  }
}
