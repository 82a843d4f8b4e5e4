<#-- Statements of gpDB; their nodes are in io.gpdb.sql.parser. -->

/** EXPLAIN [KERNEL | ANALYZE [KERNEL] | PLAN FOR] statement. */
SqlNode GpExplain() :
{
    final Span s;
    final SqlNode inner;
    Analyzed.ExplainKind kind = Analyzed.ExplainKind.PLAN;
}
{
    <EXPLAIN> { s = span(); }
    [
        <KERNEL> { kind = Analyzed.ExplainKind.KERNEL; }
    |
        <ANALYZE> { kind = Analyzed.ExplainKind.ANALYZE; }
        [ <KERNEL> { kind = Analyzed.ExplainKind.ANALYZE_KERNEL; } ]
    |
        <PLAN> <FOR>
    ]
    (
        LOOKAHEAD(2) inner = GpWith()
    |
        inner = GpChange(null)
    |
        inner = GpQuery()
    )
    {
        return new StatementNode(s.end(this), new ParsedStatement.Explain(inner, kind));
    }
}

boolean GpIfNotExists() :
{
}
{
    LOOKAHEAD(3)
    <IF> <NOT> <EXISTS> { return true; }
|
    { return false; }
}

boolean GpIfExists() :
{
}
{
    LOOKAHEAD(2)
    <IF> <EXISTS> { return true; }
|
    { return false; }
}

/** CREATE TABLE with columns and keys, or with a query. */
SqlNode GpCreateTable() :
{
    final Span s;
    final boolean ifNotExists;
    final SqlIdentifier name;
    final List<ColumnClause> columns = new ArrayList<ColumnClause>();
    final List<ConstraintClause> constraints = new ArrayList<ConstraintClause>();
    SqlNode query = null;
    boolean withData = true;
    OnCommit onCommit = null;
    OnCommit later = null;
}
{
    (
        <CREATE> { s = span(); }
        [
            [ <GLOBAL> | <LOCAL> ] ( <TEMPORARY> | <TEMP> ) { onCommit = OnCommit.PRESERVE_ROWS; }
        ]
    |
        <DECLARE> { s = span(); } ( <GLOBAL> | <LOCAL> ) ( <TEMPORARY> | <TEMP> ) {
            onCommit = OnCommit.PRESERVE_ROWS;
        }
    )
    <TABLE>
    ifNotExists = GpIfNotExists()
    name = CompoundIdentifier()
    [
        <LPAREN> GpTableElement(columns, constraints)
        ( <COMMA> GpTableElement(columns, constraints) )*
        <RPAREN>
    |
        GpLike(columns)
    ]
    [ later = GpOnCommit(onCommit) { onCommit = later; } ]
    [
        <AS> query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
        [ LOOKAHEAD( <WITH> [ <NO> ] <DATA> ) <WITH> [ <NO> { withData = false; } ] <DATA> ]
        [ onCommit = GpOnCommit(onCommit) ]
    ]
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.CreateTable(
                name, ifNotExists, onCommit, columns, constraints, query, withData));
    }
}

/** ON COMMIT of a temporary table. */
OnCommit GpOnCommit(OnCommit declared) :
{
    final OnCommit action;
    final Span s;
}
{
    <ON> { s = span(); } <COMMIT>
    (
        <DELETE> <ROWS> { action = OnCommit.DELETE_ROWS; }
    |
        <PRESERVE> <ROWS> { action = OnCommit.PRESERVE_ROWS; }
    |
        <DROP> { action = OnCommit.DROP; }
    )
    {
        if (declared == null) {
            throw ParseErrors.refused(
                "ON COMMIT of a table that is not temporary", s.end(this));
        }
        return action;
    }
}

/** LIKE another table, in the place of columns or among them. */
void GpLike(List<ColumnClause> columns) :
{
    final SqlIdentifier source;
    boolean defaults = false;
    boolean including;
    SqlIdentifier what;
}
{
    <LIKE> source = CompoundIdentifier()
    (
        ( <INCLUDING> { including = true; } | <EXCLUDING> { including = false; } )
        (
            <DEFAULTS> { defaults = including; }
        |
            <ALL> {
                if (including) {
                    throw ParseErrors.refused("LIKE … INCLUDING ALL", getPos());
                }
                defaults = false;
            }
        |
            what = SimpleIdentifier() {
                if (including) {
                    throw ParseErrors.refused(
                        "LIKE … INCLUDING " + what.getSimple(), what.getParserPosition());
                }
            }
        )
    )*
    { columns.add(ColumnClause.like(source, defaults)); }
}

/** COMMENT ON TABLE, VIEW, COLUMN or SCHEMA. */
SqlNode GpComment() :
{
    final Span s;
    final SqlIdentifier name;
    final ParsedStatement.Commented kind;
    String text = null;
}
{
    <COMMENT> { s = span(); } <ON>
    (
        <TABLE> { kind = ParsedStatement.Commented.TABLE; }
    |
        <VIEW> { kind = ParsedStatement.Commented.VIEW; }
    |
        <COLUMN> { kind = ParsedStatement.Commented.COLUMN; }
    |
        <SCHEMA> { kind = ParsedStatement.Commented.SCHEMA; }
    )
    name = CompoundIdentifier() <IS>
    ( <NULL> | text = SimpleStringLiteral() )
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.Comment(kind, name, text));
    }
}

void GpTableElement(List<ColumnClause> columns, List<ConstraintClause> constraints) :
{
    SqlIdentifier name;
    SqlDataTypeSpec type = null;
    final ColumnClause column;
}
{
    GpTableConstraint(constraints)
|
    GpLike(columns)
|
    name = SimpleIdentifier()
    [ type = DataType() ]
    { column = new ColumnClause(name, type); columns.add(column); }
    ( GpColumnClause(column, constraints) )*
}

void GpTableConstraint(List<ConstraintClause> constraints) :
{
    SqlIdentifier name = null;
    final Span s;
    final SqlNodeList columns;
    final Deferral deferral = new Deferral();
    final SqlParserPos comma = token.kind == COMMA ? getPos() : null;
}
{
    [ <CONSTRAINT> name = SimpleIdentifier() ]
    (
        <PRIMARY> { s = span(); } <KEY> columns = ParenthesizedSimpleIdentifierList() {
            constraints.add(new KeyClause(name, true, columns, deferral, s.pos()));
        }
        GpDeferral(deferral)
    |
        <UNIQUE> { s = span(); } [ <KEY> ] columns = ParenthesizedSimpleIdentifierList() {
            constraints.add(new KeyClause(name, false, columns, deferral, s.pos()));
        }
        GpDeferral(deferral)
    |
        GpCheck(name, constraints)
    |
        <FOREIGN> <KEY> columns = ParenthesizedSimpleIdentifierList()
        GpReferences(name, columns, constraints, comma)
    )
}

void GpCheck(SqlIdentifier name, List<ConstraintClause> constraints) :
{
    final SqlParserPos open;
    final Deferral deferral = new Deferral();
}
{
    <CHECK> <LPAREN> { open = getPos(); } Expression(ExprContext.ACCEPT_SUB_QUERY) <RPAREN> {
        constraints.add(new CheckClause(name, open.plus(getPos()), deferral));
    }
    GpDeferral(deferral)
}

/** REFERENCES table, with what is done when a parent changes, and when the key is checked. */
void GpReferences(SqlIdentifier name, SqlNodeList columns, List<ConstraintClause> constraints,
    SqlParserPos start) :
{
    final Span s;
    final SqlIdentifier parent;
    SqlNodeList parentColumns = null;
    final ForeignKeyClause.Rules rules = new ForeignKeyClause.Rules();
    final Deferral deferral = new Deferral();
    ForeignKeyDef.Action action;
    boolean full = false;
}
{
    <REFERENCES> { s = span(); } parent = CompoundIdentifier()
    [ parentColumns = ParenthesizedSimpleIdentifierList() ]
    (
        <MATCH>
        (
            <SIMPLE>
        |
            <FULL> { full = true; }
        |
            <PARTIAL> { ParseErrors.refuseMatch("MATCH PARTIAL", columns, getPos()); }
        )
    |
        <ON>
        (
            <DELETE> action = GpReferentialAction() { rules.onDelete(action, parent); }
        |
            <UPDATE> action = GpReferentialAction() { rules.onUpdate(action, parent); }
        )
    )*
    GpDeferral(deferral)
    {
        constraints.add(
            new ForeignKeyClause(name, columns, parent, parentColumns, rules, deferral, full,
                s.end(this), start == null ? null : start.plus(getPos())));
    }
}

ForeignKeyDef.Action GpReferentialAction() :
{
}
{
    <NO> <ACTION> { return ForeignKeyDef.Action.NO_ACTION; }
|
    <RESTRICT> { return ForeignKeyDef.Action.RESTRICT; }
|
    <CASCADE> { return ForeignKeyDef.Action.CASCADE; }
|
    <SET>
    (
        <NULL> { return ForeignKeyDef.Action.SET_NULL; }
    |
        <DEFAULT_> { return ForeignKeyDef.Action.SET_DEFAULT; }
    )
}

void GpNotDeferrable(String constraint) :
{
    final Deferral deferral = new Deferral();
}
{
    GpDeferral(deferral) { deferral.requireNone(constraint, getPos()); }
}

void GpDeferral(Deferral deferral) :
{
}
{
    ( LOOKAHEAD(2) GpDeferralWord(deferral) )*
}

void GpDeferralWord(Deferral deferral) :
{
}
{
    LOOKAHEAD(2)
    <NOT> <DEFERRABLE> { deferral.deferrable(false, getPos()); }
|
    LOOKAHEAD({ "ENFORCED".equalsIgnoreCase(getToken(1).image)
        || getToken(1).kind == NOT && "ENFORCED".equalsIgnoreCase(getToken(2).image) })
    [ <NOT> { ParseErrors.refuse("NOT ENFORCED", getPos()); } ] GpWord("ENFORCED")
|
    <DEFERRABLE> { deferral.deferrable(true, getPos()); }
|
    <INITIALLY>
    (
        <DEFERRED> { deferral.initially(true, getPos()); }
    |
        <IMMEDIATE> { deferral.initially(false, getPos()); }
    )
}

void GpColumnClause(ColumnClause column, List<ConstraintClause> constraints) :
{
    SqlIdentifier name = null;
    final SqlNode value;
    final Deferral deferral = new Deferral();
    final Token first = getToken(1);
    final SqlParserPos start =
        new SqlParserPos(first.beginLine, first.beginColumn, first.endLine, first.endColumn);
}
{
    <NULL> { column.declareNullable(); }
|
    <DEFAULT_> value = GpDefaultValue() { column.defaultValue(value); }
|
    GpGeneration(column)
|
    [ <CONSTRAINT> name = SimpleIdentifier() ]
    (
        <NOT> <NULL> { column.notNull(name); }
        GpNotDeferrable("NOT NULL")
    |
        <PRIMARY> <KEY> {
            constraints.add(
                new KeyClause(name, true, SqlNodeList.of(column.name()), deferral, getPos()));
        }
        GpDeferral(deferral)
    |
        <UNIQUE> [ <KEY> ] {
            constraints.add(
                new KeyClause(name, false, SqlNodeList.of(column.name()), deferral, getPos()));
        }
        GpDeferral(deferral)
    |
        GpCheck(name, constraints)
    |
        GpReferences(name, SqlNodeList.of(column.name()), constraints, start)
    )
}

