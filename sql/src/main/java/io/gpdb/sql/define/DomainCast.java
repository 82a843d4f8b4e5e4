package io.gpdb.sql.define;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.NodeCopy;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.dialect.RequiredValue;
import io.gpdb.sql.dialect.TypeMark;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.Objects;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * A cast to a domain: one to its type, whose value the constraints of the domain must allow. A cast
 * to a distinct type: one to its source, marked.
 */
public final class DomainCast {
  private DomainCast() {}

  /** The domain or distinct type to which a call casts; null where it does not. */
  public static @Nullable DomainDef domain(SqlCall call, CatalogSnapshot catalog) {
    if (catalog.domains().isEmpty()) {
      return null;
    }
    if (call.getKind() == SqlKind.CAST) {
      return call.operand(1) instanceof SqlDataTypeSpec type
          ? DomainDefinition.in(type, catalog)
          : null;
    }
    DomainDef type = byFunction(call, catalog);
    return type != null && !calls(call).equals(type.toSource()) ? type : null;
  }

  /** The distinct type from which a call of its function casts; null where it does not. */
  public static @Nullable DomainDef distinct(SqlCall call, CatalogSnapshot catalog) {
    DomainDef type = byFunction(call, catalog);
    return type != null && calls(call).equals(type.toSource()) ? type : null;
  }

  /** The distinct type whose function of casts is called; null where none is. */
  static @Nullable DomainDef byFunction(SqlCall call, CatalogSnapshot catalog) {
    if (!(call.getOperator() instanceof SqlUnresolvedFunction function)
        || call.operandCount() != 1
        || call.getFunctionQuantifier() != null
        || function.getNameAsId().names.size() > 2) {
      return null;
    }
    return catalog.castBy(TableNames.named(function.getNameAsId(), catalog));
  }

  private static String calls(SqlCall call) {
    return ((SqlUnresolvedFunction) call.getOperator()).getNameAsId().names.getLast();
  }

  /** An explicit cast to a type of SQL, of whatever type its value is. */
  public static SqlNode marked(SqlNode cast, CatalogSnapshot catalog) {
    return catalog.hasDistinctTypes() && cast.getKind() == SqlKind.CAST
        ? TypeMark.source(cast)
        : cast;
  }

  /** The source value of one of a distinct type. */
  public static SqlNode source(SqlNode value, DomainDef distinct, SqlParserPos place) {
    return TypeMark.source(
        SqlStdOperatorTable.CAST.createCall(
            place, value, ParameterGuesses.declared(distinct.column().type())),
        distinct.fullName());
  }

  /** The cast of a value to a domain in what SQL has without domains. */
  public static SqlNode of(SqlNode value, DomainDef domain, SqlParserPos place) {
    SqlNode cast =
        SqlStdOperatorTable.CAST.createCall(
            place, value, ParameterGuesses.declared(domain.column().type()));
    if (domain.isDistinct()) {
      return TypeMark.distinct(cast, domain.fullName());
    }
    SqlNode checked = cast;
    if (!domain.column().nullable()) {
      checked =
          RequiredValue.of(
              checked,
              SqlStdOperatorTable.IS_NOT_NULL.createCall(place, NodeCopy.of(cast)),
              SqlCondition.NOT_NULL_VIOLATION,
              "domain " + domain.fullName() + " has no NULL",
              place);
    }
    for (CheckDef check : domain.value().checks()) {
      checked =
          RequiredValue.of(
              checked,
              condition(check, domain, cast),
              SqlCondition.CHECK_VIOLATION,
              "the value violates CHECK constraint %s of domain %s: %s"
                  .formatted(check.name(), domain.fullName(), check.condition()),
              place);
    }
    return checked;
  }

  private static SqlNode condition(CheckDef check, DomainDef domain, SqlNode value) {
    SqlShuttle replacing =
        new SqlShuttle() {
          @Override
          public @Nullable SqlNode visit(SqlIdentifier id) {
            return id.isSimple() && id.getSimple().equals(DomainDef.VALUE)
                ? NodeCopy.of(value)
                : id;
          }
        };
    try {
      return Objects.requireNonNull(
          SqlText.expression(check.condition()).accept(replacing), "a condition");
    } catch (SqlParseException e) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, "a CHECK of domain " + domain.fullName() + " cannot be read", e);
    }
  }
}
