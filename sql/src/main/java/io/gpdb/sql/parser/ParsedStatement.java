package io.gpdb.sql.parser;

import io.gpdb.sql.definition.DropBehavior;
import io.gpdb.sql.definition.OnCommit;
import io.gpdb.sql.definition.SchemaNames;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.GrantKind;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** What a {@link StatementNode} says, before names are resolved. */
public sealed interface ParsedStatement {
  /** A statement without names to resolve. */
  record Control(Analyzed command) implements ParsedStatement {}

  /** EXPLAIN. */
  record Explain(SqlNode inner, Analyzed.ExplainKind kind) implements ParsedStatement {}

  /** CREATE TABLE; {@code onCommit} is null where the table is not temporary. */
  record CreateTable(
      SqlIdentifier name,
      boolean ifNotExists,
      @Nullable OnCommit onCommit,
      List<ColumnClause> columns,
      List<ConstraintClause> constraints,
      @Nullable SqlNode query,
      boolean withData)
      implements ParsedStatement {}

  /** DROP TABLE, of one or several. */
  record DropTable(List<SqlIdentifier> names, boolean ifExists, DropBehavior behavior)
      implements ParsedStatement {}

  /** ALTER TABLE; its actions are carried out one after the other. */
  record AlterTable(SqlIdentifier name, boolean ifExists, List<AlterClause> actions)
      implements ParsedStatement {}

  /** CREATE INDEX; {@code method} is the word after USING. */
  record CreateIndex(
      @Nullable SqlIdentifier name,
      boolean unique,
      boolean ifNotExists,
      SqlIdentifier table,
      @Nullable SqlIdentifier method,
      List<IndexClause> columns,
      SqlParserPos position)
      implements ParsedStatement {}

  /** DROP INDEX, which may name the table too. */
  record DropIndex(
      SqlIdentifier name, boolean ifExists, @Nullable SqlIdentifier table, boolean cascade)
      implements ParsedStatement {}

  /** ALTER INDEX … RENAME TO. */
  record RenameIndex(SqlIdentifier name, boolean ifExists, SqlIdentifier to)
      implements ParsedStatement {}

  /** CREATE VIEW; {@code text} is the place of the query in the statement. */
  record CreateView(
      SqlIdentifier name,
      boolean orReplace,
      boolean ifNotExists,
      @Nullable SqlNodeList columns,
      SqlNode query,
      SqlParserPos text,
      ViewDef.CheckOption checkOption)
      implements ParsedStatement {}

  /** ALTER VIEW … RENAME TO. */
  record RenameView(SqlIdentifier name, boolean ifExists, SqlIdentifier to)
      implements ParsedStatement {}

  /** DROP VIEW, of one or several. */
  record DropView(List<SqlIdentifier> names, boolean ifExists, DropBehavior behavior)
      implements ParsedStatement {}

  /** CREATE SEQUENCE. */
  record CreateSequence(SqlIdentifier name, boolean ifNotExists, SequenceOptions options)
      implements ParsedStatement {}

  /** ALTER SEQUENCE. */
  record AlterSequence(SqlIdentifier name, boolean ifExists, SequenceOptions options)
      implements ParsedStatement {}

  /** DROP SEQUENCE. */
  record DropSequence(SqlIdentifier name, boolean ifExists, boolean cascade)
      implements ParsedStatement {}

  /** CREATE SCHEMA; {@code elements} are the statements in it. */
  record CreateSchema(String name, boolean ifNotExists, List<SqlNode> elements)
      implements ParsedStatement {}

  /** CREATE DOMAIN, as a column VALUE that has its type, default and constraints. */
  record CreateDomain(SqlIdentifier name, ColumnClause value, List<ConstraintClause> constraints)
      implements ParsedStatement {}

  /** CREATE TYPE of a distinct type, as a column VALUE that has its source. */
  record CreateType(
      SqlIdentifier name,
      ColumnClause value,
      @Nullable SqlIdentifier toDistinct,
      @Nullable SqlIdentifier toSource)
      implements ParsedStatement {}

  /** ALTER DOMAIN, as of a table with the column VALUE. */
  record AlterDomain(SqlIdentifier name, AlterClause action) implements ParsedStatement {}

