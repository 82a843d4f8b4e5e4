package io.gpdb.sql.dialect;

import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;

/** Where gpDB's SQL is more liberal than the standard. */
public final class GpConformance extends SqlDelegatingConformance {
  public static final GpConformance INSTANCE = new GpConformance();

  private GpConformance() {
    super(SqlConformanceEnum.DEFAULT);
  }

  @Override
  public boolean isGroupByOrdinal() {
    return true;
  }

  @Override
  public boolean isGroupByAlias() {
    return true;
  }

  @Override
  public boolean isHavingAlias() {
    return true;
  }

  @Override
  public boolean isSortByOrdinal() {
    return true;
  }

  @Override
  public boolean isSortByAlias() {
    return true;
  }

  @Override
  public boolean isFromRequired() {
    return false;
  }

  @Override
  public boolean isBangEqualAllowed() {
    return true;
  }

  @Override
  public boolean isMinusAllowed() {
    return true;
  }

  @Override
  public boolean isPercentRemainderAllowed() {
    return true;
  }

  @Override
  public boolean isApplyAllowed() {
    return true;
  }

  @Override
  public boolean allowNiladicParentheses() {
    return true;
  }

  @Override
  public boolean isLimitStartCountAllowed() {
    return true;
  }

  @Override
  public boolean isOffsetLimitAllowed() {
    return true;
  }

  @Override
  public boolean isValueAllowed() {
    return false;
  }
}
