package io.gpdb.planner.expression.compiler;

import static io.gpdb.planner.expression.compiler.ScalarFunction.lenient;
import static io.gpdb.planner.expression.compiler.ScalarFunction.strict;
import static io.gpdb.planner.function.MethodForm.method;
import static io.gpdb.planner.function.NumberCalls.operation;

import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.StatementTime;
import io.gpdb.planner.expression.host.HostCasts;
import io.gpdb.planner.expression.host.HostForm;
import io.gpdb.planner.expression.host.HostLogic;
import io.gpdb.planner.expression.host.SequenceForms;
import io.gpdb.planner.expression.kernel.ExpressionCompiler;
import io.gpdb.planner.expression.kernel.KernelArithmetic;
import io.gpdb.planner.expression.kernel.KernelCalls;
import io.gpdb.planner.expression.kernel.KernelCasts;
import io.gpdb.planner.expression.kernel.KernelComparisons;
import io.gpdb.planner.expression.kernel.KernelDates;
import io.gpdb.planner.expression.kernel.KernelForm;
import io.gpdb.planner.expression.kernel.KernelLogic;
import io.gpdb.planner.function.CastCalls;
import io.gpdb.planner.function.IntervalCalls;
import io.gpdb.planner.function.MethodForm;
import io.gpdb.planner.function.NumberCalls;
import io.gpdb.planner.function.TextCalls;
import io.gpdb.planner.function.TimeCalls;
import io.gpdb.sql.dialect.RandomValue;
import io.gpdb.sql.dialect.RequiredValue;
import io.gpdb.sql.dialect.SequenceFunction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSyntax;
import org.jspecify.annotations.Nullable;

/**
 * All functions and operators of expressions. The compilers of kernels and of the host look them up
 * here; which names and signatures there are says {@code GpOperatorTable}.
 */
public final class Functions {
  private static final String PREFIX = "prefix ";
  private static final Map<String, ScalarFunction> ALL = new LinkedHashMap<>();

  static {
    List<ScalarFunction> all = new ArrayList<>(logic());
    all.addAll(comparisons());
    all.addAll(choices());
    all.addAll(numbers());
    all.addAll(texts());
    all.addAll(times());
    all.addAll(sequences());
    for (ScalarFunction function : all) {
      ALL.put(function.name(), function);
    }
  }

  private Functions() {}

  public static Collection<ScalarFunction> all() {
    return ALL.values();
  }

  /** The function that is called; null for what is none, as a subquery. */
  public static @Nullable ScalarFunction of(RexCall call) {
    return of(call.getOperator());
  }

  public static @Nullable ScalarFunction of(SqlOperator operator) {
    String name = operator.getName();
    boolean sign = name.length() == 1 && operator.getSyntax() == SqlSyntax.PREFIX;
    return ALL.get(sign ? PREFIX + name : name);
  }

  private static List<ScalarFunction> logic() {
    return List.of(
        lenient("AND").kernel(KernelCalls::junction).host(HostLogic::and),
        lenient("OR").kernel(KernelCalls::junction).host(HostLogic::or),
        strict("NOT").kernel(KernelCalls::not).host(HostLogic::not),
        test(
            "IS NULL",
            KernelCalls.test((b, v) -> b.not(KernelLogic.presence(b, v))),
            v -> v == null),
        test("IS NOT NULL", KernelCalls.test(KernelLogic::presence), v -> v != null),
        test("IS TRUE", KernelCalls.test(KernelLogic::isTrue), HostValue::isTrue),
        test(
            "IS NOT TRUE",
            KernelCalls.test((b, v) -> b.not(KernelLogic.isTrue(b, v))),
            v -> !HostValue.isTrue(v)),
        test("IS FALSE", KernelCalls.test(KernelLogic::isFalse), Boolean.FALSE::equals),
        test(
            "IS NOT FALSE",
            KernelCalls.test((b, v) -> b.not(KernelLogic.isFalse(b, v))),
            v -> !Boolean.FALSE.equals(v)));
  }

  private static ScalarFunction test(String name, KernelForm kernel, HostLogic.Test holds) {
    return lenient(name).passing().kernel(kernel).host(HostLogic.test(holds));
  }

  private static List<ScalarFunction> comparisons() {
    return List.of(
        comparison(strict("="), HostLogic.comparison(c -> c == 0)),
        comparison(strict("<>"), HostLogic.comparison(c -> c != 0)),
        comparison(strict("<"), HostLogic.comparison(c -> c < 0)),
        comparison(strict("<="), HostLogic.comparison(c -> c <= 0)),
        comparison(strict(">"), HostLogic.comparison(c -> c > 0)),
        comparison(strict(">="), HostLogic.comparison(c -> c >= 0)),
        comparison(lenient("IS DISTINCT FROM"), HostLogic.distinction(true)),
        comparison(lenient("IS NOT DISTINCT FROM"), HostLogic.distinction(false)));
  }

  private static ScalarFunction comparison(ScalarFunction function, HostForm host) {
    return function.passing().kernel(KernelComparisons::compile).host(host);
  }

