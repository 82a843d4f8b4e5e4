package io.gpdb.sql.define;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.ForeignKeyDraft;
import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.conversion.CheckCondition;
import io.gpdb.sql.conversion.DefaultValues;
import io.gpdb.sql.conversion.GeneratedValues;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.Deferrability;
import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.IdentityDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.OnCommit;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableConstraints;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.CheckClause;
import io.gpdb.sql.parser.ColumnClause;
import io.gpdb.sql.parser.ConstraintClause;
import io.gpdb.sql.parser.ForeignKeyClause;
import io.gpdb.sql.parser.KeyClause;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.parser.SequenceOptions;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.syntax.DeclaredType;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.type.SqlLimits;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.jspecify.annotations.Nullable;

/** Makes the definition of a table from CREATE TABLE, within the limits of tables. */
public final class TableDefinition {
  private final SqlText text;
  private final CatalogSnapshot catalog;
  private final ObjectName name;
  private final @Nullable OnCommit onCommit;
  private final List<SequenceDef> identities = new ArrayList<>();

  /** The definition of a table of that name, whether it is there or not. */
  public TableDefinition(SqlText text, CatalogSnapshot catalog, ObjectName name) {
    this(text, catalog, name, null);
  }

  /** As above, of a temporary table where {@code onCommit} is given. */
  public TableDefinition(
      SqlText text, CatalogSnapshot catalog, ObjectName name, @Nullable OnCommit onCommit) {
    this.onCommit = onCommit;
    this.text = text;
    this.catalog = catalog;
    this.name = name;
  }

  /**
   * The table, not yet numbered; where it has no column list, the columns of the query are its
   * columns.
   */
  public TableDef define(ParsedStatement.CreateTable parsed, @Nullable List<OutputColumn> query) {
    if (query == null && parsed.columns().isEmpty()) {
      throw new GpdbException(SqlCondition.SYNTAX, "table " + name + " has no columns");
    }
    List<ColumnDef> columns =
        query == null ? declared(parsed.columns()) : queried(parsed.columns(), query);
    checkColumns("table " + name, columns);
    TableDef keyed = withKeys(of(KeyClause.class, parsed.constraints()), table(columns));
    for (KeyDef key : keyed.keyConstraints()) {
      if (key.primary()) {
        for (int c : key.columns()) {
          ColumnDef column = columns.get(c);
          checkPrimary(parsed.columns(), column);
          columns.set(c, column.withNullable(false));
        }
      }
    }
    return constrained(keyed.withColumns(columns), parsed.constraints());
  }

