package io.gpdb.tools;

import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.sql.ast.SqlAstTranslator;
import org.hibernate.sql.ast.spi.SqlAstTranslatorWithMerge;
import org.hibernate.sql.ast.spi.StandardSqlAstTranslatorFactory;
import org.hibernate.sql.ast.tree.Statement;
import org.hibernate.sql.ast.tree.insert.ConflictClause;
import org.hibernate.sql.exec.spi.JdbcOperation;
import org.hibernate.sql.model.internal.OptionalTableUpdate;
import org.hibernate.sql.model.jdbc.MergeOperation;

/** Makes the SQL of Hibernate's statements: that of the standard, with MERGE and ON CONFLICT. */
final class GpdbSqlTranslatorFactory extends StandardSqlAstTranslatorFactory {
  @Override
  protected <T extends JdbcOperation> SqlAstTranslator<T> buildTranslator(
      SessionFactoryImplementor factory, Statement statement) {
    return new Translator<>(factory, statement);
  }

  static MergeOperation merge(OptionalTableUpdate change, SessionFactoryImplementor factory) {
    return new Translator<MergeOperation>(factory, change).createMergeOperation(change);
  }

  private static final class Translator<T extends JdbcOperation>
      extends SqlAstTranslatorWithMerge<T> {
    Translator(SessionFactoryImplementor factory, Statement statement) {
      super(factory, statement);
    }

    @Override
    protected void visitConflictClause(ConflictClause conflict) {
      visitStandardConflictClause(conflict);
    }
  }
}
