package io.gpdb.sql.define;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableConstraints;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.AlterClause;
import io.gpdb.sql.parser.CheckClause;
import io.gpdb.sql.parser.ConstraintClause;
import io.gpdb.sql.parser.ForeignKeyClause;
import io.gpdb.sql.parser.KeyClause;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.AlterAction;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.syntax.DeclaredType;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.jspecify.annotations.Nullable;

/** Makes the actions of ALTER TABLE from what is written. */
public final class AlterAnalysis {
  private final SqlText text;
  private final TableDefinition definition;
  private final CatalogSnapshot catalog;
  private final @Nullable TableDef table;
  private final List<AlterAction> actions = new ArrayList<>();

  private AlterAnalysis(
      SqlText text, TableDefinition definition, CatalogSnapshot catalog, @Nullable TableDef table) {
    this.catalog = catalog;
    this.table = table;
    this.text = text;
    this.definition = definition;
  }

  public static Analyzed of(
      ParsedStatement.AlterTable alter, SqlText text, CatalogSnapshot catalog) {
    ObjectName name = TableNames.named(alter.name(), catalog);
    AlterAnalysis analysis =
        new AlterAnalysis(
            text, new TableDefinition(text, catalog, name), catalog, catalog.table(name));
    alter.actions().forEach(analysis::add);
    return new Analyzed.AlterTable(name, alter.ifExists(), analysis.actions);
  }

  private void add(AlterClause clause) {
    switch (clause) {
      case AlterClause.Add add -> add(add);
      case AlterClause.DropColumn drop ->
          actions.add(
              new AlterAction.DropColumn(
                  drop.column().getSimple(), drop.ifExists(), drop.cascade()));
      case AlterClause.RenameColumn rename ->
          actions.add(
              new AlterAction.RenameColumn(rename.column().getSimple(), newName(rename.to())));
      case AlterClause.RenameTable rename ->
          actions.add(new AlterAction.RenameTable(newName(rename.to())));
      case AlterClause.SetType set ->
          actions.add(
              new AlterAction.SetType(
                  set.column().getSimple(),
                  DeclaredType.of(set.type()),
                  written(withoutParameters(set.using()))));
      case AlterClause.SetDefault set -> {
        if (set.value() != null) {
          FunctionCall.requireNone(set.value(), catalog, "a DEFAULT");
        }
        actions.add(new AlterAction.SetDefault(set.column().getSimple(), written(set.value())));
      }
      case AlterClause.SetNotNull set ->
          actions.add(new AlterAction.SetNotNull(set.column().getSimple(), set.notNull()));
      case AlterClause.DropConstraint drop ->
          actions.add(
              new AlterAction.DropConstraint(
                  drop.name().getSimple(), drop.ifExists(), drop.cascade()));
      case AlterClause.DropPrimaryKey drop ->
          actions.add(new AlterAction.DropPrimaryKey(drop.cascade()));
      case AlterClause.ChangeIdentity change -> changeIdentity(change);
      case AlterClause.AddIdentity identity -> addIdentity(identity);
      case AlterClause.DropIdentity drop ->
          actions.add(new AlterAction.DropIdentity(drop.column().getSimple(), drop.ifExists()));
      case AlterClause.RenameConstraint rename ->
          actions.add(
              new AlterAction.RenameConstraint(rename.name().getSimple(), newName(rename.to())));
    }
  }

  private void add(AlterClause.Add add) {
    int sequences = definition.identities().size();
    List<ColumnDef> columns = definition.declared(add.columns());
    for (ColumnDef column : columns) {
      SequenceDef sequence =
          column.identity() == null ? null : definition.identities().get(sequences++);
      actions.add(new AlterAction.AddColumn(column, sequence, add.ifNotExists()));
    }
    boolean ofColumn = !add.columns().isEmpty() && add.ifNotExists();
    for (ColumnDef column : columns) {
      for (CheckDef check : DomainDefinition.checks(column, catalog)) {
        boolean taken = table != null && TableConstraints.names(table).contains(check.name());
        actions.add(
            new AlterAction.AddCheck(
                taken ? null : check.name(), check.condition(), check.deferrability(), ofColumn));
      }
    }
    for (ConstraintClause constraint : add.constraints()) {
      SqlIdentifier given = constraint.name();
      String name = given == null ? null : given.getSimple();
      actions.add(
          switch (constraint) {
            case KeyClause key ->
                new AlterAction.AddKey(
                    name,
                    key.primary(),
                    TableDefinition.names(key.columns()),
                    key.deferral().deferrability(),
                    ofColumn);
            case CheckClause check ->
                new AlterAction.AddCheck(
                    name,
                    TableDefinition.condition(check, text, catalog),
                    check.deferral().deferrability(),
                    ofColumn);
            case ForeignKeyClause key ->
                new AlterAction.AddForeignKey(definition.draft(key), ofColumn);
          });
    }
  }

  private void changeIdentity(AlterClause.ChangeIdentity change) {
    ColumnDef column = column(change.column());
    IdentityDef identity = column == null ? null : column.identity();
    SequenceDef sequence = null;
    if (identity != null && !change.options().isEmpty()) {
      sequence = SequenceDefinition.altered(catalog.sequence(identity), change.options());
    }
    actions.add(
        new AlterAction.ChangeIdentity(change.column().getSimple(), change.always(), sequence));
  }

  private void addIdentity(AlterClause.AddIdentity add) {
    ColumnDef column = column(add.column());
    TableDef known = table;
    if (column != null && known != null) {
      SequenceDef sequence =
          SequenceDefinition.ofColumn(
              new ObjectName(known.schema(), known.name()),
              column.name(),
              column.type(),
              add.options());
      actions.add(new AlterAction.AddIdentity(column.name(), add.always(), sequence));
    } else if (known != null) {
      throw new GpdbException(
          SqlCondition.COLUMN_NOT_FOUND,
          "column " + add.column().getSimple() + " does not exist in table " + known.name());
    }
  }

  /** The column as it is before the statement; null where there is none. */
  private @Nullable ColumnDef column(SqlIdentifier name) {
    int index = table == null ? -1 : table.indexOf(name.getSimple());
    return table == null || index < 0 ? null : table.column(index);
  }

  private static String newName(SqlIdentifier name) {
    return TableDefinition.checkedName(name.getSimple(), name);
  }

  private static @Nullable SqlNode withoutParameters(@Nullable SqlNode using) {
    if (using != null && NodeSearch.hasParameter(using)) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT, "USING has no parameters" + TableNames.at(using));
    }
    return using;
  }

  private @Nullable String written(@Nullable SqlNode node) {
    return node == null ? null : text.at(node.getParserPosition());
  }
}
