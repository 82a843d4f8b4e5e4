package io.gpdb.sql.validation;

import io.gpdb.sql.syntax.OwnNodes;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.DelegatingNamespace;
import org.apache.calcite.sql.validate.SqlModality;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.jspecify.annotations.Nullable;

/**
 * The types of the tables that the recursive queries of a statement read and write. Calcite takes
 * those of the seed. Here they are the least that hold the rows of the seed and those of the step,
 * which depend on them in turn: a fixpoint, found by validating copies of the statement with wider
 * and wider types until they stay.
 */
public final class RecursiveTypes {
  static final RecursiveTypes NONE = new RecursiveTypes(List.of(), List.of());

  /** Each round widens a column; a decimal widens at most 38 times, and pulls others along. */
  private static final int ROUNDS_MAX = 1000;

  private final List<SqlWithItem> queries;

  /** The row types, null for that of the seed. */
  private final List<@Nullable RelDataType> types;

  /** The seeds as the validator met them. */
  private final @Nullable Seed[] seeds;

  /** The unions as the validator met them: copies where nodes below have a place each. */
  private final @Nullable SqlValidatorNamespace[] unions;

  private RecursiveTypes(List<SqlWithItem> queries, List<@Nullable RelDataType> types) {
    this.queries = queries;
    this.types = types;
    this.seeds = new Seed[queries.size()];
    this.unions = new SqlValidatorNamespace[queries.size()];
  }

  /** Those of a statement, whose copies are validated by new validators. */
  public static RecursiveTypes of(
      SqlNode statement, Function<RecursiveTypes, GpValidator> validators) {
    List<SqlWithItem> queries = RecursiveQueries.shaped(statement);
    if (queries.isEmpty()) {
      return NONE;
    }
    List<@Nullable RelDataType> types = Collections.nCopies(queries.size(), null);
    for (int round = 0; round < ROUNDS_MAX; round++) {
      SqlNode copy = OwnNodes.copy(statement);
      RecursiveTypes tried = new RecursiveTypes(RecursiveQueries.in(copy), types);
      GpValidator validator = validators.apply(tried);
      validator.validate(copy);
      List<@Nullable RelDataType> wider = tried.widened(validator, round > 0);
      if (wider.equals(types)) {
        return new RecursiveTypes(queries, types);
      }
      types = wider;
    }
    throw new GpdbException(
        ErrorCode.NOT_SUPPORTED,
        "a recursive query whose types still widen after " + ROUNDS_MAX + " rounds");
  }

  /** The namespace of a query: where it is the seed of a recursion, with the recursion's types. */
  SqlValidatorNamespace namespace(SqlValidatorNamespace own) {
    for (int i = 0; i < seeds.length; i++) {
      SqlCall union = RecursiveQueries.union(queries.get(i));
      if (union != null && isCopy(own.getNode(), union)) {
        unions[i] = own;
      }
      if (union != null && union.operand(0).equals(own.getNode())) {
        Seed seed = new Seed(own, types.get(i));
        seeds[i] = seed;
        return seed;
      }
    }
    return own;
  }

  private static boolean isCopy(@Nullable SqlNode node, SqlCall union) {
    return node instanceof SqlCall call
        && call.getKind() == SqlKind.UNION
        && call.operand(0).equals(union.operand(0));
  }

  private List<@Nullable RelDataType> widened(GpValidator validator, boolean again) {
    List<@Nullable RelDataType> wider = new ArrayList<>();
    for (int i = 0; i < seeds.length; i++) {
      SqlCall union = RecursiveQueries.union(queries.get(i));
      Seed seed = seeds[i];
      RelDataType table = seed == null ? null : seed.first();
      if (union == null || table == null) {
        wider.add(null);
        continue;
      }
      SqlValidatorNamespace whole = unions[i];
      RelDataType rows = whole == null ? validator.getValidatedNodeType(union) : whole.getRowType();
      wider.add(
          !areEqual(table, rows)
              ? wider(table, rows, again)
              : types(rows).stream().anyMatch(SqlTypeUtil::isNull)
                  ? withoutNull(rows)
                  : types.get(i));
    }
    return wider;
  }

  private static boolean areEqual(RelDataType a, RelDataType b) {
    return types(a).equals(types(b));
  }

  private static List<RelDataType> types(RelDataType row) {
    return row.getFieldList().stream().map(RelDataTypeField::getType).toList();
  }

  /** A column in which every member has NULL is one of strings, as in any other query. */
  private static RelDataType withoutNull(RelDataType rows) {
    RelDataTypeFactory.Builder row = GpTypes.FACTORY.builder();
    for (RelDataTypeField field : rows.getFieldList()) {
      RelDataType type = field.getType();
      row.add(
          field.getName(),
          SqlTypeUtil.isNull(type) ? GpTypes.relType(SqlTypeSpec.VARCHAR, true) : type);
    }
    return row.build();
  }

  /** A string that widens for the second time may do so for ever. */
  private static RelDataType wider(RelDataType narrow, RelDataType rows, boolean again) {
    RelDataTypeFactory.Builder row = GpTypes.FACTORY.builder();
    for (int i = 0; i < rows.getFieldCount(); i++) {
      RelDataTypeField field = rows.getFieldList().get(i);
      RelDataType before = narrow.getFieldList().get(i).getType();
      RelDataType type = field.getType();
      row.add(field.getName(), again && !type.equals(before) ? longest(type) : type);
    }
    return row.build();
  }

  private static RelDataType longest(RelDataType type) {
    SqlTypeSpec longest =
        SqlTypeUtil.isCharacter(type)
            ? SqlTypeSpec.VARCHAR
            : SqlTypeUtil.isBinary(type) ? SqlTypeSpec.VARBINARY : null;
    return longest == null ? type : GpTypes.relType(longest, type.isNullable());
  }

  /** A seed whose rows are taken for wider ones; the conversion casts them. */
  private static final class Seed extends DelegatingNamespace {
    private @Nullable RelDataType wider;
    private @Nullable RelDataType first;

    Seed(SqlValidatorNamespace seed, @Nullable RelDataType wider) {
      super(seed);
      this.wider = wider;
    }

    /** The type that the step saw; the union may coerce the seed to another later. */
    @Nullable RelDataType first() {
      return first;
    }

    @Override
    public RelDataType getRowType() {
      RelDataType row = wider == null ? namespace.getRowType() : wider;
      if (first == null) {
        first = row;
      }
      return row;
    }

    @Override
    public void setType(RelDataType coerced) {
      super.setType(coerced);
      if (wider != null) {
        wider = coerced;
      }
    }

    @Override
    public RelDataType getRowTypeSansSystemColumns() {
      return getRowType();
    }

    @Override
    public RelDataType getType() {
      return getRowType();
    }

    @Override
    public SqlValidatorNamespace resolve() {
      return this;
    }

    @Override
    public boolean supportsModality(SqlModality modality) {
      return namespace.supportsModality(modality);
    }
  }
}