/** A query in parentheses with what may be behind one; a table or a join has nothing behind it. */
SqlNode GpOrderedQuery(SqlNode inside) :
{
    final SqlNode ordered;
}
{
    {
        if (!inside.isA(SqlKind.QUERY) && getToken(1).kind != RPAREN) {
            throw generateParseException();
        }
    }
    ordered = OrderByLimitOpt(inside) { return ordered; }
}

/** The value of a DEFAULT, behind which NOT NULL is a constraint. */
SqlNode GpDefaultValue() :
{
    final SqlNode value;
}
{
    { beforeConstraint = true; }
    value = Expression(ExprContext.ACCEPT_SUB_QUERY) {
        beforeConstraint = false;
        return value;
    }
}

/** What numbers or computes the values of a column. */
void GpGeneration(ColumnClause column) :
{
    boolean always = false;
    final SequenceOptions settings = new SequenceOptions();
    SqlNode value;
}
{
    <GENERATED> ( <ALWAYS> { always = true; } | <BY> <DEFAULT_> ) <AS>
    (
        <IDENTITY> [ <LPAREN> ( GpSequenceOption(settings) )+ <RPAREN> ] {
            column.identity(always, settings);
        }
    |
        value = GpGeneratedValue() {
            ParseErrors.require(always, "a computed column is GENERATED ALWAYS", column.name());
            column.generated(value);
        }
    )
|
    <AS> value = GpGeneratedValue() { column.generated(value); }
|
    ( <AUTO_INCREMENT> | <AUTOINCREMENT> ) { column.identity(false, settings); }
|
    <IDENTITY>
    [
        <LPAREN> GpSequenceNumber(SequenceOptions.Option.START, settings)
        [ <COMMA> GpSequenceNumber(SequenceOptions.Option.INCREMENT, settings) ] <RPAREN>
    ]
    { column.identity(false, settings); }
}

SqlNode GpGeneratedValue() :
{
    final SqlNode value;
}
{
    <LPAREN> value = Expression(ExprContext.ACCEPT_SUB_QUERY) <RPAREN>
    [
        <STORED>
    |
        <VIRTUAL> { ParseErrors.refuse("VIRTUAL of a generated column", getPos()); }
    ]
    { return value; }
}

/** CREATE SEQUENCE. */
SqlNode GpCreateSequence() :
{
    final Span s;
    final boolean ifNotExists;
    final SqlIdentifier name;
    final SequenceOptions settings = new SequenceOptions();
}
{
    <CREATE> { s = span(); } <SEQUENCE> ifNotExists = GpIfNotExists() name = CompoundIdentifier()
    ( GpSequenceOption(settings) )*
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.CreateSequence(name, ifNotExists, settings));
    }
}

/** ALTER SEQUENCE. */
SqlNode GpAlterSequence() :
{
    final Span s;
    final boolean ifExists;
    final SqlIdentifier name;
    final SequenceOptions settings = new SequenceOptions();
}
{
    <ALTER> { s = span(); } <SEQUENCE> ifExists = GpIfExists() name = CompoundIdentifier()
    ( GpSequenceOption(settings) )+
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.AlterSequence(name, ifExists, settings));
    }
}

/** DROP SEQUENCE. */
SqlNode GpDropSequence() :
{
    final Span s;
    final boolean ifExists;
    final SqlIdentifier name;
    final boolean cascade;
}
{
    <DROP> { s = span(); } <SEQUENCE> ifExists = GpIfExists() name = CompoundIdentifier()
    cascade = GpCascade() {
        return new StatementNode(s.end(this),
            new ParsedStatement.DropSequence(name, ifExists, cascade));
    }
}

void GpSequenceOption(SequenceOptions settings) :
{
    final SqlDataTypeSpec type;
    SequenceOptions.Option option;
}
{
    <AS> type = DataType() { settings.type(type); }
|
    <START> [ <WITH> ] GpSequenceNumber(SequenceOptions.Option.START, settings)
|
    <INCREMENT> [ <BY> ] GpSequenceNumber(SequenceOptions.Option.INCREMENT, settings)
|
    <MINVALUE> GpSequenceNumber(SequenceOptions.Option.MINVALUE, settings)
|
    <MAXVALUE> GpSequenceNumber(SequenceOptions.Option.MAXVALUE, settings)
|
    <CACHE> GpSequenceNumber(SequenceOptions.Option.CACHE, settings)
|
    <CYCLE> { settings.add(SequenceOptions.Option.CYCLE, java.math.BigDecimal.ONE, getPos()); }
|
    LOOKAHEAD(2)
    <RESTART> [ <WITH> ] GpSequenceNumber(SequenceOptions.Option.RESTART, settings)
|
    <RESTART> { settings.add(SequenceOptions.Option.RESTART, null, getPos()); }
|
    <NO>
    (
        <MINVALUE> { option = SequenceOptions.Option.MINVALUE; }
    |
        <MAXVALUE> { option = SequenceOptions.Option.MAXVALUE; }
    |
        <CYCLE> { option = SequenceOptions.Option.CYCLE; }
    |
        <CACHE> { option = SequenceOptions.Option.CACHE; }
    )
    { settings.add(option, null, getPos()); }
}

void GpIdentityRestart(SequenceOptions settings) :
{
}
{
    LOOKAHEAD(2)
    <RESTART> [ <WITH> ] GpSequenceNumber(SequenceOptions.Option.RESTART, settings)
|
    <RESTART> { settings.add(SequenceOptions.Option.RESTART, null, getPos()); }
}

void GpSequenceNumber(SequenceOptions.Option option, SequenceOptions settings) :
{
    boolean negative = false;
    final SqlNumericLiteral number;
}
{
    [ <MINUS> { negative = true; } | <PLUS> ]
    number = UnsignedNumericLiteral() {
        settings.add(option,
            negative ? number.bigDecimalValue().negate() : number.bigDecimalValue(), getPos());
    }
}

/** DROP TABLE. */
SqlNode GpDropTable() :
{
    final Span s;
    final boolean ifExists;
    final List<SqlIdentifier> names;
    final DropBehavior behavior;
}
{
    <DROP> { s = span(); } <TABLE> ifExists = GpIfExists() names = GpNames()
    behavior = GpDropBehavior() {
        return new StatementNode(s.end(this),
            new ParsedStatement.DropTable(names, ifExists, behavior));
    }
}

/** One name or several. */
List<SqlIdentifier> GpNames() :
{
    SqlIdentifier name;
    final List<SqlIdentifier> names = new ArrayList<SqlIdentifier>();
}
{
    name = CompoundIdentifier() { names.add(name); }
    ( <COMMA> name = CompoundIdentifier() { names.add(name); } )*
    { return names; }
}

/** CREATE SCHEMA; whoever it is to belong to, there is one user. */
SqlNode GpCreateSchema() :
{
    final Span s;
    final boolean ifNotExists;
    SqlIdentifier name = null;
    SqlIdentifier owner = null;
    final SqlIdentifier charset;
    SqlNode element;
    final List<SqlNode> elements = new ArrayList<SqlNode>();
}
{
    <CREATE> { s = span(); } <SCHEMA> ifNotExists = GpIfNotExists()
    (
        <AUTHORIZATION> owner = SimpleIdentifier()
    |
        name = SimpleIdentifier() [ <AUTHORIZATION> owner = SimpleIdentifier() ]
    )
    [
        <DEFAULT_> <CHARACTER> <SET> charset = SimpleIdentifier() {
            if (!charset.getSimple().equals("UTF8") && !charset.getSimple().equals("SQL_TEXT")) {
                throw ParseErrors.refused(
                    "CHARACTER SET " + charset.getSimple(), charset.getParserPosition());
            }
        }
    ]
    (
        element = GpSchemaElement() { elements.add(element); }
    )*
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.CreateSchema(
                (name == null ? owner : name).getSimple(), ifNotExists, elements));
    }
}

/** A statement in CREATE SCHEMA that creates something in it. */
SqlNode GpSchemaElement() :
{
    final SqlNode element;
}
{
    element = GpGrant() { return element; }
|
    (
        LOOKAHEAD( <CREATE> <DOMAIN> ) element = GpCreateDomain()
    |
        LOOKAHEAD( <CREATE> <TYPE> ) element = GpCreateType()
    |
        LOOKAHEAD( <CREATE> ( <SEQUENCE> ) ) element = GpCreateSequence()
    |
        LOOKAHEAD( <CREATE> [ <UNIQUE> ] <INDEX> ) element = GpCreateIndex()
    |
        LOOKAHEAD( <CREATE> ( <VIEW> | <OR> ) ) element = GpCreateView()
    |
        LOOKAHEAD( <CREATE> <ROLE> ) element = GpCreateRole()
    |
        LOOKAHEAD( <CREATE> ( <FUNCTION> | <PROCEDURE> ) ) element = GpCreateRoutine()
    |
        element = GpCreateTable()
    )
    { return element; }
}

/** CREATE DOMAIN. */
SqlNode GpCreateDomain() :
{
    final Span s;
    final SqlIdentifier name;
    final SqlDataTypeSpec type;
    final ColumnClause value;
    final List<ConstraintClause> constraints = new ArrayList<ConstraintClause>();
}
{
    <CREATE> { s = span(); } <DOMAIN> name = CompoundIdentifier() [ <AS> ] type = DataType() {
        value = new ColumnClause(new SqlIdentifier(DomainDef.VALUE, getPos()), type);
    }
    ( GpDomainClause(value, constraints) )*
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.CreateDomain(name, value, constraints));
    }
}

void GpDomainClause(ColumnClause value, List<ConstraintClause> constraints) :
{
    SqlIdentifier name = null;
    final SqlNode given;
}
{
    <DEFAULT_> given = GpDefaultValue() { value.defaultValue(given); }
|
    [ <CONSTRAINT> name = SimpleIdentifier() ]
    (
        <NOT> <NULL> { value.notNull(name); }
        GpNotDeferrable("NOT NULL")
    |
        GpCheck(name, constraints)
    )
}

/** ALTER DOMAIN, whose actions are those of a table with the column VALUE. */
SqlNode GpAlterDomain() :
{
    final Span s;
    final SqlIdentifier name;
    final AlterClause action;
}
{
    <ALTER> { s = span(); } <DOMAIN> name = CompoundIdentifier() action = GpDomainAction() {
        return new StatementNode(s.end(this), new ParsedStatement.AlterDomain(name, action));
    }
}

AlterClause GpDomainAction() :
{
    SqlIdentifier name = null;
    SqlNode value = null;
    final boolean ifExists;
    final List<ConstraintClause> constraints = new ArrayList<ConstraintClause>();
}
{
    <SET> <DEFAULT_> value = GpDefaultValue() {
        return new AlterClause.SetDefault(new SqlIdentifier(DomainDef.VALUE, getPos()), value);
    }
|
    <ADD> [ <CONSTRAINT> name = SimpleIdentifier() ] GpCheck(name, constraints) {
        return new AlterClause.Add(new ArrayList<ColumnClause>(), constraints, false);
    }
|
    <DROP>
    (
        <DEFAULT_> {
            return new AlterClause.SetDefault(new SqlIdentifier(DomainDef.VALUE, getPos()), null);
        }
    |
        <CONSTRAINT> ifExists = GpIfExists() name = SimpleIdentifier() {
            return new AlterClause.DropConstraint(name, ifExists, false);
        }
    )
}

/** DROP DOMAIN. */
SqlNode GpDropDomain() :
{
    final Span s;
    final boolean ifExists;
    final SqlIdentifier name;
    final DropBehavior behavior;
}
{
    <DROP> { s = span(); } <DOMAIN> ifExists = GpIfExists() name = CompoundIdentifier()
    behavior = GpDropBehavior() {
        return new StatementNode(s.end(this),
            new ParsedStatement.DropDomain("domain", name, ifExists, behavior));
    }
}

