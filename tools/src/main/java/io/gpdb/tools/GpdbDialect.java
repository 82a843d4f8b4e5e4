package io.gpdb.tools;

import jakarta.persistence.TemporalType;
import jakarta.persistence.Timeout;
import java.math.BigDecimal;
import org.hibernate.QueryTimeoutException;
import org.hibernate.Timeouts;
import org.hibernate.boot.model.FunctionContributions;
import org.hibernate.dialect.DatabaseVersion;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.RowLockStrategy;
import org.hibernate.dialect.TimeZoneSupport;
import org.hibernate.dialect.function.CommonFunctionFactory;
import org.hibernate.dialect.identity.IdentityColumnSupport;
import org.hibernate.dialect.lock.PessimisticLockStyle;
import org.hibernate.dialect.lock.internal.LockingSupportParameterized;
import org.hibernate.dialect.lock.spi.LockingSupport;
import org.hibernate.dialect.lock.spi.OuterJoinLockingType;
import org.hibernate.dialect.pagination.LimitHandler;
import org.hibernate.dialect.pagination.OffsetFetchLimitHandler;
import org.hibernate.dialect.sequence.SequenceSupport;
import org.hibernate.dialect.temptable.TemporaryTableStrategy;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.exception.LockAcquisitionException;
import org.hibernate.exception.LockTimeoutException;
import org.hibernate.exception.SnapshotIsolationException;
import org.hibernate.exception.spi.SQLExceptionConversionDelegate;
import org.hibernate.exception.spi.ViolatedConstraintNameExtractor;
import org.hibernate.internal.util.JdbcExceptionHelper;
import org.hibernate.metamodel.mapping.EntityMappingType;
import org.hibernate.metamodel.spi.RuntimeModelCreationContext;
import org.hibernate.persister.entity.mutation.EntityMutationTarget;
import org.hibernate.query.common.FetchClauseType;
import org.hibernate.query.common.TemporalUnit;
import org.hibernate.query.sqm.IntervalType;
import org.hibernate.query.sqm.mutation.internal.temptable.LocalTemporaryTableInsertStrategy;
import org.hibernate.query.sqm.mutation.internal.temptable.LocalTemporaryTableMutationStrategy;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableInsertStrategy;
import org.hibernate.query.sqm.mutation.spi.SqmMultiTableMutationStrategy;
import org.hibernate.sql.ast.SqlAstTranslatorFactory;
import org.hibernate.sql.ast.spi.SqlAppender;
import org.hibernate.sql.model.MutationOperation;
import org.hibernate.sql.model.internal.OptionalTableUpdate;
import org.hibernate.tool.schema.extract.internal.SequenceInformationExtractorLegacyImpl;
import org.hibernate.tool.schema.extract.spi.SequenceInformationExtractor;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;

/** The SQL of gpDB for Hibernate ORM 7. */
@SuppressWarnings({"deprecation", "removal"}) // types of arguments of methods that Hibernate calls
public class GpdbDialect extends Dialect {
  private static final DatabaseVersion LEAST = DatabaseVersion.make(0, 1);
  private static final int LENGTH_MAX = 16_777_216;
  private static final long NANOS_PER_MICRO = 1000;

  private static final LockingSupport LOCKING =
      new LockingSupportParameterized(
          PessimisticLockStyle.CLAUSE,
          RowLockStrategy.TABLE,
          true,
          true,
          true,
          OuterJoinLockingType.FULL);

  public GpdbDialect() {
    super(LEAST);
  }

  public GpdbDialect(DialectResolutionInfo info) {
    super(info);
  }

  @Override
  protected DatabaseVersion getMinimumSupportedVersion() {
    return LEAST;
  }

  @Override
  protected String columnType(int sqlTypeCode) {
    return switch (sqlTypeCode) {
      case SqlTypes.LONG32VARCHAR, SqlTypes.NCLOB, SqlTypes.LONG32NVARCHAR -> "clob";
      case SqlTypes.NCHAR -> "char($l)";
      case SqlTypes.NVARCHAR -> "varchar($l)";
      case SqlTypes.BINARY -> "varbinary($l)";
      case SqlTypes.LONG32VARBINARY -> "blob";
      case SqlTypes.FLOAT -> "double precision";
      default -> super.columnType(sqlTypeCode);
    };
  }

  /** Texts and bytes are cast to as many as there are. */
  @Override
  protected String castType(int sqlTypeCode) {
    return switch (sqlTypeCode) {
      case SqlTypes.VARCHAR, SqlTypes.NVARCHAR, SqlTypes.LONG32VARCHAR, SqlTypes.LONG32NVARCHAR ->
          "varchar";
      case SqlTypes.VARBINARY, SqlTypes.LONG32VARBINARY -> "varbinary";
      default -> super.castType(sqlTypeCode);
    };
  }

