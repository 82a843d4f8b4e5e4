package io.gpdb.sql.define;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.CheckCondition;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableConstraints;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.AlterClause;
import io.gpdb.sql.parser.CheckClause;
import io.gpdb.sql.parser.ParseErrors;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.AlterAction;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.syntax.SequenceCalls;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.jspecify.annotations.Nullable;

/** What ALTER DOMAIN does to a domain, and to the columns that are declared with it. */
public final class DomainAlteration {
  private final SqlText text;
  private final CatalogSnapshot catalog;

  public DomainAlteration(SqlText text, CatalogSnapshot catalog) {
    this.text = text;
    this.catalog = catalog;
  }

  public Analyzed of(ParsedStatement.AlterDomain alter) {
    ObjectName name = TableNames.named(alter.name(), catalog);
    DomainDef domain = catalog.domain(name);
    if (domain == null || domain.isDistinct()) {
      throw new GpdbException(SqlCondition.OBJECT_NOT_FOUND, "domain " + name + " does not exist");
    }
    return switch (alter.action()) {
      case AlterClause.SetDefault set -> withDefault(domain, set.value());
      case AlterClause.Add add -> withCheck(domain, (CheckClause) add.constraints().getFirst());
      case AlterClause.DropConstraint drop -> withoutCheck(domain, drop);
      default -> throw new GpdbException(ErrorCode.INTERNAL, "no action of ALTER DOMAIN: " + alter);
    };
  }

  /** A column with a default of its own keeps it, and each keeps one that is dropped. */
  private Analyzed withDefault(DomainDef domain, @Nullable SqlNode value) {
    if (value != null && !SequenceCalls.sequences(value).isEmpty()) {
      throw ParseErrors.refused("a sequence in the DEFAULT of a domain", value.getParserPosition());
    }
    String before = domain.column().defaultSql();
    String after = value == null ? null : text.at(value.getParserPosition());
    if (after != null) {
      FunctionCall.requireNone(after, catalog, "a DEFAULT");
    }
    return altered(
        domain,
        domain.value().withColumns(List.of(domain.column().withDefault(after))),
        (table, column) ->
            after != null && Objects.equals(column.defaultSql(), before) && isGiven(column)
                ? new AlterAction.SetDefault(column.name(), after)
                : null);
  }

  private static boolean isGiven(ColumnDef column) {
    return column.identity() == null && column.generatedSql() == null;
  }

  private Analyzed withCheck(DomainDef domain, CheckClause clause) {
    SqlIdentifier given = clause.name();
    TableDef value =
        TableConstraints.withCheck(
            domain.value(),
            given == null ? null : given.getSimple(),
            TableDefinition.condition(clause, text, catalog),
            clause.deferral().deferrability());
    TableConstraints.requireDistinctNames(value);
    CheckDef check = value.checks().getLast();
    CheckCondition.violations(value, check);
    return altered(
        domain,
        value,
        (table, column) -> {
          boolean first = first(table, domain).equals(column);
          boolean taken = !first || TableConstraints.names(table).contains(check.name());
          return new AlterAction.AddCheck(
              taken ? null : check.name(),
              DomainDef.condition(check, column.name()),
              check.deferrability(),
              false);
        });
  }

  private static ColumnDef first(TableDef table, DomainDef domain) {
    return table.columns().stream()
        .filter(column -> domain.fullName().equals(column.domain()))
        .findFirst()
        .orElseThrow();
  }

  private Analyzed withoutCheck(DomainDef domain, AlterClause.DropConstraint drop) {
    String name = drop.name().getSimple();
    List<CheckDef> kept = new ArrayList<>(domain.value().checks());
    CheckDef dropped =
        kept.stream().filter(check -> check.name().equals(name)).findFirst().orElse(null);
    if (dropped == null && !drop.ifExists()) {
      throw new GpdbException(
          SqlCondition.OBJECT_NOT_FOUND,
          "domain "
              + domain.fullName()
              + " has no constraint "
              + name
              + TableNames.at(drop.name()));
    }
    kept.remove(dropped);
    return altered(
        domain,
        domain.value().withChecks(kept),
        (table, column) -> {
          String own = dropped == null ? null : ofColumn(dropped, table, column);
          return own == null ? null : new AlterAction.DropConstraint(own, false, false);
        });
  }

  /** The name of the constraint of a table that a column has from its domain. */
  private static @Nullable String ofColumn(CheckDef check, TableDef table, ColumnDef column) {
    String condition = DomainDef.condition(check, column.name());
    return table.checks().stream()
        .filter(own -> own.condition().equals(condition))
        .map(CheckDef::name)
        .findFirst()
        .orElse(null);
  }

  private Analyzed altered(
      DomainDef domain, TableDef value, BiFunction<TableDef, ColumnDef, @Nullable AlterAction> of) {
    List<Analyzed.AlterTable> tables = new ArrayList<>();
    for (TableDef table : catalog.tables()) {
      List<AlterAction> actions = new ArrayList<>();
      for (ColumnDef column : table.columns()) {
        AlterAction action =
            domain.fullName().equals(column.domain()) ? of.apply(table, column) : null;
        if (action != null) {
          actions.add(action);
        }
      }
      if (!actions.isEmpty()) {
        tables.add(new Analyzed.AlterTable(table.fullName(), false, actions));
      }
    }
    return new Analyzed.AlterDomain(domain, domain.withValue(value), tables);
  }
}
