package io.gpdb.tools;

import org.hibernate.boot.model.FunctionContributions;
import org.hibernate.dialect.DatabaseVersion;
import org.hibernate.dialect.Dialect;
import org.hibernate.dialect.function.CommonFunctionFactory;
import org.hibernate.dialect.identity.IdentityColumnSupport;
import org.hibernate.dialect.pagination.LimitHandler;
import org.hibernate.dialect.pagination.OffsetFetchLimitHandler;
import org.hibernate.dialect.sequence.ANSISequenceSupport;
import org.hibernate.dialect.sequence.SequenceSupport;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.exception.spi.ViolatedConstraintNameExtractor;
import org.hibernate.query.common.FetchClauseType;
import org.hibernate.tool.schema.extract.internal.SequenceInformationExtractorLegacyImpl;
import org.hibernate.tool.schema.extract.spi.SequenceInformationExtractor;
import org.hibernate.type.SqlTypes;

/** The SQL of gpDB for Hibernate ORM 7. */
public class GpdbDialect extends Dialect {
  private static final DatabaseVersion LEAST = DatabaseVersion.make(0, 1);

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
    functions.char_chr();
    functions.concat_pipeOperator();
    functions.degrees();
    functions.log10();
    functions.octetLength();
    functions.pi();
    functions.radians();
    functions.repeat();
    functions.windowFunctions();
  }

  @Override
  public IdentityColumnSupport getIdentityColumnSupport() {
    return GpdbIdentityColumns.INSTANCE;
  }

  @Override
  public SequenceSupport getSequenceSupport() {
    return ANSISequenceSupport.INSTANCE;
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
  public boolean supportsTupleDistinctCounts() {
    return false;
  }

  /** Readers see a snapshot and are never blocked. */
  @Override
  public boolean doesReadCommittedCauseWritersToBlockReaders() {
    return false;
  }
}