  /** DROP DOMAIN, or DROP TYPE, as {@code kind} says. */
  record DropDomain(String kind, SqlIdentifier name, boolean ifExists, DropBehavior behavior)
      implements ParsedStatement {}

  /** CREATE FUNCTION or PROCEDURE. */
  record CreateRoutine(RoutineClause routine) implements ParsedStatement {}

  /** DROP of a routine. */
  record DropRoutine(RoutineReference routine, boolean ifExists, DropBehavior behavior)
      implements ParsedStatement {}

  /** CALL of a procedure, or of an expression, whose value it returns. */
  record Call(SqlNode called) implements ParsedStatement {}

  /** GRANT or REVOKE of privileges on a table or view. */
  record Grant(PrivilegeClause privileges, SqlIdentifier on, List<String> grantees, GrantKind kind)
      implements ParsedStatement {}

  /** What COMMENT ON is on. */
  enum Commented {
    TABLE,
    VIEW,
    COLUMN,
    SCHEMA
  }

  /** COMMENT ON; without a text there is none any more. */
  record Comment(Commented kind, SqlIdentifier name, @Nullable String text)
      implements ParsedStatement {}

  /** TRUNCATE TABLE, of one or several; {@code restart} begins its identity columns anew. */
  record Truncate(List<SqlIdentifier> names, boolean restart) implements ParsedStatement {}

  /** Which values an INSERT stores in identity columns: those of the system, or the user's. */
  enum Overriding {
    /** OVERRIDING SYSTEM VALUE: the user's values replace the system's. */
    SYSTEM,
    /** OVERRIDING USER VALUE: the system's replace the user's. */
    USER
  }

  /** A change with RETURNING. */
  record Returning(SqlNode change, SqlNodeList items) implements ParsedStatement {}

  /** INSERT … OVERRIDING. */
  record InsertOverriding(SqlInsert insert, Overriding overriding) implements ParsedStatement {}

  /** VACUUM, of one table or of all. */
  record Vacuum(@Nullable SqlIdentifier name) implements ParsedStatement {}

  /** ANALYZE, of one table or of all. */
  record Analyze(@Nullable SqlIdentifier name) implements ParsedStatement {}

  /** INSERT INTO t DEFAULT VALUES. */
  record InsertDefaults(SqlIdentifier name) implements ParsedStatement {}

  /** INSERT that does not fail at a key that exists; without a source it inserts defaults. */
  record Upsert(
      SqlIdentifier name,
      @Nullable SqlIdentifier alias,
      @Nullable SqlNodeList columns,
      @Nullable Overriding overriding,
      @Nullable SqlNode source,
      ConflictClause conflict)
      implements ParsedStatement {}

  /** UPDATE; {@code limited} has the ORDER BY and LIMIT of the rows. */
  record Update(
      @Nullable SqlNodeList with,
      SqlIdentifier name,
      @Nullable SqlIdentifier alias,
      List<AssignmentClause> set,
      @Nullable SqlNode from,
      @Nullable SqlNode where,
      @Nullable SqlNode limited)
      implements ParsedStatement {}

  /** DELETE; {@code limited} has the ORDER BY and LIMIT of the rows. */
  record Delete(
      @Nullable SqlNodeList with,
      SqlIdentifier name,
      @Nullable SqlIdentifier alias,
      @Nullable SqlNode using,
      @Nullable SqlNode where,
      @Nullable SqlNode limited)
      implements ParsedStatement {}

  /** MERGE INTO … USING. */
  record Merge(
      @Nullable SqlNodeList with,
      SqlIdentifier name,
      @Nullable SqlIdentifier alias,
      SqlNode source,
      SqlNode condition,
      List<MergeClause> branches)
      implements ParsedStatement {}

  /**
   * DECLARE CURSOR; {@code text} is the place of the query in the statement.
   *
   * @param changes whether rows are to be changed at its place; null where nothing is said
   * @param columns those that may be changed, null for all
   */
  record DeclareCursor(
      SqlIdentifier name,
      boolean scroll,
      boolean hold,
      SqlNode query,
      SqlParserPos text,
      @Nullable Boolean changes,
      @Nullable List<SqlIdentifier> columns)
      implements ParsedStatement {}

