package io.gpdb.session;

import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;

/** CREATE SCHEMA with statements that create what is in it. */
final class FullSchema {
  private final Session session;
  private final Cancellation cancellation;

  FullSchema(Session session, Cancellation cancellation) {
    this.session = session;
    this.cancellation = cancellation;
  }

  /** The schema and what is in it, all or nothing; it is the current schema meanwhile. */
  void create(Analyzed.CreateFullSchema create) {
    session
        .atomicStatements()
        .run(
            () -> {
              String name = ObjectName.quoted(create.name());
              String condition = create.ifNotExists() ? "IF NOT EXISTS " : "";
              execute("CREATE SCHEMA " + condition + name);
              String before = session.schema().name();
              session.schema().set(create.name());
              try {
                createAll(create.elements());
              } finally {
                session.schema().set(before);
              }
              return create;
            });
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
          execute(element);
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

  private void execute(String statement) {
    session.execute(statement, Binding.NONE, cancellation);
  }
}
