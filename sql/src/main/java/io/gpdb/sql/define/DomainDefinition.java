package io.gpdb.sql.define;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableConstraints;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.ParseErrors;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.syntax.SequenceCalls;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.validation.FunctionNames;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUserDefinedTypeNameSpec;
import org.jspecify.annotations.Nullable;

/** Makes domains from what is written, and gives columns what their domains say. */
public final class DomainDefinition {
  private DomainDefinition() {}

  /** A domain is defined as a table is whose column is its value. */
  public static DomainDef of(
      ParsedStatement.CreateDomain create, SqlText text, CatalogSnapshot catalog) {
    ObjectName name = TableNames.newName(create.name(), catalog);
    TableDefinition.checkedName(name.name(), create.name());
    SqlNode given = create.value().defaultValue();
    if (given != null && !SequenceCalls.sequences(given).isEmpty()) {
      throw ParseErrors.refused("a sequence in the DEFAULT of a domain", given.getParserPosition());
    }
    TableDefinition definition = new TableDefinition(text, catalog, name);
    TableDef value =
        definition.define(
            new ParsedStatement.CreateTable(
                create.name(),
                false,
                null,
                List.of(create.value()),
                create.constraints(),
                null,
                false),
            null);
    if (!definition.identities().isEmpty() || value.column(0).domain() != null) {
      throw ParseErrors.refused(
          "a domain over a domain or a numbered type", create.name().getParserPosition());
    }
    return new DomainDef(value);
  }

  public static DomainDef of(
      ParsedStatement.CreateType create, SqlText text, CatalogSnapshot catalog) {
    SqlIdentifier toDistinct = create.toDistinct();
    SqlIdentifier toSource = create.toSource();
    DomainDef type =
        new DomainDef(
            of(
                    new ParsedStatement.CreateDomain(create.name(), create.value(), List.of()),
                    text,
                    catalog)
                .value(),
            new DomainDef.Casts(
                toDistinct == null ? null : toDistinct.getSimple(),
                toSource == null ? null : toSource.getSimple()));
    requireNoFunction(type.toDistinct(), create.name());
    requireNoFunction(type.toSource(), create.name());
    if (Objects.equals(type.toDistinct(), type.toSource())) {
      throw new GpdbException(
          SqlCondition.ROUTINE_EXISTS, "both casts are called " + type.toSource());
    }
    return type;
  }

  private static void requireNoFunction(@Nullable String cast, SqlIdentifier place) {
    if (cast != null && FunctionNames.isBuiltIn(cast)) {
      throw new GpdbException(
          SqlCondition.ROUTINE_EXISTS,
          "function " + cast + " is one of SQL" + TableNames.at(place));
    }
  }

  /** The domain or distinct type that a column is declared with; null for a type of SQL. */
  public static @Nullable DomainDef in(SqlDataTypeSpec type, CatalogSnapshot catalog) {
    if (!(type.getTypeNameSpec() instanceof SqlUserDefinedTypeNameSpec named)) {
      return null;
    }
    SqlIdentifier name = named.getTypeName();
    return name.names.size() > 2 ? null : catalog.domain(TableNames.named(name, catalog));
  }

  /** The column with the default and NOT NULL of its domain where it has none of its own. */
  static ColumnDef column(ColumnDef declared, DomainDef domain) {
    ColumnDef value = domain.column();
    boolean computed = declared.identity() != null || declared.generatedSql() != null;
    return declared
        .withNullable(declared.nullable() && value.nullable())
        .withDefault(
            computed || declared.defaultSql() != null ? declared.defaultSql() : value.defaultSql())
        .withDomain(domain.fullName());
  }

  /** The table with the checks of its columns' domains, but for those that it has already. */
  static TableDef checked(TableDef declared, CatalogSnapshot catalog) {
    TableDef table = declared;
    for (ColumnDef column : declared.columns()) {
      for (CheckDef check : checks(column, catalog)) {
        if (table.checks().stream().noneMatch(c -> c.condition().equals(check.condition()))) {
          boolean taken = TableConstraints.names(table).contains(check.name());
          table =
              TableConstraints.withCheck(
                  table, taken ? null : check.name(), check.condition(), check.deferrability());
        }
      }
    }
    return table;
  }

  /** The checks of a column's domain as those of the column. */
  static List<CheckDef> checks(ColumnDef column, CatalogSnapshot catalog) {
    ObjectName name = column.domain();
    DomainDef domain = name == null ? null : catalog.domain(name);
    return domain == null
        ? List.of()
        : domain.value().checks().stream()
            .map(
                check ->
                    new CheckDef(
                        check.name(),
                        DomainDef.condition(check, column.name()),
                        check.deferrability()))
            .toList();
  }
}