  @Override
  public int getMaxVarcharLength() {
    return LENGTH_MAX;
  }

  @Override
  public int getMaxVarbinaryLength() {
    return LENGTH_MAX;
  }

  @Override
  public void appendBooleanValueString(SqlAppender sql, boolean value) {
    sql.appendSql(value);
  }

  /** A TIMESTAMP WITH TIME ZONE is an instant, and does not keep its zone. */
  @Override
  public TimeZoneSupport getTimeZoneSupport() {
    return TimeZoneSupport.NORMALIZE;
  }

  @Override
  public SqlAstTranslatorFactory getSqlAstTranslatorFactory() {
    return new GpdbSqlTranslatorFactory();
  }

  @Override
  public int getDefaultDecimalPrecision() {
    return 18;
  }

  @Override
  public void initializeFunctionRegistry(FunctionContributions contributions) {
    super.initializeFunctionRegistry(contributions);
    CommonFunctionFactory functions = new CommonFunctionFactory(contributions);
    functions.aggregates(this, org.hibernate.sql.ast.SqlAstNodeRenderingMode.DEFAULT);
    functions.ascii();
    functions.bitLength();
    functions.cbrt();
    functions.char_chr();
    functions.concat_pipeOperator();
    functions.corr();
    functions.covarPopSamp();
    functions.dateTrunc();
    functions.degrees();
    functions.inverseDistributionOrderedSetAggregates();
    functions.lastDay();
    functions.listagg(null);
    functions.log10();
    functions.median();
    functions.moreHyperbolic();
    functions.octetLength();
    functions.pi();
    functions.radians();
    functions.regexpLike();
    functions.repeat();
    functions.reverse();
    functions.stddevPopSamp();
    functions.translate();
    functions.trunc_dateTrunc();
    functions.varPopSamp();
    functions.windowFunctions();
  }

  @Override
  public IdentityColumnSupport getIdentityColumnSupport() {
    return GpdbIdentityColumns.INSTANCE;
  }

  @Override
  public SequenceSupport getSequenceSupport() {
    return GpdbSequences.INSTANCE;
  }

  @Override
  public String getQuerySequencesString() {
    return "select * from INFORMATION_SCHEMA.SEQUENCES";
  }

  @Override
  public SequenceInformationExtractor getSequenceInformationExtractor() {
    return SequenceInformationExtractorLegacyImpl.INSTANCE;
  }

  @Override
  public String translateExtractField(TemporalUnit unit) {
    return switch (unit) {
      case DAY_OF_MONTH -> "day";
      case DAY_OF_WEEK -> "dow";
      case DAY_OF_YEAR -> "doy";
      default -> super.translateExtractField(unit);
    };
  }

  @Override
  public String extractPattern(TemporalUnit unit) {
    return switch (unit) {
      case DAY_OF_WEEK, DAY_OF_YEAR, WEEK -> "extract(?1 from ?2)";
      default -> super.extractPattern(unit);
    };
  }

  @Override
  public long getFractionalSecondPrecisionInNanos() {
    return NANOS_PER_MICRO;
  }

  private static String unit(TemporalUnit unit) {
    return unit == TemporalUnit.NATIVE ? "microsecond" : "?1";
  }

  /** A timestamp may be an instant, to which nothing is added before it is one of the zone. */
  private static String moment(TemporalType type, String argument) {
    return type == TemporalType.TIMESTAMP ? "cast(" + argument + " as timestamp)" : argument;
  }

  @Override
  public String timestampaddPattern(
      TemporalUnit unit, TemporalType type, @Nullable IntervalType intervalType) {
    return "timestampadd(" + unit(unit) + ",?2," + moment(type, "?3") + ")";
  }

  @Override
  public String timestampdiffPattern(TemporalUnit unit, TemporalType from, TemporalType to) {
    return "timestampdiff(" + unit(unit) + "," + moment(from, "?2") + "," + moment(to, "?3") + ")";
  }

  /** One MERGE for what may be an insert or an update. */
  @Override
  public MutationOperation createOptionalTableUpdateOperation(
      EntityMutationTarget entity, OptionalTableUpdate change, SessionFactoryImplementor factory) {
    return GpdbSqlTranslatorFactory.merge(change, factory);
  }

  @Override
  public LockingSupport getLockingSupport() {
    return LOCKING;
  }

  @Override
  public String getForUpdateNowaitString() {
    return waiting(getForUpdateString(), Timeouts.NO_WAIT);
  }

  @Override
  public String getForUpdateSkipLockedString() {
    return waiting(getForUpdateString(), Timeouts.SKIP_LOCKED);
  }