/** CREATE TYPE of a distinct type. */
SqlNode GpCreateType() :
{
    final Span s;
    final SqlIdentifier name;
    final SqlDataTypeSpec source;
    SqlIdentifier toDistinct = null;
    SqlIdentifier toSource = null;
}
{
    <CREATE> { s = span(); } <TYPE> name = CompoundIdentifier() <AS> source = DataType() [ <FINAL> ]
    [
        LOOKAHEAD(3)
        <CAST> <LPAREN> <SOURCE> <AS> <DISTINCT> <RPAREN> <WITH> toDistinct = SimpleIdentifier()
    ]
    [
        <CAST> <LPAREN> <DISTINCT> <AS> <SOURCE> <RPAREN> <WITH> toSource = SimpleIdentifier()
    ]
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.CreateType(name,
                new ColumnClause(new SqlIdentifier(DomainDef.VALUE, getPos()), source),
                toDistinct, toSource));
    }
}

/** DROP TYPE. */
SqlNode GpDropType() :
{
    final Span s;
    final boolean ifExists;
    final SqlIdentifier name;
    final DropBehavior behavior;
}
{
    <DROP> { s = span(); } <TYPE> ifExists = GpIfExists() name = CompoundIdentifier()
    behavior = GpDropBehavior() {
        return new StatementNode(s.end(this),
            new ParsedStatement.DropDomain("type", name, ifExists, behavior));
    }
}

/** CREATE FUNCTION or CREATE PROCEDURE. */
SqlNode GpCreateRoutine() :
{
    final Span s;
    final boolean function;
    final SqlIdentifier name;
    final RoutineClause routine;
}
{
    <CREATE> { s = span(); }
    ( <FUNCTION> { function = true; } | <PROCEDURE> { function = false; } )
    name = CompoundIdentifier() { routine = new RoutineClause(name); }
    <LPAREN> [ GpRoutineParameter(routine) ( <COMMA> GpRoutineParameter(routine) )* ] <RPAREN>
    [ GpReturns(routine, function) ]
    ( GpRoutineTrait(routine) )*
    (
        LOOKAHEAD({ function })
        GpFunctionBody(routine)
    |
        GpProcedureBody(routine)
    )
    { return new StatementNode(s.end(this), new ParsedStatement.CreateRoutine(routine)); }
}

void GpRoutineParameter(RoutineClause routine) :
{
    RoutineParameter.Mode mode = RoutineParameter.Mode.IN;
    final SqlIdentifier name;
    final SqlDataTypeSpec type;
}
{
    [
        <IN>
    |
        <OUT> { mode = RoutineParameter.Mode.OUT; }
    |
        <INOUT> { mode = RoutineParameter.Mode.INOUT; }
    ]
    name = SimpleIdentifier() type = DataType() { routine.add(name, mode, type); }
    [ <DEFAULT_> { throw ParseErrors.refused("DEFAULT of a parameter", getPos()); } ]
}

void GpReturns(RoutineClause routine, boolean function) :
{
    final SqlDataTypeSpec type;
}
{
    <RETURNS> {
        if (!function) {
            throw ParseErrors.wrong("a procedure RETURNS nothing", getPos());
        }
    }
    (
        <TABLE> { throw ParseErrors.refused("RETURNS TABLE", getPos()); }
    |
        type = DataType() { routine.returns(type); }
    )
}

void GpRoutineTrait(RoutineClause routine) :
{
    final SqlIdentifier name;
}
{
    <LANGUAGE> name = SimpleIdentifier() { RoutineClause.requireSql(name); }
|
    <LANGUAGE> <SQL>
|
    <PARAMETER> <STYLE> ( <SQL> | <GENERAL> )
|
    <SPECIFIC> name = CompoundIdentifier() { routine.specific(name); }
|
    <DETERMINISTIC> { routine.deterministic(true); }
|
    <NOT> <DETERMINISTIC> { routine.deterministic(false); }
|
    <NO> <SQL> { throw ParseErrors.wrong("NO SQL of a routine of LANGUAGE SQL", getPos()); }
|
    <CONTAINS> <SQL> { routine.access(RoutineTraits.Access.CONTAINS_SQL); }
|
    <READS> <SQL> <DATA> { routine.access(RoutineTraits.Access.READS_SQL_DATA); }
|
    <MODIFIES> <SQL> <DATA> { routine.access(RoutineTraits.Access.MODIFIES_SQL_DATA); }
|
    <RETURNS> <NULL> <ON> <NULL> <INPUT> { routine.nullOnNull(true); }
|
    <CALLED> <ON> <NULL> <INPUT> { routine.nullOnNull(false); }
|
    LOOKAHEAD(2)
    <SQL> <SECURITY> ( <DEFINER> | <INVOKER> )
|
    <DYNAMIC> { throw ParseErrors.refused("DYNAMIC RESULT SETS", getPos()); }
|
    <EXTERNAL> { throw ParseErrors.refused("an EXTERNAL routine", getPos()); }
}

void GpFunctionBody(RoutineClause routine) :
{
    boolean atomic = false;
    final SqlNode value;
}
{
    [ <BEGIN> <ATOMIC> { atomic = true; routine.atomic(); } ]
    (
        <RETURN> value = Expression(ExprContext.ACCEPT_SUB_QUERY) { routine.value(value); }
    |
        <RETURN> <TABLE> { throw ParseErrors.refused("RETURN TABLE", getPos()); }
    )
    [
        LOOKAHEAD({ atomic })
        <SEMICOLON> <END>
    ]
}

/** The statements of a procedure, of which only the places are kept: each is parsed by itself. */
void GpProcedureBody(RoutineClause routine) :
{
}
{
    <BEGIN> <ATOMIC> { routine.atomic(); }
    (
        LOOKAHEAD({ getToken(1).kind != END && getToken(1).kind != EOF })
        GpStatementText(routine) <SEMICOLON>
    )*
    <END>
|
    GpStatementText(routine)
}

/** The tokens up to a semicolon or the end. */
void GpStatementText(RoutineClause routine) :
{
    Span s;
}
{
    {
        if (getToken(1).kind == SEMICOLON || getToken(1).kind == EOF) {
            throw ParseErrors.wrong("a procedure without a statement", getPos());
        }
        getNextToken();
        s = span();
        while (getToken(1).kind != SEMICOLON && getToken(1).kind != EOF) {
            getNextToken();
        }
        routine.add(s.end(this));
    }
}

/** DROP FUNCTION, PROCEDURE or ROUTINE. */
SqlNode GpDropRoutine() :
{
    final Span s;
    final boolean ifExists;
    final RoutineReference routine;
    boolean specific = false;
    final RoutineReference.Kind kind;
    final DropBehavior behavior;
}
{
    <DROP> { s = span(); }
    [ <SPECIFIC> { specific = true; } ]
    kind = GpRoutineKind()
    ifExists = GpIfExists() routine = GpRoutineReference(kind, specific)
    behavior = GpDropBehavior()
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.DropRoutine(routine, ifExists, behavior));
    }
}

RoutineReference.Kind GpRoutineKind() :
{
}
{
    <FUNCTION> { return RoutineReference.Kind.FUNCTION; }
|
    <PROCEDURE> { return RoutineReference.Kind.PROCEDURE; }
|
    <ROUTINE> { return RoutineReference.Kind.ROUTINE; }
}

RoutineReference GpRoutineReference(RoutineReference.Kind kind, boolean specific) :
{
    final SqlIdentifier name;
    List<SqlDataTypeSpec> types = null;
    SqlDataTypeSpec type;
}
{
    name = CompoundIdentifier()
    [
        <LPAREN> { types = new ArrayList<SqlDataTypeSpec>(); }
        [
            type = DataType() { types.add(type); }
            ( <COMMA> type = DataType() { types.add(type); } )*
        ]
        <RPAREN>
    ]
    { return new RoutineReference(kind, specific, name, types); }
}

/** CALL of a procedure or an expression. */
SqlNode GpCall() :
{
    final Span s;
    final SqlNode called;
}
{
    <CALL> { s = span(); } called = Expression(ExprContext.ACCEPT_SUB_QUERY) {
        return new StatementNode(s.end(this), new ParsedStatement.Call(called));
    }
}

/** CREATE ROLE, which is the user's. */
SqlNode GpCreateRole() :
{
    final Span s;
    final SqlIdentifier name;
}
{
    <CREATE> { s = span(); } <ROLE> name = SimpleIdentifier()
    [ <WITH> <ADMIN> GpGrantor() ]
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.Control(new Analyzed.CreateRole(name.getSimple())));
    }
}

/** DROP ROLE. */
SqlNode GpDropRole() :
{
    final Span s;
    final boolean ifExists;
    final SqlIdentifier name;
}
{
    <DROP> { s = span(); } <ROLE> ifExists = GpIfExists() name = SimpleIdentifier() {
        return new StatementNode(s.end(this),
            new ParsedStatement.Control(new Analyzed.DropRole(name.getSimple(), ifExists)));
    }
}

/** GRANT of privileges on a table, or of roles. */
SqlNode GpGrant() :
{
    final Span s;
    final PrivilegeClause privileges = new PrivilegeClause();
    SqlIdentifier on = null;
    List<String> roles = null;
    final List<String> grantees;
    GrantKind kind = GrantKind.GRANT;
}
{
    <GRANT> { s = span(); }
    (
        LOOKAHEAD( GpPrivilege(null) ( <ON> | <COMMA> ) )
        GpPrivileges(privileges) <ON> on = GpGrantObject(privileges)
        <TO> grantees = GpGrantees()
        [ LOOKAHEAD(2) <WITH> <HIERARCHY> <OPTION> ]
        [ LOOKAHEAD(2) <WITH> <GRANT> <OPTION> { kind = GrantKind.GRANT_WITH_OPTION; } ]
    |
        roles = GpRoles() <TO> grantees = GpGrantees()
        [ LOOKAHEAD(2) <WITH> <ADMIN> <OPTION> { kind = GrantKind.GRANT_WITH_OPTION; } ]
    )
    [ <GRANTED> <BY> GpGrantor() ]
    {
        return new StatementNode(s.end(this), roles == null
            ? new ParsedStatement.Grant(privileges, on, grantees, kind)
            : new ParsedStatement.Control(new Analyzed.GrantRoles(roles, grantees, kind)));
    }
}

/** REVOKE; nothing depends on what is revoked, so that CASCADE and RESTRICT are the same. */
SqlNode GpRevoke() :
{
    final Span s;
    final PrivilegeClause privileges = new PrivilegeClause();
    SqlIdentifier on = null;
    List<String> roles = null;
    final List<String> grantees;
    GrantKind kind = GrantKind.REVOKE;
}
{
    <REVOKE> { s = span(); }
    (
        LOOKAHEAD( [ ( <GRANT> | <HIERARCHY> ) <OPTION> <FOR> ] GpPrivilege(null) ( <ON> | <COMMA> ) )
        [
            <GRANT> <OPTION> <FOR> { kind = GrantKind.REVOKE_OPTION; }
        |
            LOOKAHEAD(2)
            <HIERARCHY> <OPTION> { throw ParseErrors.refused("HIERARCHY OPTION FOR", getPos()); }
        ]
        GpPrivileges(privileges) <ON> on = GpGrantObject(privileges)
        <FROM> grantees = GpGrantees()
    |
        [ LOOKAHEAD( <ADMIN> <OPTION> ) <ADMIN> <OPTION> <FOR> { kind = GrantKind.REVOKE_OPTION; } ]
        roles = GpRoles() <FROM> grantees = GpGrantees()
    )
    [ <GRANTED> <BY> GpGrantor() ]
    GpDropBehavior()
    {
        return new StatementNode(s.end(this), roles == null
            ? new ParsedStatement.Grant(privileges, on, grantees, kind)
            : new ParsedStatement.Control(new Analyzed.GrantRoles(roles, grantees, kind)));
    }
}