  /**
   * UPDATE or DELETE … WHERE CURRENT OF.
   *
   * @param alias what its table is called in the statement
   * @param change the same change of all rows
   * @param where the place of the word WHERE, with which the text ends that stays
   */
  record Positioned(SqlIdentifier cursor, String alias, StatementNode change, SqlParserPos where)
      implements ParsedStatement {
    /** An UPDATE. */
    public static Positioned update(
        @Nullable SqlNodeList with,
        SqlIdentifier name,
        @Nullable SqlIdentifier alias,
        List<AssignmentClause> set,
        SqlIdentifier cursor,
        SqlParserPos where) {
      return of(name, alias, cursor, where, new Update(with, name, alias, set, null, null, null));
    }

    /** A DELETE. */
    public static Positioned delete(
        @Nullable SqlNodeList with,
        SqlIdentifier name,
        @Nullable SqlIdentifier alias,
        SqlIdentifier cursor,
        SqlParserPos where) {
      return of(name, alias, cursor, where, new Delete(with, name, alias, null, null, null));
    }

    private static Positioned of(
        SqlIdentifier name,
        @Nullable SqlIdentifier alias,
        SqlIdentifier cursor,
        SqlParserPos where,
        ParsedStatement change) {
      return new Positioned(
          cursor,
          alias == null ? name.names.getLast() : alias.getSimple(),
          new StatementNode(where, change),
          where);
    }
  }

  /** SELECT … FOR UPDATE. */
  record LockingQuery(SqlNode query, LockClause lock) implements ParsedStatement {}

  /** LOCK TABLE; {@code mode} is empty where none is said. */
  record LockTables(List<SqlIdentifier> tables, String mode, boolean noWait, SqlParserPos position)
      implements ParsedStatement {}

  /** COPY of either a table or a query. */
  record Copy(
      @Nullable SqlIdentifier table,
      @Nullable SqlNodeList columns,
      @Nullable SqlNode query,
      boolean from,
      String file,
      List<CopyOption> settings)
      implements ParsedStatement {}

  /** What follows the first place, to the end of the last. */
  static SqlParserPos between(SqlParserPos first, SqlParserPos last) {
    return new SqlParserPos(
        first.getEndLineNum(),
        first.getEndColumnNum() + 1,
        last.getEndLineNum(),
        last.getEndColumnNum());
  }

  /** The name of a constraint without the schema. */
  static String constraint(SqlIdentifier name) {
    return name.names.getLast();
  }

  /** A name without the catalog, of which there is one, where it has those parts. */
  static SqlIdentifier named(List<String> names, List<SqlParserPos> places, int parts) {
    int first = names.size() == parts && names.getFirst().equals(SchemaNames.CATALOG) ? 1 : 0;
    return new SqlIdentifier(
        names.subList(first, names.size()),
        null,
        SqlParserPos.sum(places),
        places.subList(first, places.size()));
  }

  /** A zone's name, or an interval as the offset that it is. */
  static SqlNode zone(SqlNode written) {
    return written instanceof SqlIntervalLiteral
        ? SqlLiteral.createCharString(offset(written), written.getParserPosition())
        : written;
  }

  /** An interval from hour to minute as the offset of a zone. */
  static String offset(SqlNode interval) {
    if (interval instanceof SqlIntervalLiteral literal) {
      SqlIntervalLiteral.IntervalValue value =
          literal.getValueAs(SqlIntervalLiteral.IntervalValue.class);
      if (value.getIntervalQualifier().timeUnitRange == TimeUnitRange.HOUR_TO_MINUTE) {
        boolean negative = value.getSign() < 0 ^ value.getIntervalLiteral().startsWith("-");
        return (negative ? "-" : "+") + value.getIntervalLiteral().replaceFirst("^[-+]", "");
      }
    }
    throw ParseErrors.refused(
        "an INTERVAL as time zone that is not HOUR TO MINUTE", interval.getParserPosition());
  }

  /** The parts of a name with dots between them. */
  static String dotted(SqlIdentifier name) {
    return String.join(".", name.names);
  }

  /** A query to which ORDER BY and LIMIT may be added. */
  static SqlNode noRows() {
    return SqlStdOperatorTable.VALUES.createCall(SqlParserPos.ZERO);
  }
}