  /** What passes its arguments on, as they are or in another type. */
  private static List<ScalarFunction> choices() {
    return List.of(
        lenient("CASE").passing().kernel(KernelCalls::caseOf).host(HostLogic::caseOf),
        lenient("COALESCE").passing().kernel(KernelCalls::coalesce).host(HostLogic::coalesce),
        strict("GREATEST")
            .passing()
            .kernel(KernelCalls.extreme(CompareOp.GT))
            .host(HostLogic.extreme(c -> c > 0)),
        strict("LEAST")
            .passing()
            .kernel(KernelCalls.extreme(CompareOp.LT))
            .host(HostLogic.extreme(c -> c < 0)),
        lenient(RequiredValue.NAME).passing().raising().host(HostLogic::required),
        lenient("ROW").passing(),
        strict("ITEM").passing(),
        strict("CAST")
            .passing()
            .raising()
            .kernel(KernelCasts::compile)
            .host(HostCasts::compile)
            .methods(CastCalls::cast),
        strict("Reinterpret")
            .host((in, call) -> in.operands(call).getFirst())
            .methods(MethodForm.argument()),
        strict("$KEPT").kernel((in, call) -> in.operand(call, 0)).methods(MethodForm.argument()));
  }

  private static List<ScalarFunction> numbers() {
    List<ScalarFunction> all = new ArrayList<>();
    all.addAll(
        List.of(
            strict("+")
                .raising()
                .kernel(KernelArithmetic::sum)
                .methods(
                    operation("plus")
                        .or(TimeCalls::plus)
                        .or(IntervalCalls.ofIntervals("intervalPlus"))),
            strict("-")
                .raising()
                .kernel(KernelArithmetic::difference)
                .methods(
                    operation("minus")
                        .or(TimeCalls::minus)
                        .or(IntervalCalls.ofIntervals("intervalMinus"))),
            strict("*")
                .raising()
                .kernel(KernelArithmetic::product)
                .methods(operation("times").or(IntervalCalls::times)),
            strict("/")
                .raising()
                .kernel(KernelArithmetic::quotient)
                .methods(operation("divide").or(IntervalCalls::divided)),
            strict("MOD")
                .raising()
                .kernel(KernelArithmetic::remainder)
                .methods(operation("remainder")),
            strict("%")
                .raising()
                .kernel(KernelArithmetic::remainder)
                .methods(operation("remainder")),
            strict(PREFIX + "-")
                .raising()
                .kernel(KernelArithmetic::negated)
                .methods(operation("negate").or(IntervalCalls.ofIntervals("intervalNegated"))),
            strict(PREFIX + "+")
                .kernel((in, call) -> in.operand(call, 0))
                .methods(MethodForm.argument()),
            strict("ABS")
                .raising()
                .kernel(KernelArithmetic::absolute)
                .methods(operation("absolute").or(IntervalCalls.ofIntervals("intervalAbsolute"))),
            strict("LOG").raising().method("logarithm"),
            strict("WIDTH_BUCKET").raising().methods(NumberCalls::widthBucket),
            strict("SQRT").kernel(KernelArithmetic::root).methods(operation("squareRoot")),
            strict("ROUND").raising().methods(operation("round")),
            strict("SIGN").raising().methods(operation("sign")),
            strict("TRUNCATE").raising().methods(operation("truncate")),
            strict("FLOOR")
                .raising()
                .kernel(KernelArithmetic::floor)
                .methods(NumberCalls.rounded("floor").or(TimeCalls.rounded("Floor"))),
            strict("CEIL")
                .raising()
                .kernel(KernelArithmetic::ceil)
                .methods(NumberCalls.rounded("ceil").or(TimeCalls.rounded("Ceil")))));
    all.addAll(doubles());
    return all;
  }

  private static List<ScalarFunction> doubles() {
    return List.of(
        strict("ACOS").method("arcCosine"),
        strict("ASIN").method("arcSine"),
        strict("ATAN").method("arcTangent"),
        strict("ATAN2").method("arcTangent"),
        strict("BITAND").method("bitsOfBoth"),
        strict("BITOR").method("bitsOfEither"),
        strict("BITXOR").method("bitsOfOne"),
        strict("CBRT").method("cubeRoot"),
        strict("COS").method("cosine"),
        strict("COSH").method("hyperbolicCosine"),
        strict("COT").method("cotangent"),
        strict("DEGREES").method("degrees"),
        strict("EXP").method("exponential"),
        strict("GCD").raising().method("greatestDivisor"),
        strict("LCM").raising().method("leastMultiple"),
        strict("LN").raising().method("naturalLogarithm"),
        strict("LOG10").raising().method("commonLogarithm"),
        strict("PI").method("pi"),
        strict("POWER").method("power"),
        strict("RADIANS").method("radians"),
        strict("SIN").method("sine"),
        strict("SINH").method("hyperbolicSine"),
        strict("TAN").method("tangent"),
        strict("TANH").method("hyperbolicTangent"));
  }