void GpPrivileges(PrivilegeClause privileges) :
{
}
{
    GpPrivilege(privileges) ( <COMMA> GpPrivilege(privileges) )*
}

void GpPrivilege(PrivilegeClause privileges) :
{
    PrivilegeDef.Action action = null;
    SqlNodeList columns = null;
}
{
    <ALL> [ <PRIVILEGES> ] { privileges.addAll(); }
|
    (
        <SELECT> { action = PrivilegeDef.Action.SELECT; }
    |
        <INSERT> { action = PrivilegeDef.Action.INSERT; }
    |
        <UPDATE> { action = PrivilegeDef.Action.UPDATE; }
    |
        <DELETE> { action = PrivilegeDef.Action.DELETE; }
    |
        <REFERENCES> { action = PrivilegeDef.Action.REFERENCES; }
    |
        <TRIGGER> { action = PrivilegeDef.Action.TRIGGER; }
    |
        <EXECUTE> { action = PrivilegeDef.Action.EXECUTE; }
    |
        <USAGE> { action = PrivilegeDef.Action.USAGE; }
    |
        <UNDER> { throw ParseErrors.refused("GRANT " + token.image, getPos()); }
    )
    [ columns = ParenthesizedSimpleIdentifierList() ]
    { privileges.add(action, columns, getPos()); }
}

/** The name of a table, view, routine or domain; other objects are refused. */
SqlIdentifier GpGrantObject(PrivilegeClause privileges) :
{
    final SqlIdentifier name;
    boolean specific = false;
    final RoutineReference.Kind kind;
    final RoutineReference routine;
}
{
    LOOKAHEAD( [ <SPECIFIC> ] GpRoutineKind() CompoundIdentifier() )
    [ <SPECIFIC> { specific = true; } ] kind = GpRoutineKind()
    routine = GpRoutineReference(kind, specific)
    {
        privileges.on(routine);
        return routine.name();
    }
|
    LOOKAHEAD({ getToken(1).kind == DOMAIN && getToken(2).kind != TO && getToken(2).kind != FROM
        && getToken(2).kind != DOT })
    <DOMAIN> name = CompoundIdentifier() { privileges.onDomain(); return name; }
|
    LOOKAHEAD({ getToken(1).kind != TABLE && getToken(2).kind != TO && getToken(2).kind != FROM
        && getToken(2).kind != DOT && getToken(2).kind != EOF })
    {
        throw ParseErrors.refused("GRANT … ON " + getToken(1).image, getPos());
    }
|
    [ <TABLE> ] name = CompoundIdentifier() { return name; }
}

List<String> GpRoles() :
{
    SqlIdentifier name;
    final List<String> names = new ArrayList<String>();
}
{
    name = SimpleIdentifier() { names.add(name.getSimple()); }
    ( <COMMA> name = SimpleIdentifier() { names.add(name.getSimple()); } )*
    { return names; }
}

List<String> GpGrantees() :
{
    String name;
    final List<String> names = new ArrayList<String>();
}
{
    name = GpGrantee() { names.add(name); }
    ( <COMMA> name = GpGrantee() { names.add(name); } )*
    { return names; }
}

String GpGrantee() :
{
    final SqlIdentifier name;
}
{
    ( <CURRENT_USER> | <SESSION_USER> ) { return SchemaNames.USER; }
|
    name = SimpleIdentifier() { return name.getSimple(); }
}

/** Who grants: the user. */
void GpGrantor() :
{
}
{
    <CURRENT_USER>
|
    <CURRENT_ROLE> { throw ParseErrors.refused("CURRENT_ROLE as grantor", getPos()); }
}

/** DROP SCHEMA. */
SqlNode GpDropSchema() :
{
    final Span s;
    final boolean ifExists;
    final SqlIdentifier name;
    final boolean cascade;
}
{
    <DROP> { s = span(); } <SCHEMA> ifExists = GpIfExists() name = SimpleIdentifier()
    cascade = GpCascade() {
        return new StatementNode(s.end(this),
            new ParsedStatement.Control(
                new Analyzed.DropSchema(name.getSimple(), ifExists, cascade)));
    }
}

/** CASCADE, or RESTRICT, which need not be said. */
boolean GpCascade() :
{
}
{
    <CASCADE> { return true; }
|
    [ <RESTRICT> ] { return false; }
}

/** CASCADE, RESTRICT, or nothing, which is neither. */
DropBehavior GpDropBehavior() :
{
}
{
    <CASCADE> { return DropBehavior.CASCADE; }
|
    <RESTRICT> { return DropBehavior.RESTRICT; }
|
    { return DropBehavior.UNSPECIFIED; }
}

/** ALTER TABLE with one action or several. */
SqlNode GpAlterTable() :
{
    final Span s;
    final boolean ifExists;
    final SqlIdentifier name;
    final List<AlterClause> actions = new ArrayList<AlterClause>();
}
{
    <ALTER> { s = span(); } <TABLE> ifExists = GpIfExists() name = CompoundIdentifier()
    GpAlterAction(actions) ( <COMMA> GpAlterAction(actions) )*
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.AlterTable(name, ifExists, actions));
    }
}

void GpAlterAction(List<AlterClause> actions) :
{
}
{
    GpAlterAdd(actions)
|
    GpAlterDrop(actions)
|
    GpAlterRename(actions)
|
    GpAlterColumn(actions)
}

/** ADD of columns, or of a constraint. */
void GpAlterAdd(List<AlterClause> actions) :
{
    boolean ifNotExists = false;
    final List<ColumnClause> columns = new ArrayList<ColumnClause>();
    final List<ConstraintClause> constraints = new ArrayList<ConstraintClause>();
}
{
    <ADD>
    [ LOOKAHEAD( <COLUMN> ( <LPAREN> | <IF> <NOT> | SimpleIdentifier() ) ) <COLUMN> ]
    (
        <LPAREN> GpTableElement(columns, constraints)
        ( <COMMA> GpTableElement(columns, constraints) )*
        <RPAREN>
    |
        ifNotExists = GpIfNotExists() GpTableElement(columns, constraints)
    )
    { actions.add(new AlterClause.Add(columns, constraints, ifNotExists)); }
}

void GpAlterDrop(List<AlterClause> actions) :
{
    final boolean ifExists;
    final boolean cascade;
    SqlIdentifier name;
    final List<SqlIdentifier> names = new ArrayList<SqlIdentifier>();
}
{
    <DROP>
    (
        <CONSTRAINT> ifExists = GpIfExists() name = SimpleIdentifier() cascade = GpCascade() {
            actions.add(new AlterClause.DropConstraint(name, ifExists, cascade));
        }
    |
        <PRIMARY> <KEY> cascade = GpCascade() {
            actions.add(new AlterClause.DropPrimaryKey(cascade, getPos()));
        }
    |
        [ LOOKAHEAD( <COLUMN> ( <LPAREN> | <IF> <EXISTS> | SimpleIdentifier() ) ) <COLUMN> ]
        ifExists = GpIfExists()
        (
            <LPAREN> name = SimpleIdentifier() { names.add(name); }
            ( <COMMA> name = SimpleIdentifier() { names.add(name); } )*
            <RPAREN>
        |
            name = SimpleIdentifier() { names.add(name); }
        )
        cascade = GpCascade() {
            for (SqlIdentifier column : names) {
                actions.add(new AlterClause.DropColumn(column, ifExists, cascade));
            }
        }
    )
}

void GpAlterRename(List<AlterClause> actions) :
{
    final SqlIdentifier from;
    final SqlIdentifier to;
}
{
    <RENAME>
    (
        LOOKAHEAD( <TO> SimpleIdentifier() )
        <TO> to = SimpleIdentifier() { actions.add(new AlterClause.RenameTable(to)); }
    |
        <CONSTRAINT> from = SimpleIdentifier() <TO> to = SimpleIdentifier() {
            actions.add(new AlterClause.RenameConstraint(from, to));
        }
    |
        [ LOOKAHEAD( <COLUMN> SimpleIdentifier() <TO> ) <COLUMN> ]
        from = SimpleIdentifier() <TO> to = SimpleIdentifier() {
            actions.add(new AlterClause.RenameColumn(from, to));
        }
    )
}

/** ALTER [COLUMN], and MODIFY, which knows a type alone. */
void GpAlterColumn(List<AlterClause> actions) :
{
    final SqlIdentifier column;
    final SqlIdentifier to;
    final SqlNode value;
    Boolean always = null;
    final boolean ifExists;
    final SequenceOptions settings = new SequenceOptions();
}
{
    <MODIFY> [ LOOKAHEAD( <COLUMN> SimpleIdentifier() ) <COLUMN> ] column = SimpleIdentifier()
    GpAlterType(column, actions)
|
    <ALTER> [ LOOKAHEAD( <COLUMN> SimpleIdentifier() ) <COLUMN> ] column = SimpleIdentifier()
    (
        <SET>
        (
            <DATA> <TYPE> GpAlterType(column, actions)
        |
            <DEFAULT_> value = Expression(ExprContext.ACCEPT_SUB_QUERY) {
                actions.add(new AlterClause.SetDefault(column, value));
            }
        |
            <NOT> <NULL> { actions.add(new AlterClause.SetNotNull(column, true)); }
        |
            <NULL> { actions.add(new AlterClause.SetNotNull(column, false)); }
        |
            <GENERATED> ( <ALWAYS> { always = true; } | <BY> <DEFAULT_> { always = false; } ) {
                actions.add(new AlterClause.ChangeIdentity(column, always, settings));
            }
        |
            GpSequenceOption(settings) {
                actions.add(new AlterClause.ChangeIdentity(column, null, settings));
            }
        )
    |
        GpIdentityRestart(settings) {
            actions.add(new AlterClause.ChangeIdentity(column, null, settings));
        }
    |
        <ADD> <GENERATED> ( <ALWAYS> { always = true; } | <BY> <DEFAULT_> { always = false; } )
        <AS> <IDENTITY> [ <LPAREN> ( GpSequenceOption(settings) )+ <RPAREN> ] {
            actions.add(new AlterClause.AddIdentity(column, always, settings));
        }
    |
        <DROP>
        (
            <IDENTITY> ifExists = GpIfExists() {
                actions.add(new AlterClause.DropIdentity(column, ifExists));
            }
        |
            <DEFAULT_> { actions.add(new AlterClause.SetDefault(column, null)); }
        |
            <NOT> <NULL> { actions.add(new AlterClause.SetNotNull(column, false)); }
        )
    |
        LOOKAHEAD( <RENAME> <TO> )
        <RENAME> <TO> to = SimpleIdentifier() {
            actions.add(new AlterClause.RenameColumn(column, to));
        }
    |
        [ LOOKAHEAD( <TYPE> DataType() ) <TYPE> ] GpAlterType(column, actions)
    )
}

/** A column's new type, and what may follow it. */
void GpAlterType(SqlIdentifier column, List<AlterClause> actions) :
{
    final SqlDataTypeSpec type;
    SqlNode using = null;
    SqlNode value;
}
{
    type = DataType()
    [ <USING> using = GpDefaultValue() ]
    { actions.add(new AlterClause.SetType(column, type, using)); }
    (
        <NOT> <NULL> { actions.add(new AlterClause.SetNotNull(column, true)); }
    |
        <NULL> { actions.add(new AlterClause.SetNotNull(column, false)); }
    |
        <DEFAULT_> value = GpDefaultValue() {
            actions.add(new AlterClause.SetDefault(column, value));
        }
    )*
}