  @Override
  public String getWriteLockString(Timeout timeout) {
    return waiting(getForUpdateString(), timeout);
  }

  @Override
  public String getWriteLockString(String aliases, Timeout timeout) {
    return waiting(getForUpdateString(aliases), timeout);
  }

  @Override
  public String getReadLockString(Timeout timeout) {
    return getWriteLockString(timeout);
  }

  @Override
  public String getReadLockString(String aliases, Timeout timeout) {
    return getWriteLockString(aliases, timeout);
  }

  private static String waiting(String lock, Timeout timeout) {
    int millis = timeout.milliseconds();
    return switch (millis) {
      case Timeouts.WAIT_FOREVER_MILLI -> lock;
      case Timeouts.SKIP_LOCKED_MILLI -> lock + " skip locked";
      case Timeouts.NO_WAIT_MILLI -> lock + " nowait";
      default -> lock + " wait " + BigDecimal.valueOf(millis, 3).toPlainString();
    };
  }

  /** A conflict with a transaction that has committed is one that optimistic locking expects. */
  @Override
  public SQLExceptionConversionDelegate buildSQLExceptionConversionDelegate() {
    return (failure, message, sql) ->
        switch (JdbcExceptionHelper.extractSqlState(failure)) {
          case "40001" -> new SnapshotIsolationException(message, failure, sql);
          case "40P01" -> new LockAcquisitionException(message, failure, sql);
          case "55P03" -> new LockTimeoutException(message, failure, sql);
          case "57014" -> new QueryTimeoutException(message, failure, sql);
          case null, default -> null;
        };
  }

  @Override
  public TemporaryTableStrategy getLocalTemporaryTableStrategy() {
    return GpdbTemporaryTables.INSTANCE;
  }

  @Override
  public SqmMultiTableMutationStrategy getFallbackSqmMutationStrategy(
      EntityMappingType entity, RuntimeModelCreationContext context) {
    return new LocalTemporaryTableMutationStrategy(entity, context);
  }

  @Override
  public SqmMultiTableInsertStrategy getFallbackSqmInsertStrategy(
      EntityMappingType entity, RuntimeModelCreationContext context) {
    return new LocalTemporaryTableInsertStrategy(entity, context);
  }

  @Override
  public LimitHandler getLimitHandler() {
    return OffsetFetchLimitHandler.INSTANCE;
  }

  @Override
  public boolean supportsFetchClause(FetchClauseType type) {
    return type == FetchClauseType.ROWS_ONLY;
  }

  /** The message of a violated constraint names it between double quotes, or last. */
  @Override
  public ViolatedConstraintNameExtractor getViolatedConstraintNameExtractor() {
    return ConstraintNames::violatedBy;
  }

  @Override
  public boolean supportsIfExistsBeforeTableName() {
    return true;
  }

  @Override
  public boolean supportsColumnCheck() {
    return false;
  }

  @Override
  public boolean supportsIfExistsBeforeIndexName() {
    return true;
  }

  @Override
  public boolean supportsCommentOn() {
    return true;
  }

  @Override
  public boolean supportsAlterColumnType() {
    return true;
  }

  @Override
  public String getAlterColumnTypeString(String column, String type, String definition) {
    return "alter column " + column + " set data type " + type;
  }

  @Override
  public String getCascadeConstraintsString() {
    return " cascade";
  }

  /** {@code DROP TABLE … CASCADE} drops the foreign keys that refer to the table. */
  @Override
  public boolean dropConstraints() {
    return false;
  }

  @Override
  public boolean supportsCurrentTimestampSelection() {
    return true;
  }

  @Override
  public boolean isCurrentTimestampSelectStringCallable() {
    return false;
  }

  @Override
  public String getCurrentTimestampSelectString() {
    return "values current_timestamp";
  }

  @Override
  public boolean supportsValuesList() {
    return true;
  }

  @Override
  public boolean supportsWindowFunctions() {
    return true;
  }

  @Override
  public boolean supportsRecursiveCTE() {
    return true;
  }

  @Override
  public boolean supportsExistsInSelect() {
    return true;
  }

  @Override
  public boolean supportsOffsetInSubquery() {
    return true;
  }

  @Override
  public boolean supportsIsTrue() {
    return true;
  }

  @Override
  public boolean supportsLateral() {
    return true;
  }

  @Override
  public boolean supportsFilterClause() {
    return true;
  }

  @Override
  public boolean supportsRowValueConstructorSyntaxInInList() {
    return false;
  }

  @Override
  public boolean supportsTupleDistinctCounts() {
    return false;
  }

  /** Readers see a snapshot and are never blocked. */
  @Override
  public boolean doesReadCommittedCauseWritersToBlockReaders() {
    return false;
  }
}
