package io.gpdb.tools;

import org.hibernate.dialect.temptable.StandardLocalTemporaryTableStrategy;
import org.hibernate.query.sqm.mutation.spi.AfterUseAction;
import org.hibernate.query.sqm.mutation.spi.BeforeUseAction;

/**
 * The tables in which Hibernate keeps the keys of rows that a bulk change of several tables is of.
 */
final class GpdbTemporaryTables extends StandardLocalTemporaryTableStrategy {
  static final GpdbTemporaryTables INSTANCE = new GpdbTemporaryTables();

  private GpdbTemporaryTables() {}

  @Override
  public String getTemporaryTableCreateCommand() {
    return "create local temporary table if not exists";
  }

  @Override
  public BeforeUseAction getTemporaryTableBeforeUseAction() {
    return BeforeUseAction.CREATE;
  }

  /** The table stays with its session, for the next change. */
  @Override
  public AfterUseAction getTemporaryTableAfterUseAction() {
    return AfterUseAction.CLEAN;
  }
}