/** CREATE [UNIQUE] INDEX. */
SqlNode GpCreateIndex() :
{
    final Span s;
    boolean unique = false;
    final boolean ifNotExists;
    SqlIdentifier name = null;
    final SqlIdentifier table;
    SqlIdentifier method = null;
    final List<IndexClause> columns = new ArrayList<IndexClause>();
}
{
    <CREATE> { s = span(); } [ <UNIQUE> { unique = true; } ] <INDEX>
    ifNotExists = GpIfNotExists()
    [ name = CompoundIdentifier() ]
    <ON> table = CompoundIdentifier()
    [ <USING> method = SimpleIdentifier() ]
    <LPAREN> GpIndexColumn(columns) ( <COMMA> GpIndexColumn(columns) )* <RPAREN>
    [ <USING> method = SimpleIdentifier() ]
    [ <WHERE> { ParseErrors.refuse("WHERE of an index (partial index)", getPos()); } ]
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.CreateIndex(
                name, unique, ifNotExists, table, method, columns, s.end(this)));
    }
}

void GpIndexColumn(List<IndexClause> columns) :
{
    final SqlNode column;
    boolean descending = false;
    Boolean nullsFirst = null;
}
{
    column = Expression(ExprContext.ACCEPT_NON_QUERY)
    [ <ASC> | <DESC> { descending = true; } ]
    [
        <NULLS> ( <FIRST> { nullsFirst = true; } | <LAST> { nullsFirst = false; } )
    ]
    { columns.add(IndexClause.of(column, descending, nullsFirst)); }
}

/** DROP INDEX, with or without the table's name. */
SqlNode GpDropIndex() :
{
    final Span s;
    final boolean ifExists;
    final SqlIdentifier name;
    SqlIdentifier table = null;
    final boolean cascade;
}
{
    <DROP> { s = span(); } <INDEX> ifExists = GpIfExists() name = CompoundIdentifier()
    [ <ON> table = CompoundIdentifier() ]
    cascade = GpCascade() {
        return new StatementNode(s.end(this),
            new ParsedStatement.DropIndex(name, ifExists, table, cascade));
    }
}

/** ALTER INDEX name RENAME TO name. */
SqlNode GpAlterIndex() :
{
    final Span s;
    final boolean ifExists;
    final SqlIdentifier name;
    final SqlIdentifier to;
}
{
    <ALTER> { s = span(); } <INDEX> ifExists = GpIfExists() name = CompoundIdentifier()
    <RENAME> <TO> to = SimpleIdentifier() {
        return new StatementNode(s.end(this),
            new ParsedStatement.RenameIndex(name, ifExists, to));
    }
}

/** ALTER VIEW name RENAME TO name. */
SqlNode GpAlterView() :
{
    final Span s;
    final boolean ifExists;
    final SqlIdentifier name;
    final SqlIdentifier to;
}
{
    <ALTER> { s = span(); } <VIEW> ifExists = GpIfExists() name = CompoundIdentifier()
    <RENAME> <TO> to = SimpleIdentifier() {
        return new StatementNode(s.end(this),
            new ParsedStatement.RenameView(name, ifExists, to));
    }
}

/** CREATE [OR REPLACE] VIEW. */
SqlNode GpCreateView() :
{
    final Span s;
    boolean orReplace = false;
    final boolean ifNotExists;
    final SqlIdentifier name;
    SqlNodeList columns = null;
    final SqlParserPos as;
    final SqlNode query;
    final SqlParserPos end;
    ViewDef.CheckOption check = ViewDef.CheckOption.NONE;
}
{
    <CREATE> { s = span(); } [ <OR> <REPLACE> { orReplace = true; } ] <VIEW>
    ifNotExists = GpIfNotExists()
    name = CompoundIdentifier()
    [ columns = ParenthesizedSimpleIdentifierList() ]
    <AS> { as = getPos(); }
    query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY) { end = getPos(); }
    [
        LOOKAHEAD( <WITH> ( <CASCADED> | <LOCAL> | <CHECK> ) )
        <WITH> { check = ViewDef.CheckOption.CASCADED; }
        [ <CASCADED> | <LOCAL> { check = ViewDef.CheckOption.LOCAL; } ]
        <CHECK> <OPTION>
    ]
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.CreateView(name, orReplace, ifNotExists, columns, query,
                ParsedStatement.between(as, end), check));
    }
}

/** DROP VIEW. */
SqlNode GpDropView() :
{
    final Span s;
    final boolean ifExists;
    final List<SqlIdentifier> names;
    final DropBehavior behavior;
}
{
    <DROP> { s = span(); } <VIEW> ifExists = GpIfExists() names = GpNames()
    behavior = GpDropBehavior() {
        return new StatementNode(s.end(this),
            new ParsedStatement.DropView(names, ifExists, behavior));
    }
}

/** TRUNCATE [TABLE]. */
SqlNode GpTruncate() :
{
    final Span s;
    final List<SqlIdentifier> names;
    boolean restart = false;
}
{
    <TRUNCATE> { s = span(); } [ <TABLE> ] names = GpNames()
    [ <RESTART> <IDENTITY> { restart = true; } | <CONTINUE> <IDENTITY> ]
    {
        return new StatementNode(s.end(this), new ParsedStatement.Truncate(names, restart));
    }
}

/** INSERT, UPDATE, DELETE or MERGE, and what they return. */
SqlNode GpChange(SqlNodeList with) :
{
    final SqlNode change;
    final List<SqlNode> items = new ArrayList<SqlNode>();
    final Span s;
}
{
    (
        change = GpInsert(with)
    |
        change = GpReplace(with)
    |
        change = GpUpdate(with)
    |
        change = GpDelete(with)
    |
        change = GpMerge(with)
    )
    [
        <RETURNING> { s = span(); }
        AddSelectItem(items) ( <COMMA> AddSelectItem(items) )*
        {
            return new StatementNode(s.end(this),
                new ParsedStatement.Returning(change,
                    new SqlNodeList(items, s.addAll(items).pos())));
        }
    ]
    { return change; }
}

/** A word that is no keyword anywhere else. */
void GpWord(String word) :
{
    final SqlIdentifier found;
}
{
    found = SimpleIdentifier() {
        ParseErrors.require(found.getSimple().equals(word), word + " expected", found);
    }
}

/** OFFSET count [ROW | ROWS]. */
void OffsetClause(Span s, SqlNode[] offsetFetch) :
{
}
{
    <OFFSET> { s.add(this); }
    offsetFetch[0] = Expression(ExprContext.ACCEPT_SUB_QUERY)
    [ <ROW> | <ROWS> ]
}

/** FETCH {FIRST | NEXT} [count [PERCENT]] {ROW | ROWS} {ONLY | WITH TIES}. */
void FetchClause(SqlNode[] offsetFetch) :
{
    SqlNode count;
    final Span s;
    boolean percent = false;
    boolean ties = false;
}
{
    <FETCH> { s = span(); } ( <FIRST> | <NEXT> )
    (
        LOOKAHEAD( ( <ROW> | <ROWS> ) ( <ONLY> | <WITH> ) )
        { count = SqlLiteral.createExactNumeric("1", getPos()); }
    |
        count = Expression(ExprContext.ACCEPT_SUB_QUERY)
        [
            LOOKAHEAD({ "PERCENT".equalsIgnoreCase(getToken(1).image) })
            GpWord("PERCENT") { percent = true; }
        ]
    )
    ( <ROW> | <ROWS> ) ( <ONLY> | <WITH> GpWord("TIES") { ties = true; } ) {
        offsetFetch[1] = FetchCount.of(count, percent, ties, s.end(this));
    }
}

/** LIMIT count, or LIMIT offset, count; either count may be ALL. */
void LimitClause(Span s, SqlNode[] offsetFetch) :
{
}
{
    <LIMIT> { s.add(this); }
    (
        <ALL>
    |
        offsetFetch[1] = Expression(ExprContext.ACCEPT_SUB_QUERY)
        [
            <COMMA> { offsetFetch[0] = offsetFetch[1]; offsetFetch[1] = null; }
            ( <ALL> | offsetFetch[1] = Expression(ExprContext.ACCEPT_SUB_QUERY) )
        ]
    )
}

/** A query, which may lock its rows. */
SqlNode GpQuery() :
{
    SqlNode query;
}
{
    query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
    [
        LOOKAHEAD({ getToken(1).kind == FOR
            && (getToken(2).kind == READ || getToken(2).kind == FETCH) })
        <FOR> ( <READ> | <FETCH> ) <ONLY>
    |
        LOOKAHEAD({ getToken(1).kind == FOR && (getToken(2).kind == UPDATE
            || getToken(2).kind == NO || getToken(2).kind == KEY
            || "SHARE".equalsIgnoreCase(getToken(2).image)) })
        query = GpLocking(query)
    ]
    { return query; }
}

/** FOR {UPDATE | SHARE} [OF tables] [NOWAIT | SKIP LOCKED | WAIT seconds], behind a query. */
SqlNode GpLocking(SqlNode query) :
{
    final Span s;
    boolean update = true;
    List<SqlIdentifier> of = null;
    boolean skip = false;
    SqlNode wait = null;
}
{
    <FOR> { s = span(); }
    (
        [ <NO> <KEY> ] <UPDATE>
    |
        [ <KEY> ] GpWord("SHARE") { update = false; }
    )
    [ <OF> of = GpNames() ]
    [
        LOOKAHEAD({ "NOWAIT".equalsIgnoreCase(getToken(1).image) })
        GpWord("NOWAIT") { wait = SqlLiteral.createExactNumeric("0", getPos()); }
    |
        <SKIP_> GpWord("LOCKED") { skip = true; }
    |
        LOOKAHEAD({ "WAIT".equalsIgnoreCase(getToken(1).image) })
        GpWord("WAIT") wait = UnsignedNumericLiteral()
    ]
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.LockingQuery(query, new LockClause(update, of, skip, wait)));
    }
}

/** WITH before a query or a change. */
SqlNode GpWith() :
{
    final SqlNodeList with;
    SqlNode e;
    final List<Object> list = new ArrayList<Object>();
}
{
    with = WithList()
    (
        e = GpChange(with)
    |
        e = LeafQueryOrExpr(ExprContext.ACCEPT_QUERY) { list.add(e); }
        ( AddSetOpQuery(list, ExprContext.ACCEPT_QUERY) )*
        { e = addWith(with, SqlParserUtil.toTree(list)); }
        e = OrderByLimitOpt(e)
        [
        LOOKAHEAD({ getToken(1).kind == FOR && (getToken(2).kind == UPDATE
                || getToken(2).kind == NO || getToken(2).kind == KEY
                || "SHARE".equalsIgnoreCase(getToken(2).image)) })
                e = GpLocking(e)
        ]
    )
    { return e; }
}

/** INSERT with VALUES, a query, or DEFAULT VALUES. */
SqlNode GpInsert(SqlNodeList with) :
{
    final Span s;
    ConflictClause conflict = null;
    final SqlNode insert;
}
{
    <INSERT> { s = span(); }
    [
        <OR>
        (
            <REPLACE> { conflict = ConflictClause.replace(getPos()); }
        |
            <IGNORE> { conflict = ConflictClause.ignore(getPos()); }
        )
    ]
    <INTO> insert = GpInsertRows(s, with, conflict) { return insert; }
}

