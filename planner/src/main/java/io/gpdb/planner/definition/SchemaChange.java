package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.statement.Analyzed;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** CREATE and DROP of schemas, domains and routines, and COMMENT ON SCHEMA. */
public final class SchemaChange implements Change {
  private final Consumer<Execution> work;
  private final String words;

  private SchemaChange(Consumer<Execution> work, String words) {
    this.work = work;
    this.words = words;
  }

  public static SchemaChange create(Catalog catalog, Analyzed.CreateSchema create) {
    return new SchemaChange(
        x -> catalog.schemas().create(x.transaction(), create.name(), create.ifNotExists()),
        "create schema " + create.name());
  }

  public static SchemaChange drop(Catalog catalog, Analyzed.DropSchema drop) {
    return new SchemaChange(
        x -> catalog.schemas().drop(x.transaction(), drop.name(), drop.ifExists(), drop.cascade()),
        "drop schema " + drop.name());
  }

  /**
   * CREATE DOMAIN or CREATE TYPE, which refuses a default that is no value of the domain's type.
   */
  public static SchemaChange create(
      Catalog catalog, Analyzed.CreateDomain create, InnerStatements statements) {
    return new SchemaChange(
        x -> {
          var _ = statements.defaultOf(x, create.def().value().withChecks(List.of()));
          catalog.domains().create(x.transaction(), create.def());
        },
        "create " + create.def().kind() + " " + create.def().fullName());
  }

  public static SchemaChange drop(Catalog catalog, Analyzed.DropDomain drop) {
    return new SchemaChange(
        x ->
            catalog
                .domains()
                .drop(x.transaction(), drop.kind(), drop.name(), drop.ifExists(), drop.behavior()),
        "drop " + drop.kind() + " " + drop.name());
  }

  public static SchemaChange create(Catalog catalog, Analyzed.CreateRoutine create) {
    return new SchemaChange(
        x -> catalog.routines().create(x.transaction(), create.def()),
        "create " + described(create.def()));
  }

  public static SchemaChange drop(Catalog catalog, Analyzed.DropRoutine drop) {
    RoutineDef routine = drop.routine();
    return routine == null
        ? new SchemaChange(_ -> {}, "drop no routine")
        : new SchemaChange(
            x -> catalog.routines().drop(x.transaction(), routine, drop.behavior()),
            "drop " + described(routine));
  }

  private static String described(RoutineDef routine) {
    return routine.kind().toLowerCase(Locale.ROOT) + " " + routine.fullName();
  }

  public static SchemaChange comment(Catalog catalog, Analyzed.CommentOnSchema comment) {
    return new SchemaChange(
        x -> catalog.schemas().comment(x.transaction(), comment.name(), comment.text()),
        "comment on schema " + comment.name());
  }

  @Override
  public long apply(Execution x) {
    work.accept(x);
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of(words + " [catalog]");
  }
}
