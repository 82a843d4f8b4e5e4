package io.gpdb.sql.tree;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexDynamicParam;

/** A parameter that a value of an outer row is bound to; it has exactly the type of that value. */
public final class OuterParameter extends RexDynamicParam {
  OuterParameter(RelDataType type, int index) {
    super(type, index);
  }
}