/** REPLACE INTO, which is INSERT OR REPLACE. */
SqlNode GpReplace(SqlNodeList with) :
{
    final Span s;
    final SqlNode insert;
}
{
    <REPLACE> { s = span(); } <INTO>
    insert = GpInsertRows(s, with, ConflictClause.replace(s.pos())) { return insert; }
}

/** What follows INSERT INTO. */
SqlNode GpInsertRows(Span s, SqlNodeList with, ConflictClause conflict) :
{
    final SqlIdentifier name;
    SqlIdentifier alias = null;
    SqlNodeList columns = null;
    SqlNode source = null;
    ParsedStatement.Overriding overriding = null;
    final SqlInsert plain;
}
{
    name = CompoundIdentifier()
    [ LOOKAHEAD(2) <AS> alias = SimpleIdentifier() ]
    [ LOOKAHEAD(2) columns = ParenthesizedSimpleIdentifierList() ]
    [
        <OVERRIDING>
        (
            <SYSTEM> { overriding = ParsedStatement.Overriding.SYSTEM; }
        |
            <USER> { overriding = ParsedStatement.Overriding.USER; }
        )
        <VALUE>
    ]
    (
        <DEFAULT_> <VALUES>
    |
        source = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
    )
    [
        LOOKAHEAD({ getToken(1).kind == ON && "CONFLICT".equalsIgnoreCase(getToken(2).image) })
        conflict = GpOnConflict(conflict)
    ]
    {
        if (source == null && conflict == null) {
            ParseErrors.refuseWith(with);
            return new StatementNode(s.end(this), new ParsedStatement.InsertDefaults(name));
        }
        if (source != null) {
            source = addWith(with, source);
        }
        if (conflict == null) {
            plain = new SqlInsert(s.end(source), SqlNodeList.EMPTY, name, source, columns);
            return overriding == null
                ? plain
                : new StatementNode(s.end(source),
                    new ParsedStatement.InsertOverriding(plain, overriding));
        }
        return new StatementNode(s.end(this),
            new ParsedStatement.Upsert(
                name, alias, columns, overriding, source, conflict));
    }
}

/** ON CONFLICT [target] DO {NOTHING | UPDATE SET …}. */
ConflictClause GpOnConflict(ConflictClause before) :
{
    final Span s;
    SqlNodeList columns = null;
    SqlIdentifier constraint = null;
    final List<AssignmentClause> set = new ArrayList<AssignmentClause>();
    SqlNode where = null;
}
{
    <ON> { s = span(); } GpWord("CONFLICT")
    [
        columns = ParenthesizedSimpleIdentifierList()
    |
        <ON> <CONSTRAINT> constraint = SimpleIdentifier()
    ]
    GpWord("DO")
    (
        <UPDATE> <SET> GpAssignments(set) [ where = Where() ] {
            return ConflictClause.update(before, columns, constraint, set, where, s.end(this));
        }
    |
        GpWord("NOTHING") {
            return ConflictClause.nothing(before, columns, constraint, s.end(this));
        }
    )
}

/** UPDATE, in which a column may also be SET to DEFAULT. */
SqlNode GpUpdate(SqlNodeList with) :
{
    final Span s;
    final SqlIdentifier name;
    SqlIdentifier alias = null;
    final List<AssignmentClause> set = new ArrayList<AssignmentClause>();
    SqlNode from = null;
    SqlNode where = null;
    final SqlNode limited;
    final SqlIdentifier cursor;
    final SqlParserPos place;
}
{
    <UPDATE> { s = span(); }
    name = CompoundIdentifier()
    [ [ <AS> ] alias = SimpleIdentifier() ]
    <SET> GpAssignments(set)
    (
        LOOKAHEAD( <WHERE> <CURRENT> <OF> )
        <WHERE> { place = getPos(); } <CURRENT> <OF> cursor = SimpleIdentifier() {
            return new StatementNode(s.end(this),
                ParsedStatement.Positioned.update(with, name, alias, set, cursor, place));
        }
    |
        [ <FROM> from = FromClause() ]
        [ where = Where() ]
        limited = GpLimitedRows()
        {
            return new StatementNode(s.end(this),
                new ParsedStatement.Update(with, name, alias, set, from, where, limited));
        }
    )
}

/** DELETE, with further tables or without. */
SqlNode GpDelete(SqlNodeList with) :
{
    final Span s;
    final SqlIdentifier name;
    SqlIdentifier alias = null;
    SqlNode using = null;
    SqlNode where = null;
    final SqlNode limited;
    final SqlIdentifier cursor;
    final SqlParserPos place;
}
{
    <DELETE> { s = span(); } <FROM> name = CompoundIdentifier()
    [ [ <AS> ] alias = SimpleIdentifier() ]
    (
        LOOKAHEAD( <WHERE> <CURRENT> <OF> )
        <WHERE> { place = getPos(); } <CURRENT> <OF> cursor = SimpleIdentifier() {
            return new StatementNode(s.end(this),
                ParsedStatement.Positioned.delete(with, name, alias, cursor, place));
        }
    |
        [ <USING> using = FromClause() ]
        [ where = Where() ]
        limited = GpLimitedRows()
        {
            return new StatementNode(s.end(this),
                new ParsedStatement.Delete(with, name, alias, using, where, limited));
        }
    )
}

/** ORDER BY and LIMIT of the rows to change, as those of a query without rows; null for none. */
SqlNode GpLimitedRows() :
{
    final SqlNode none = ParsedStatement.noRows();
    final SqlNode limited;
}
{
    limited = OrderByLimitOpt(none) { return limited == none ? null : limited; }
}

void GpAssignments(List<AssignmentClause> set) :
{
}
{
    GpAssignment(set) ( <COMMA> GpAssignment(set) )*
}

/** column = value, (columns) = (values), (columns) = (query). */
void GpAssignment(List<AssignmentClause> set) :
{
    final SqlIdentifier column;
    final SqlNodeList columns;
    SqlNode value;
    final SqlNodeList values = new SqlNodeList(getPos());
}
{
    column = CompoundIdentifier() <EQ> value = GpValueOrDefault() {
        set.add(AssignmentClause.of(column, value));
    }
|
    columns = ParenthesizedSimpleIdentifierList() <EQ>
    (
        LOOKAHEAD({ getToken(1).kind != LPAREN || (getToken(2).kind != SELECT
            && getToken(2).kind != WITH && getToken(2).kind != VALUES
            && getToken(2).kind != TABLE) })
        [ <ROW> ] <LPAREN> value = GpValueOrDefault() { values.add(value); }
        ( <COMMA> value = GpValueOrDefault() { values.add(value); } )* <RPAREN> {
            set.add(AssignmentClause.of(columns, values));
        }
    |
        value = Expression(ExprContext.ACCEPT_QUERY) {
            set.add(AssignmentClause.of(columns, value));
        }
    )
}

SqlNode GpValueOrDefault() :
{
    final SqlNode value;
}
{
    value = Default() { return value; }
|
    value = Expression(ExprContext.ACCEPT_SUB_QUERY) { return value; }
}

/** MERGE of the standard, and that of H2, which is an INSERT that replaces values. */
SqlNode GpMerge(SqlNodeList with) :
{
    final Span s;
    final SqlIdentifier name;
    SqlIdentifier alias = null;
    SqlNodeList columns = null;
    SqlNodeList key = null;
    final SqlNode source;
    final SqlNode condition;
    final List<MergeClause> branches = new ArrayList<MergeClause>();
}
{
    <MERGE> { s = span(); } [ <INTO> ] name = CompoundIdentifier()
    (
        LOOKAHEAD( [ [ <AS> ] SimpleIdentifier() ] <USING> )
        [ [ <AS> ] alias = SimpleIdentifier() ]
        <USING> source = TableRef() <ON> condition = Expression(ExprContext.ACCEPT_SUB_QUERY)
        ( GpMergeBranch(branches) )+
        {
            return new StatementNode(s.end(this),
                new ParsedStatement.Merge(with, name, alias, source, condition, branches));
        }
    |
        [ LOOKAHEAD(2) columns = ParenthesizedSimpleIdentifierList() ]
        [ <KEY> key = ParenthesizedSimpleIdentifierList() ]
        source = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
        {
            return new StatementNode(s.end(this),
                new ParsedStatement.Upsert(name, null, columns, null, addWith(with, source),
                    ConflictClause.values(key, s.pos())));
        }
    )
}

/** WHEN [NOT] MATCHED [BY SOURCE | BY TARGET] [AND condition] THEN action. */
void GpMergeBranch(List<MergeClause> branches) :
{
    final Span s;
    boolean matched = true;
    boolean bySource = false;
    SqlNode condition = null;
    final List<AssignmentClause> set = new ArrayList<AssignmentClause>();
    SqlNodeList columns = null;
    final SqlNodeList values = new SqlNodeList(getPos());
    SqlNode value;
}
{
    <WHEN> { s = span(); } [ <NOT> { matched = false; } ] <MATCHED>
    [ <BY> ( <SOURCE> { bySource = true; } | GpWord("TARGET") ) ]
    [ <AND> condition = Expression(ExprContext.ACCEPT_SUB_QUERY) ]
    <THEN>
    (
        <UPDATE> <SET> GpAssignments(set) {
            branches.add(MergeClause.update(matched, bySource, condition, set, s.end(this)));
        }
    |
        <DELETE> {
            branches.add(MergeClause.delete(matched, bySource, condition, s.end(this)));
        }
    |
        <INSERT> [ columns = ParenthesizedSimpleIdentifierList() ]
        (
            <DEFAULT_> <VALUES>
        |
            <VALUES> [ <ROW> ] <LPAREN> value = GpValueOrDefault() { values.add(value); }
            ( <COMMA> value = GpValueOrDefault() { values.add(value); } )* <RPAREN>
        )
        {
            branches.add(
                MergeClause.insert(matched, bySource, condition, columns, values, s.end(this)));
        }
    |
        GpWord("DO") GpWord("NOTHING") {
            branches.add(MergeClause.nothing(matched, bySource, condition, s.end(this)));
        }
    )
}

/** LOCK [TABLE] tables [IN mode MODE] [NOWAIT]. */
SqlNode GpLock() :
{
    final Span s;
    final List<SqlIdentifier> tables;
    final StringBuilder mode = new StringBuilder();
    boolean noWait = false;
    SqlIdentifier word;
}
{
    <LOCK> { s = span(); } [ <TABLE> ] tables = GpNames()
    [
        <IN>
        (
            LOOKAHEAD({ !"MODE".equalsIgnoreCase(getToken(1).image) })
            (
                <ROW> { mode.append("ROW "); }
            |
                <UPDATE> { mode.append("UPDATE "); }
            |
                word = SimpleIdentifier() { mode.append(word.getSimple()).append(' '); }
            )
        )+
        GpWord("MODE")
    ]
    [
        LOOKAHEAD({ "NOWAIT".equalsIgnoreCase(getToken(1).image) })
        GpWord("NOWAIT") { noWait = true; }
    ]
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.LockTables(tables, mode.toString().strip(), noWait, s.end(this)));
    }
}