  private static <T extends ConstraintClause> List<T> of(
      Class<T> kind, List<ConstraintClause> clauses) {
    return clauses.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** The table with its CHECK constraints and foreign keys. */
  private TableDef constrained(TableDef keyed, List<ConstraintClause> clauses) {
    TableDef table = keyed;
    for (CheckClause clause : of(CheckClause.class, clauses)) {
      SqlIdentifier given = clause.name();
      table =
          TableConstraints.withCheck(
              table,
              given == null ? null : given.getSimple(),
              condition(clause, text, catalog),
              clause.deferral().deferrability());
      CheckCondition.violations(table, table.checks().getLast());
    }
    table = DomainDefinition.checked(table, catalog);
    for (ForeignKeyClause clause : of(ForeignKeyClause.class, clauses)) {
      table = TableConstraints.withForeignKey(table, draft(clause).in(table, catalog));
    }
    TableConstraints.requireDistinctNames(table);
    var _ = GeneratedValues.of(table); // refuses what a column cannot be computed by
    return table;
  }

  /** The text between the parentheses; a comment keeps the end of its line. */
  static String condition(CheckClause clause, SqlText text, CatalogSnapshot catalog) {
    String inParentheses = text.at(clause.condition());
    String condition = inParentheses.substring(1, inParentheses.length() - 1);
    FunctionCall.requireNone(condition, catalog, "a CHECK");
    return condition.contains("--") ? condition : condition.strip();
  }

  ForeignKeyDraft draft(ForeignKeyClause clause) {
    SqlIdentifier given = clause.name();
    SqlNodeList parentColumns = clause.parentColumns();
    return new ForeignKeyDraft(
        given == null ? null : given.getSimple(),
        names(clause.columns()),
        TableNames.named(clause.parent(), catalog),
        parentColumns == null ? List.of() : names(parentColumns),
        clause.rules().onDelete(),
        clause.rules().onUpdate(),
        clause.deferral().isDeferrable(),
        clause.deferral().isDeferred(),
        clause.matchesFull());
  }

  static List<String> names(SqlNodeList identifiers) {
    return identifiers.stream().map(name -> ((SqlIdentifier) name).getSimple()).toList();
  }

  private TableDef table(List<ColumnDef> columns) {
    return new TableDef(-1, name.name(), columns, List.of())
        .withName(name.schema(), name.name())
        .withOnCommit(onCommit);
  }

  private static void checkPrimary(List<ColumnClause> clauses, ColumnDef column) {
    for (ColumnClause clause : clauses) {
      if (clause.name().getSimple().equals(column.name()) && clause.isDeclaredNullable()) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT,
            "column " + column.name() + " of the primary key is declared NULL");
      }
    }
  }

  public static String checkedName(String name, SqlNode place) {
    if (name.isEmpty() || name.equals(GpTable.ROW_ID)) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "the name '" + name + "' is reserved" + TableNames.at(place));
    }
    return name;
  }

  /** The columns as they are declared, without what keys make of them. */
  List<ColumnDef> declared(List<ColumnClause> clauses) {
    List<ColumnDef> columns = new ArrayList<>();
    for (ColumnClause clause : clauses) {
      if (clause.isLike()) {
        columns.addAll(copied(clause));
        continue;
      }
      SqlDataTypeSpec type = clause.type();
      if (type == null) {
        throw new GpdbException(
            SqlCondition.SYNTAX,
            "column " + clause.name() + " has no type" + TableNames.at(clause.name()));
      }
      SqlTypeSpec serial = SerialTypes.of(type);
      DomainDef domain = DomainDefinition.in(type, catalog);
      if (domain != null) {
        columns.add(DomainDefinition.column(column(clause, domain.column().type()), domain));
      } else if (serial == null) {
        columns.add(column(clause, DeclaredType.of(type)));
      } else {
        clause.identity(false, new SequenceOptions());
        columns.add(column(clause, serial));
      }
    }
    return columns;
  }

  /** The sequences of the identity columns that were declared, in their order. */
  public List<SequenceDef> identities() {
    return identities;
  }

  private ColumnDef identity(ColumnClause clause, SqlTypeSpec type, SequenceOptions options) {
    String column = checkedName(clause.name().getSimple(), clause.name());
    if (clause.isDeclaredNullable()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT, "identity column " + column + " is declared NULL");
    }
    identities.add(SequenceDefinition.ofColumn(name, column, type, options));
    return new ColumnDef(column, type, false, null)
        .withIdentity(new IdentityDef(clause.isAlways(), IdentityDef.UNNUMBERED));
  }

  /** Names, types and NOT NULL of the columns of a table or view. */
  private List<ColumnDef> copied(ColumnClause like) {
    ObjectName source = TableNames.named(like.name(), catalog);
    ViewDef view = catalog.view(source);
    if (view != null) {
      catalog.requireComplete(view);
    }
    List<ColumnDef> columns =
        view != null ? view.columns() : TableNames.table(like.name(), catalog).columns();
    return columns.stream()
        .map(
            column ->
                new ColumnDef(
                    column.name(),
                    column.type(),
                    column.nullable(),
                    like.isLikeWithDefaults() ? column.defaultSql() : null))
        .toList();
  }

  private ColumnDef column(ColumnClause clause, SqlTypeSpec type) {
    SequenceOptions identity = clause.identity();
    if (identity != null) {
      return identity(clause, type, identity);
    }
    SqlNode generated = clause.generated();
    if (generated != null) {
      FunctionCall.requireNone(generated, catalog, "a generated column");
      return new ColumnDef(
              checkedName(clause.name().getSimple(), clause.name()),
              type,
              !clause.isNotNull(),
              null)
          .withGenerated(text.at(generated.getParserPosition()));
    }
    SqlNode value = clause.defaultValue();
    String defaultSql = value == null ? null : text.at(value.getParserPosition());
    String column = checkedName(clause.name().getSimple(), clause.name());
    ColumnDef definition =
        new ColumnDef(column, type, !clause.isNotNull(), defaultSql)
            .withNotNullName(clause.notNullName());
    if (value != null) {
      FunctionCall.requireNone(value, catalog, "a DEFAULT");
      TableDef alone = table(List.of(definition));
      new DefaultValues(
              new QueryConversion(
                  catalog, null, List.of(), new ParameterGuesses(SqlTypeSpec.VARCHAR)))
          .of(alone, 0);
    }
    return definition;
  }

  private static List<ColumnDef> queried(List<ColumnClause> clauses, List<OutputColumn> query) {
    if (!clauses.isEmpty() && clauses.size() != query.size()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "the table has " + clauses.size() + " columns, its query " + query.size());
    }
    List<ColumnDef> columns = new ArrayList<>();
    for (int i = 0; i < query.size(); i++) {
      OutputColumn output = query.get(i);
      SqlTypeSpec type = output.type();
      String column = output.name();
      boolean nullable = output.nullable();
      if (!clauses.isEmpty()) {
        ColumnClause clause = clauses.get(i);
        if (clause.isLike()) {
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED, "LIKE in CREATE TABLE AS" + TableNames.at(clause.name()));
        }
        if (clause.defaultValue() != null
            || clause.identity() != null
            || clause.generated() != null) {
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED,
              (clause.defaultValue() != null ? "DEFAULT" : "GENERATED")
                  + " in CREATE TABLE AS"
                  + TableNames.at(clause.name()));
        }
        column = clause.name().getSimple();
        SqlDataTypeSpec declared = clause.type();
        type = declared == null ? type : DeclaredType.of(declared);
        nullable = !clause.isNotNull();
      }
      if (type.kind() == SqlTypeSpec.Kind.CHAR && type.precision() == 0) {
        type = SqlTypeSpec.VARCHAR;
      }
      columns.add(new ColumnDef(column, type, nullable, null));
    }
    return columns;
  }

  public static void checkColumns(String table, List<ColumnDef> columns) {
    if (columns.size() > SqlLimits.COLUMNS_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          table
              + " has too many columns: columns="
              + columns.size()
              + ", limit="
              + SqlLimits.COLUMNS_MAX);
    }
    Set<String> names = new HashSet<>();
    for (ColumnDef column : columns) {
      if (!names.add(column.name())) {
        throw new GpdbException(
            SqlCondition.COLUMN_EXISTS, table + " has two columns named " + column.name());
      }
    }
  }

  /** The table with its keys; of several over the same columns with one, not DEFERRABLE first. */
  private TableDef withKeys(List<KeyClause> clauses, TableDef table) {
    if (clauses.size() > SqlLimits.KEYS_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "table "
              + name
              + " has too many keys: keys="
              + clauses.size()
              + ", limit="
              + SqlLimits.KEYS_MAX);
    }
    List<KeyDef> keys = new ArrayList<>();
    List<IndexDef> deferrable = new ArrayList<>();
    boolean primary = false;
    Set<String> names = new HashSet<>();
    for (KeyClause clause : clauses) {
      KeyDef key = key(clause, table);
      if (key.primary() && primary) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT,
            "table " + name + " has two primary keys" + TableNames.at(clause.position()));
      }
      if (!names.add(key.name())) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT, "table " + name + " has two keys named " + key.name());
      }
      primary |= key.primary();
      Deferrability deferrability = clause.deferral().deferrability();
      if (deferrability.isDeferrable()) {
        requireNoFloat(key, table);
        deferrable.add(IndexDef.ofKey(key, deferrability));
      } else if (keys.stream().noneMatch(k -> Arrays.equals(k.columns(), key.columns()))) {
        keys.add(key.primary() ? 0 : keys.size(), key);
      } else if (key.primary()) {
        keys.removeIf(k -> Arrays.equals(k.columns(), key.columns()));
        keys.addFirst(key);
      }
    }
    return table.withKeys(keys).withIndexes(deferrable).withNumberedIndexes();
  }

  /** The rows of a DEFERRABLE key are found by a hash of its bits. */
  private static void requireNoFloat(KeyDef key, TableDef table) {
    for (int c : key.columns()) {
      ColumnDef column = table.column(c);
      if (column.type().element().isFloat()) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED,
            "a DEFERRABLE key over the "
                + column.type()
                + " column "
                + column.name()
                + " is not supported");
      }
    }
  }

  private KeyDef key(KeyClause clause, TableDef table) {
    int[] columns = TableNames.columns(table, clause.columns(), CatalogSnapshot.EMPTY);
    SqlIdentifier given = clause.name();
    return new KeyDef(
        given == null ? KeyDef.nameOf(table, clause.primary(), columns) : given.getSimple(),
        clause.primary(),
        columns,
        0);
  }
}
