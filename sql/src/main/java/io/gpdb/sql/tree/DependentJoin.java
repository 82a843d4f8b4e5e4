package io.gpdb.sql.tree;

import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;

/**
 * Joins each row of the input with the rows of a query that reads values of it: LATERAL. The query
 * is a tree of its own, without correlation: fields of the row are bound to its parameters.
 */
public final class DependentJoin extends SingleRel {
  private final RelNode query;
  private final List<Integer> fields;
  private final List<Integer> parameters;
  private final List<Integer> outer;
  private final boolean keepsEveryRow;

  DependentJoin(
      RelNode input,
      RelNode query,
      List<Integer> fields,
      List<Integer> parameters,
      List<Integer> outer,
      boolean keepsEveryRow,
      RelDataType type) {
    super(input.getCluster(), input.getTraitSet(), input);
    this.query = query;
    this.fields = List.copyOf(fields);
    this.parameters = List.copyOf(parameters);
    this.outer = List.copyOf(outer);
    this.keepsEveryRow = keepsEveryRow;
    this.rowType = type;
  }

  /** The same join with its query rewritten. */
  public DependentJoin rewritten(UnaryOperator<RelNode> rewriting) {
    return new DependentJoin(
        getInput(), rewriting.apply(query), fields, parameters, outer, keepsEveryRow, rowType);
  }

  public RelNode query() {
    return query;
  }

  /** Fields of the input that the query reads. */
  public List<Integer> fields() {
    return fields;
  }

  /** The parameter of the query that each of those fields is bound to. */
  public List<Integer> parameters() {
    return parameters;
  }

  /** Parameters of enclosing subqueries that the query reads, besides those of the fields. */
  public List<Integer> outer() {
    return outer;
  }

  /** Whether a row without any row of the query comes out once, with NULLs. */
  public boolean keepsEveryRow() {
    return keepsEveryRow;
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new DependentJoin(
        inputs.getFirst(), query, fields, parameters, outer, keepsEveryRow, rowType);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("fields", fields)
        .item("parameters", parameters)
        .item("outer", keepsEveryRow);
  }
}