/** DECLARE name [SENSITIVE | INSENSITIVE | ASENSITIVE] [[NO] SCROLL] CURSOR … FOR query. */
SqlNode GpDeclareCursor() :
{
    final Span s;
    final SqlIdentifier name;
    boolean fixed = false;
    boolean scroll = false;
    boolean hold = false;
    SqlNode query;
    final SqlParserPos start;
    final SqlParserPos end;
    Boolean changes = null;
    List<SqlIdentifier> columns = null;
}
{
    <DECLARE> { s = span(); } name = SimpleIdentifier()
    [
        <SENSITIVE>
    |
        <ASENSITIVE>
    |
        <INSENSITIVE> { fixed = true; }
    ]
    [ <NO> <SCROLL> | <SCROLL> { scroll = true; } ]
    <CURSOR>
    [ LOOKAHEAD( ( <WITH> | <WITHOUT> ) <HOLD> ) ( <WITH> { hold = true; } | <WITHOUT> ) <HOLD> ]
    [
        <WITH> { ParseErrors.refuse("WITH RETURN of a cursor", getPos()); }
    |
        <WITHOUT> <RETURN>
    ]
    <FOR> { start = getPos(); }
    query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY) { end = getPos(); }
    [
        <FOR>
        (
            <READ> <ONLY> { changes = false; }
        |
            <UPDATE> { changes = true; } [ <OF> columns = GpNames() ]
        )
    ]
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.DeclareCursor(
                name, scroll, hold, query, ParsedStatement.between(start, end),
                fixed ? Boolean.FALSE : changes, columns));
    }
}

/** OPEN, FETCH and CLOSE of a cursor. */
SqlNode GpCursor() :
{
    final Span s;
    SqlIdentifier name;
    final Analyzed command;
    Analyzed.Orientation orientation = Analyzed.Orientation.NEXT;
    int row = 0;
}
{
    (
        <OPEN> { s = span(); } name = SimpleIdentifier() {
            command = new Analyzed.OpenCursor(name.getSimple());
        }
    |
        <CLOSE> { s = span(); } name = SimpleIdentifier() {
            command = new Analyzed.CloseCursor(name.getSimple());
        }
    |
        <FETCH> { s = span(); }
        (
            LOOKAHEAD({ getToken(1).kind != FROM && getToken(2).kind != FROM
                && getToken(3).kind != FROM && getToken(4).kind != FROM })
            name = SimpleIdentifier()
        |
            [
                <NEXT>
            |
                <PRIOR> { orientation = Analyzed.Orientation.PRIOR; }
            |
                <FIRST> { orientation = Analyzed.Orientation.FIRST; }
            |
                <LAST> { orientation = Analyzed.Orientation.LAST; }
            |
                <ABSOLUTE> { orientation = Analyzed.Orientation.ABSOLUTE; } row = IntLiteral()
            |
                <RELATIVE> { orientation = Analyzed.Orientation.RELATIVE; } row = IntLiteral()
            ]
            <FROM> name = SimpleIdentifier()
        )
        [ <INTO> { ParseErrors.refuse("FETCH … INTO", getPos()); } ]
        { command = new Analyzed.Fetch(name.getSimple(), orientation, row); }
    )
    {
        return new StatementNode(s.end(this), new ParsedStatement.Control(command));
    }
}

/** BEGIN, START TRANSACTION, COMMIT, ROLLBACK, SAVEPOINT, RELEASE. */
SqlNode GpTransaction() :
{
    final Span s;
    final Analyzed command;
    SqlIdentifier name = null;
    final TransactionModes modes = new TransactionModes();
    boolean chain = false;
}
{
    (
        <BEGIN> { s = span(); } [ <TRANSACTION> | <WORK> ] [ GpTransactionModes(modes) ] {
            command = new Analyzed.Begin(modes.level(), modes.readOnly());
        }
    |
        <START> { s = span(); } <TRANSACTION> [ GpTransactionModes(modes) ] {
            command = new Analyzed.Begin(modes.level(), modes.readOnly());
        }
    |
        <COMMIT> { s = span(); } [ <TRANSACTION> | <WORK> ] chain = GpChain() {
            command = new Analyzed.Commit(chain);
        }
    |
        <ROLLBACK> { s = span(); } [ <TRANSACTION> | <WORK> ]
        (
            <TO> [ LOOKAHEAD(2) <SAVEPOINT> ] name = SimpleIdentifier()
        |
            chain = GpChain()
        )
        {
            command = name == null
                ? new Analyzed.Rollback(chain)
                : new Analyzed.RollbackTo(name.getSimple());
        }
    |
        <SAVEPOINT> { s = span(); } name = SimpleIdentifier() {
            command = new Analyzed.Savepoint(name.getSimple());
        }
    |
        <RELEASE> { s = span(); } [ LOOKAHEAD(2) <SAVEPOINT> ] name = SimpleIdentifier() {
            command = new Analyzed.Release(name.getSimple());
        }
    )
    {
        return new StatementNode(s.end(this), new ParsedStatement.Control(command));
    }
}

/** AND CHAIN, which begins the next transaction at once, or AND NO CHAIN. */
boolean GpChain() :
{
    boolean chain = true;
}
{
    <AND> [ <NO> { chain = false; } ] <CHAIN> { return chain; }
|
    { return false; }
}

/** Modes of a transaction, each at most once, with commas or without. */
void GpTransactionModes(TransactionModes modes) :
{
}
{
    GpTransactionMode(modes) ( [ <COMMA> ] GpTransactionMode(modes) )*
}

/** ISOLATION LEVEL, READ ONLY or READ WRITE, DIAGNOSTICS SIZE, which changes nothing. */
void GpTransactionMode(TransactionModes modes) :
{
    final IsolationLevel level;
}
{
    <ISOLATION> <LEVEL>
    (
        <SERIALIZABLE> { level = IsolationLevel.SERIALIZABLE; }
    |
        <REPEATABLE> <READ> { level = IsolationLevel.SNAPSHOT; }
    |
        <READ> ( <COMMITTED> | <UNCOMMITTED> ) { level = IsolationLevel.READ_COMMITTED; }
    |
        level = GpSnapshotLevel()
    )
    { modes.level(level, getPos()); }
|
    <READ> ( <ONLY> { modes.readOnly(true, getPos()); } | <WRITE> { modes.readOnly(false, getPos()); } )
|
    <DIAGNOSTICS> <SIZE> UnsignedIntLiteral() { modes.diagnostics(getPos()); }
}

IsolationLevel GpSnapshotLevel() :
{
    final SqlIdentifier word;
}
{
    word = SimpleIdentifier() {
        ParseErrors.require(
            word.getSimple().equals("SNAPSHOT"), "not an isolation level", word);
        return IsolationLevel.SNAPSHOT;
    }
}

/**
 * SET name = value, where the value may be a word with hyphens; SET TRANSACTION and SET SESSION
 * CHARACTERISTICS.
 */
SqlNode GpSet() :
{
    final Span s;
    final SqlIdentifier name;
    final String value;
    final TransactionModes modes = new TransactionModes();
    final Analyzed command;
}
{
    <SET> { s = span(); }
    (
        LOOKAHEAD( [ <LOCAL> ] <TRANSACTION> ( <ISOLATION> | <READ> | <DIAGNOSTICS> ) )
        [ <LOCAL> ] <TRANSACTION> GpTransactionModes(modes) {
            command = new Analyzed.SetTransaction(modes.level(), modes.readOnly(), false);
        }
    |
        LOOKAHEAD( <SESSION> <CHARACTERISTICS> <AS> )
        <SESSION> <CHARACTERISTICS> <AS> <TRANSACTION> GpTransactionModes(modes) {
            command = new Analyzed.SetTransaction(modes.level(), modes.readOnly(), true);
        }
    |
        LOOKAHEAD( <SESSION> <AUTHORIZATION> )
        <SESSION> <AUTHORIZATION> value = GpUser() {
            command = new Analyzed.SetOption("session_authorization", value);
        }
    |
        LOOKAHEAD( <ROLE> <NONE> )
        <ROLE> <NONE> { command = new Analyzed.SetOption("role", null); }
    |
        LOOKAHEAD( <CATALOG> ( GpSetting() ) )
        <CATALOG> value = GpSetting() { command = new Analyzed.SetOption("catalog", value); }
    |
        LOOKAHEAD( <NAMES> ( GpSetting() ) )
        <NAMES> value = GpSetting() { command = new Analyzed.SetOption("names", value); }
    |
        LOOKAHEAD( <TIME> <ZONE> )
        <TIME> <ZONE> value = GpZone() { command = new Analyzed.SetOption("time_zone", value); }
    |
        LOOKAHEAD( <SCHEMA> ( <EQ> | <TO> )? GpSetting() )
        <SCHEMA> [ <EQ> | <TO> ] value = GpSetting() {
            command = new Analyzed.SetOption("schema", value);
        }
    |
        LOOKAHEAD( <CURRENT> <SCHEMA> )
        <CURRENT> <SCHEMA> [ <EQ> | <TO> ] value = GpSetting() {
            command = new Analyzed.SetOption("schema", value);
        }
    |
        LOOKAHEAD( <CONSTRAINTS> ( <ALL> | CompoundIdentifier() ) ( <COMMA> | <DEFERRED> | <IMMEDIATE> ) )
        <CONSTRAINTS> command = GpSetConstraints()
    |
        name = CompoundIdentifier() ( <EQ> | <TO> ) value = GpSetting() {
            command = new Analyzed.SetOption(ParsedStatement.dotted(name), value);
        }
    )
    {
        return new StatementNode(s.end(this), new ParsedStatement.Control(command));
    }
}

/** What follows SET CONSTRAINTS. */
Analyzed GpSetConstraints() :
{
    SqlIdentifier name;
    final List<String> names = new ArrayList<String>();
}
{
    (
        <ALL>
    |
        name = CompoundIdentifier() { names.add(ParsedStatement.constraint(name)); }
        ( <COMMA> name = CompoundIdentifier() { names.add(ParsedStatement.constraint(name)); } )*
    )
    (
        <DEFERRED> { return new Analyzed.SetConstraints(names, true); }
    |
        <IMMEDIATE> { return new Analyzed.SetConstraints(names, false); }
    )
}

/** Whom the session is of: the text of a name, the current user (null), or DEFAULT. */
String GpUser() :
{
    final SqlIdentifier name;
    final String text;
}
{
    text = SimpleStringLiteral() { return text; }
|
    LOOKAHEAD( <CURRENT_USER> | <SESSION_USER> | <USER> )
    ( <CURRENT_USER> | <SESSION_USER> | <USER> ) { return null; }
|
    <DEFAULT_> { return null; }
|
    name = SimpleIdentifier() { return name.getSimple(); }
}

/** LOCAL, an interval from hour to minute, or the name of a zone. */
String GpZone() :
{
    final SqlNode interval;
    final SqlIdentifier name;
    final String text;
}
{
    LOOKAHEAD( <LOCAL> )
    <LOCAL> { return null; }
|
    <DEFAULT_> { return null; }
|
    LOOKAHEAD( <INTERVAL> )
    interval = IntervalLiteral() { return ParsedStatement.offset(interval); }
|
    text = SimpleStringLiteral() { return text; }
|
    name = SimpleIdentifier() { return name.getSimple(); }
}

String GpSetting() :
{
    final SqlNode literal;
    SqlIdentifier word;
    final StringBuilder words = new StringBuilder();
}
{
    <DEFAULT_> { return null; }
|
    <ON> { return "ON"; }
|
    LOOKAHEAD(2)
    literal = NonIntervalLiteral() { return ((SqlLiteral) literal).toValue(); }
|
    word = SimpleIdentifier() { words.append(word.getSimple()); }
    ( <MINUS> word = SimpleIdentifier() { words.append('-').append(word.getSimple()); } )*
    { return words.toString(); }
}

/** SHOW name or SHOW ALL. */
SqlNode GpShow() :
{
    final Span s;
    final String name;
    final SqlIdentifier id;
}
{
    <SHOW> { s = span(); }
    (
        <ALL> { name = "ALL"; }
    |
        id = CompoundIdentifier() { name = ParsedStatement.dotted(id); }
    )
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.Control(new Analyzed.Show(name)));
    }
}