  private static List<ScalarFunction> texts() {
    List<ScalarFunction> all = new ArrayList<>();
    all.addAll(
        List.of(
            strict("||").raising().methods(TextCalls::concatenated),
            strict("CONCAT").raising().methods(TextCalls::concatenated),
            strict("LIKE").raising().methods(TextCalls.like("like", false)),
            strict("NOT LIKE").raising().methods(TextCalls.like("like", true)),
            strict("ILIKE").raising().methods(TextCalls.like("likeInAnyCase", false)),
            strict("NOT ILIKE").raising().methods(TextCalls.like("likeInAnyCase", true)),
            strict("ASCII").method("first"),
            strict("CHAR_LENGTH").method("length"),
            strict("CHARACTER_LENGTH").method("length"),
            strict("LENGTH").method("length"),
            strict("CHAR").raising().method("character"),
            strict("CHR").raising().method("character"),
            strict("DIFFERENCE").method("soundexDifference"),
            strict("INITCAP").method("capitalized"),
            strict("LEFT").method("left"),
            strict("LOWER").method("lower"),
            strict("LPAD").raising().lengthening().method("lpad"),
            strict("LTRIM").methods(TextCalls.trimmedOf(true)),
            strict("OVERLAY").raising().methods(method("overlaid").or(method("octetsOverlaid"))),
            strict("POSITION").methods(method("position").or(method("octetPosition"))),
            strict("REGEXP_LIKE").raising().method("regexpLike"),
            strict("REGEXP_REPLACE").raising().lengthening().method("regexpReplace"),
            strict("REPEAT").raising().lengthening().method("repeat"),
            strict("REPLACE").raising().method("replace"),
            strict("REVERSE").method("reversed"),
            strict("RIGHT").method("right"),
            strict("RPAD").raising().lengthening().method("rpad"),
            strict("RTRIM").methods(TextCalls.trimmedOf(false)),
            strict("SOUNDEX").method("soundex"),
            strict("SPACE").raising().lengthening().method("spaces"),
            strict("STRPOS").method("positionIn"),
            strict("SUBSTR").raising().method("substring"),
            strict("SUBSTRING").raising().methods(method("substring").or(method("octetsFrom"))),
            strict("TRANSLATE3").method("translate"),
            strict("TRIM").raising().methods(TextCalls::trimmed),
            strict("UPPER").method("upper")));
    all.addAll(
        List.of(
            strict("BIT_LENGTH").methods(TextCalls.bytes(Byte.SIZE)),
            strict("OCTET_LENGTH").methods(TextCalls.bytes(1)),
            strict("SUBSTRING USING OCTETS").raising().method("textFrom"),
            strict("POSITION USING OCTETS").method("textPosition"),
            strict("OVERLAY USING OCTETS").raising().method("textOverlaid"),
            strict("HEX").raising().methods(method("hexOfText").or(method("hexOfBinary"))),
            strict("MD5").method("md5"),
            strict("NORMALIZE").raising().method("normalized"),
            strict("REGEXP_SUBSTR").raising().method("regexpSubstr"),
            strict("REGEXP_INSTR").raising().method("regexpInstr"),
            strict("REGEXP_COUNT").raising().method("regexpCount"),
            strict("SHA1").method("sha1"),
            strict("SHA256").method("sha256"),
            strict("SHA512").method("sha512"),
            strict("SPLIT_PART").raising().method("splitPart"),
            strict("TO_CHAR").raising().methods(TimeCalls::formatted),
            strict("TO_DATE").raising().method("toDate"),
            strict("TO_TIMESTAMP").raising().method("toTimestamp"),
            strict("SIMILAR TO").raising().methods(TextCalls.like("similar", false)),
            strict("NOT SIMILAR TO").raising().methods(TextCalls.like("similar", true))));
    return all;
  }

  /** What reads more than its arguments, and is computed on the host alone. */
  private static List<ScalarFunction> sequences() {
    return List.of(
        lenient(RandomValue.UUID).host(SequenceForms::randomUuid),
        lenient(RandomValue.SHARE).host(SequenceForms::randomShare),
        lenient(SequenceFunction.NEXT).host(SequenceForms::next),
        lenient(SequenceFunction.CURRENT).raising().host(SequenceForms::current),
        lenient(SequenceFunction.LAST).raising().host(SequenceForms::last));
  }

  private static List<ScalarFunction> times() {
    List<ScalarFunction> all = new ArrayList<>();
    for (String now : StatementTime.NAMES) {
      all.add(lenient(now).kernel(ExpressionCompiler::now).host(HostLogic::now));
    }
    for (String extract : List.of("EXTRACT", "$EXTRACT_WHOLE")) {
      all.add(strict(extract).raising().kernel(KernelDates::compile).methods(TimeCalls::extract));
    }
    all.add(strict("$AT_TIME_ZONE").raising().method("atTimeZone"));
    all.add(strict("LAST_DAY").methods(TimeCalls.ofInstant("lastDay")));
    all.add(strict("DAYNAME").methods(TimeCalls.ofInstant("dayName")));
    all.add(strict("MONTHNAME").methods(TimeCalls.ofInstant("monthName")));
    return all;
  }
}