/** VACUUM [table]. */
SqlNode GpVacuum() :
{
    final Span s;
    SqlIdentifier name = null;
}
{
    <VACUUM> { s = span(); } [ name = CompoundIdentifier() ] {
        return new StatementNode(s.end(this), new ParsedStatement.Vacuum(name));
    }
}

/** ANALYZE [TABLE] [table]. */
SqlNode GpAnalyze() :
{
    final Span s;
    SqlIdentifier name = null;
}
{
    <ANALYZE> { s = span(); }
    [ <TABLE> name = CompoundIdentifier() | name = CompoundIdentifier() ] {
        return new StatementNode(s.end(this), new ParsedStatement.Analyze(name));
    }
}

/** CHECKPOINT. */
SqlNode GpCheckpoint() :
{
}
{
    <CHECKPOINT> {
        return new StatementNode(getPos(),
            new ParsedStatement.Control(new Analyzed.Checkpoint()));
    }
}

/** BACKUP TO 'directory'. */
SqlNode GpBackup() :
{
    final Span s;
    final String directory;
}
{
    <BACKUP> { s = span(); } <TO> directory = SimpleStringLiteral() {
        return new StatementNode(s.end(this),
            new ParsedStatement.Control(new Analyzed.Backup(directory)));
    }
}

/** COPY table FROM 'file', COPY table TO 'file', COPY (query) TO 'file'. */
SqlNode GpCopy() :
{
    final Span s;
    SqlIdentifier table = null;
    SqlNodeList columns = null;
    SqlNode query = null;
    final boolean from;
    final String file;
    final List<CopyOption> settings = new ArrayList<CopyOption>();
}
{
    <COPY> { s = span(); }
    (
        <LPAREN> query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY) <RPAREN>
    |
        table = CompoundIdentifier() [ columns = ParenthesizedSimpleIdentifierList() ]
    )
    ( <FROM> { from = true; } | <TO> { from = false; } )
    file = SimpleStringLiteral()
    [ <WITH> ]
    [
        <LPAREN> GpCopyOption(settings) ( <COMMA> GpCopyOption(settings) )* <RPAREN>
    ]
    {
        return new StatementNode(s.end(this),
            new ParsedStatement.Copy(table, columns, query, from, file, settings));
    }
}

void GpCopyOption(List<CopyOption> settings) :
{
    String name;
    String value = null;
    final SqlIdentifier word;
    final Span s;
}
{
    ( <NULL> { name = "NULL"; } | name = Identifier() )
    { s = span(); }
    [
        value = SimpleStringLiteral()
    |
        word = SimpleIdentifier() { value = word.getSimple(); }
    |
        <TRUE> { value = "TRUE"; }
    |
        <FALSE> { value = "FALSE"; }
    ]
    { settings.add(new CopyOption(name, value, s.pos())); }
}

/** expression::type. */
void GpInfixCast(List<Object> list, ExprContext exprContext, Span s) :
{
    final SqlDataTypeSpec type;
}
{
    <INFIX_CAST> {
        checkNonQueryExpression(exprContext);
        list.add(new SqlParserUtil.ToTreeListItem(SqlLibraryOperators.INFIX_CAST, s.pos()));
    }
    type = DataType() { list.add(type); }
}

/** Names of types that Calcite's grammar lacks. */
SqlTypeNameSpec GpTypeName() :
{
    final Span s;
    final Token word;
    int length = -1;
    int scale = RelDataType.SCALE_NOT_SPECIFIED;
    boolean binary = false;
    boolean varying = false;
    final SqlIntervalQualifier fields;
}
{
    <INTERVAL> { s = span(); } fields = IntervalQualifier() {
        return TypeSpelling.interval(fields, s.end(this));
    }
|
    <FLOAT> { s = span(); } <LPAREN> length = UnsignedIntLiteral() <RPAREN> {
        return TypeSpelling.floating(length, s.end(this));
    }
|
    ( <CLOB> | <NCLOB> | <BLOB> { binary = true; } ) { s = span(); } length = GpLargeLength() {
        return TypeSpelling.large(binary, length, s.end(this));
    }
|
    ( <CHARACTER> | <CHAR> | <BINARY> { binary = true; } ) { s = span(); } <LARGE> <OBJECT>
    length = GpLargeLength() {
        return TypeSpelling.large(binary, length, s.end(this));
    }
|
    ( <NATIONAL> { s = span(); } ( <CHARACTER> | <CHAR> ) | <NCHAR> { s = span(); } )
    (
        <LARGE> <OBJECT> length = GpLargeLength() {
            return TypeSpelling.large(false, length, s.end(this));
        }
    |
        [ <VARYING> { varying = true; } ] length = PrecisionOpt() {
            return TypeSpelling.text(varying, length, s.end(this));
        }
    )
|
    ( word = <IDENTIFIER> | word = <NUMBER> | word = <DATETIME> | word = <BIT> ) { s = span(); }
    (
        ( <VARCHAR> | <VARBINARY> { binary = true; } ) {
            return TypeSpelling.longString(word.image, binary, s.end(this));
        }
    |
        <LPAREN>
        (
            length = UnsignedIntLiteral() [ <COMMA> scale = IntLiteral() ] <RPAREN>
        |
            <QUOTED_STRING>
        ) {
            return TypeSpelling.named(word.image, length, scale, s.end(this));
        }
    )
}

/** The length of a large object, -1 for none: (10), (10K), (10 M CHARACTERS). */
int GpLargeLength() :
{
    int length = -1;
    String unit = "";
    SqlIdentifier word;
}
{
    [
        <LPAREN> length = UnsignedIntLiteral()
        [ word = SimpleIdentifier() { unit = word.getSimple(); } ]
        [ word = SimpleIdentifier() { TypeSpelling.requireCounted(word); } ]
        <RPAREN> { length = TypeSpelling.length(length, unit, getPos()); }
    ]
    { return length; }
}

/** What is behind IN, ANY or ALL: a query or values, of which IN may have none. */
SqlNodeList GpInList() :
{
    final SqlNodeList list;
    final Span s;
}
{
    LOOKAHEAD({ getToken(0).kind == IN && getToken(1).kind == LPAREN && getToken(2).kind == RPAREN })
    <LPAREN> { s = span(); } <RPAREN> { return new SqlNodeList(s.end(this)); }
|
    list = ParenthesizedQueryOrCommaList(ExprContext.ACCEPT_NONCURSOR) { return list; }
}

/** The length of a CHAR or VARCHAR, which counts characters. */
int GpLength() :
{
    int length = -1;
}
{
    [
        <LPAREN> length = UnsignedIntLiteral()
        [ <CHARACTERS> | <OCTETS> { ParseErrors.refuse("a length in OCTETS", getPos()); } ]
        <RPAREN>
    ]
    { return length; }
}

/** USING CHARACTERS, in which strings are counted anyway, or USING OCTETS, which marks the first value. */
void GpCharacters(List<SqlNode> args) :
{
}
{
    <USING>
    (
        <CHARACTERS>
    |
        <OCTETS> { args.set(0, TextOperators.octets(args.get(0), getPos())); }
    )
}

/** CHAR_LENGTH with the unit that is counted. */
SqlNode GpCharLength() :
{
    final Span s;
    final SqlNode value;
    SqlOperator function = SqlStdOperatorTable.CHAR_LENGTH;
}
{
    ( <CHAR_LENGTH> | <CHARACTER_LENGTH> ) { s = span(); }
    <LPAREN> value = Expression(ExprContext.ACCEPT_SUB_QUERY)
    [ <USING> ( <CHARACTERS> | <OCTETS> { function = SqlStdOperatorTable.OCTET_LENGTH; } ) ]
    <RPAREN> { return function.createCall(s.end(this), value); }
}

/** AT TIME ZONE and AT LOCAL, behind an instant. */
void GpAtTimeZone(List<Object> list, ExprContext exprContext, Span s) :
{
    final SqlNode zone;
}
{
    <AT> {
        checkNonQueryExpression(exprContext);
        s.clear().add(this);
    }
    (
        <TIME> <ZONE> zone = Expression3(ExprContext.ACCEPT_SUB_QUERY)
    |
        <LOCAL> { zone = SqlLiteral.createCharString("LOCAL", getPos()); }
    )
    {
        list.add(new SqlParserUtil.ToTreeListItem(AtTimeZone.OPERATOR, s.pos()));
        list.add(ParsedStatement.zone(zone));
    }
}

/** CORRESPONDING [BY (columns)], behind UNION, INTERSECT or EXCEPT. */
SqlBinaryOperator GpCorresponding(SqlBinaryOperator operator) :
{
    SqlNodeList columns = null;
}
{
    <CORRESPONDING> [ <BY> columns = ParenthesizedSimpleIdentifierList() ] {
        return CorrespondingOperator.of((SqlSetOperator) operator, columns);
    }
|
    { return operator; }
}

/** MATCH [UNIQUE] [SIMPLE | PARTIAL | FULL] (query), behind a row. */
void GpMatch(List<Object> list, ExprContext exprContext, Span s) :
{
    boolean unique = false;
    MatchOperator.Kind kind = MatchOperator.Kind.SIMPLE;
    final SqlNode query;
}
{
    <MATCH> {
        checkNonQueryExpression(exprContext);
        s.clear().add(this);
    }
    [ <UNIQUE> { unique = true; } ]
    [
        <SIMPLE>
    |
        <PARTIAL> { kind = MatchOperator.Kind.PARTIAL; }
    |
        <FULL> { kind = MatchOperator.Kind.FULL; }
    ]
    query = ParenthesizedExpression(ExprContext.ACCEPT_QUERY) {
        list.add(new SqlParserUtil.ToTreeListItem(new MatchOperator(unique, kind), s.pos()));
        list.add(query);
    }
}

/** A call of a function that has a grammar of its own. */
SqlNode BuiltinFunctionCall() :
{
    final SqlNode call;
}
{
    LOOKAHEAD({ isBeginning(BUILTIN_FUNCTION) })
    call = CalciteBuiltinFunctionCall() { return call; }
|
    LOOKAHEAD({ false })
    <EOF> { return null; }
}

SqlIdentifier ReservedFunctionName() :
{
    final SqlIdentifier name;
}
{
    LOOKAHEAD({ isBeginning(RESERVED_FUNCTION_NAME) })
    name = CalciteReservedFunctionName() { return name; }
|
    LOOKAHEAD({ false })
    <EOF> { return null; }
}

String NonReservedKeyWord() :
{
    final String word;
}
{
    LOOKAHEAD({ isBeginning(NON_RESERVED_KEYWORD) })
    word = CalciteNonReservedKeyWord() { return word; }
|
    LOOKAHEAD({ false })
    <EOF> { return null; }
}

/** Whether the production can begin with the kind of token that is next. Nothing is parsed. */
boolean GpBeginsBuiltinFunction() :
{
}
{
    LOOKAHEAD(1)
    { if (true) return true; }
    CalciteBuiltinFunctionCall()
|
    { return false; }
}

/** As {@link #GpBeginsBuiltinFunction}. */
boolean GpBeginsReservedFunctionName() :
{
}
{
    LOOKAHEAD(1)
    { if (true) return true; }
    CalciteReservedFunctionName()
|
    { return false; }
}

/** As {@link #GpBeginsBuiltinFunction}. */
boolean GpBeginsNonReservedKeyWord() :
{
}
{
    LOOKAHEAD(1)
    { if (true) return true; }
    CalciteNonReservedKeyWord()
|
    { return false; }
}
