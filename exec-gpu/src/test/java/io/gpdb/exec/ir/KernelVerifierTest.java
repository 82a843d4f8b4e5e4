package io.gpdb.exec.ir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.gpdb.exec.ir.InvalidKernel.Rule;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.ScalarParam;
import io.gpdb.exec.ir.Kernel.SharedArray;
import io.gpdb.exec.ir.Kernel.Space;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class KernelVerifierTest {
  private static final Reg I = new Reg(0, Type.I32);
  private static final Reg L = new Reg(1, Type.I64);
  private static final Reg F = new Reg(2, Type.F32);
  private static final Reg D = new Reg(3, Type.F64);
  private static final Reg P = new Reg(4, Type.PRED);
  private static final List<Op> DEFINED =
      List.of(
          new Op.Const(I, 1),
          new Op.Const(L, 1),
          new Op.Const(F, 0),
          new Op.Const(D, 0),
          new Op.Const(P, 1));

  private static Kernel kernel(int blockSize, Op... ops) {
    List<Op> body = new ArrayList<>(DEFINED);
    body.addAll(List.of(ops));
    List<BufferParam> buffers =
        List.of(
            new BufferParam("in", Element.I32, Space.DEVICE, Access.READ),
            new BufferParam("out", Element.I32, Space.DEVICE, Access.READ_WRITE),
            new BufferParam("bytes", Element.I8, Space.DEVICE, Access.READ_WRITE));
    return new Kernel(
        "k",
        blockSize,
        buffers,
        List.of(new ScalarParam("n", Type.I64)),
        List.of(new SharedArray("cells", Element.F64, 32)),
        body);
  }

  private static void assertBreaks(Rule rule, Op... ops) {
    assertBreaks(rule, kernel(64, ops));
  }

  private static void assertBreaks(Rule rule, Kernel kernel) {
    InvalidKernel broken =
        catchThrowableOfType(InvalidKernel.class, () -> KernelVerifier.verify(kernel));
    assertThat(broken).as(rule + " is broken by " + kernel.body()).isNotNull();
    assertThat(broken.rule()).as(broken.getMessage()).isEqualTo(rule);
    assertThat(broken).hasMessageContaining("kernel " + kernel.name());
  }

  @Test
  void operandTypesMustFit() {
    assertBreaks(Rule.OPERAND_TYPE, new Op.Move(I, L));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Scalar(I, 0));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Special(L, Op.SpecialKind.THREAD));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Unary(I, Op.UnaryOp.SQRT, I));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Unary(F, Op.UnaryOp.POPC, F));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Unary(L, Op.UnaryOp.BITCAST, F));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Unary(P, Op.UnaryOp.NEG, P));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Binary(I, Op.BinaryOp.ADD, I, L));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Binary(D, Op.BinaryOp.REM, D, D));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Binary(D, Op.BinaryOp.XOR, D, D));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Binary(L, Op.BinaryOp.SHL, L, I));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Overflow(P, Op.OverflowOp.ADD, F, F));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Compare(P, Op.CompareOp.LT, P, P));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Compare(P, Op.CompareOp.ULT, D, D));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Compare(I, Op.CompareOp.EQ, I, I));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Select(I, I, I, I));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Convert(I, I));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Convert(P, I));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Convert(D, P));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Load(L, 0, I));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Load(I, 0, F));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Store(1, I, L));
    assertBreaks(Rule.OPERAND_TYPE, new Op.StoreShared(0, I, F));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Atomic(I, Op.AtomicOp.ADD, 2, I, I, null));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Shuffle(P, Op.ShuffleKind.IDX, P, I));
    assertBreaks(Rule.OPERAND_TYPE, new Op.WarpReduce(F, Op.ReduceOp.AND, F));
    assertBreaks(Rule.OPERAND_TYPE, new Op.BlockRank(L, P));
    assertBreaks(Rule.OPERAND_TYPE, new Op.LogAppend(1, I, I, List.of(I)));
    assertBreaks(Rule.OPERAND_TYPE, new Op.LogAppend(2, L, I, List.of(I)));
    assertBreaks(Rule.OPERAND_TYPE, new Op.Trap(P, 1, D));
    assertBreaks(Rule.OPERAND_TYPE, new Op.If(I, List.of(), List.of()));
  }

  @Test
  void whatIsNamedMustExistAndMayBeWritten() {
    assertBreaks(Rule.REFERENCE, new Op.Load(I, 3, I));
    assertBreaks(Rule.REFERENCE, new Op.Scalar(L, 1));
    assertBreaks(Rule.REFERENCE, new Op.LoadShared(D, -1, I));
    assertBreaks(Rule.ACCESS, new Op.Store(0, I, I));
    assertBreaks(Rule.ACCESS, new Op.Atomic(null, Op.AtomicOp.ADD, 0, I, I, null));
    assertBreaks(Rule.ATOMIC_OPERANDS, new Op.Atomic(I, Op.AtomicOp.CAS, 1, I, I, null));
    assertBreaks(Rule.ATOMIC_OPERANDS, new Op.Atomic(I, Op.AtomicOp.ADD, 1, I, I, I));
    assertBreaks(Rule.TRAP_CODE, new Op.Trap(P, 0, I));
    assertBreaks(Rule.TRAP_CODE, new Op.Trap(P, Op.TRAP_CODE_MAX + 1, I));
    assertBreaks(Rule.CONSTANT, new Op.Const(I, 1L << 31));
    assertBreaks(Rule.CONSTANT, new Op.Const(P, 2));
    assertBreaks(Rule.LOG_LIMIT, new Op.LogAppend(1, L, I, List.of()));
  }

  @Test
  void aRegisterHasOneType() {
    assertBreaks(Rule.REGISTER_TYPE, new Op.Const(new Reg(0, Type.I64), 1));
    assertBreaks(Rule.REGISTER_LIMIT, new Op.Const(new Reg(-1, Type.I64), 1));
    assertBreaks(
        Rule.REGISTER_LIMIT, new Op.Const(new Reg(KernelLimits.REGISTERS_MAX, Type.I64), 1));
  }

  @Test
  void everyReadNeedsAWriteOnAllWays() {
    Reg fresh = new Reg(9, Type.I32);
    Op write = new Op.Const(fresh, 5);
    Op read = new Op.Store(1, I, fresh);
    assertBreaks(Rule.UNDEFINED_REGISTER, read);
    assertBreaks(Rule.UNDEFINED_REGISTER, new Op.If(P, List.of(write), List.of()), read);
    assertBreaks(Rule.UNDEFINED_REGISTER, new Op.While(List.of(), P, List.of(write)), read);
    assertBreaks(Rule.UNDEFINED_REGISTER, new Op.While(List.of(read), P, List.of(write)));
    KernelVerifier.verify(kernel(64, new Op.If(P, List.of(write), List.of(write)), read));
    KernelVerifier.verify(kernel(64, new Op.While(List.of(write), P, List.of(read)), read));
  }

  @Test
  void blockOperationsNeedUniformControlFlow() {
    Reg varying = new Reg(10, Type.PRED);
    Op compare = new Op.Compare(varying, Op.CompareOp.LT, new Reg(11, Type.I32), I);
    Op thread = new Op.Special(new Reg(11, Type.I32), Op.SpecialKind.THREAD);
    List<Op> blockOperations =
        List.of(
            new Op.Barrier(),
            new Op.BlockRank(I, P),
            new Op.BlockReduce(D, Op.ReduceOp.ADD, D),
            new Op.Persist(Op.PersistScope.WORKGROUP),
            new Op.Persist(Op.PersistScope.KERNEL));
    for (Op op : blockOperations) {
      assertBreaks(Rule.NOT_UNIFORM, thread, compare, new Op.If(varying, List.of(op), List.of()));
      assertBreaks(Rule.NOT_UNIFORM, thread, compare, new Op.If(varying, List.of(), List.of(op)));
      assertBreaks(
          Rule.NOT_UNIFORM, thread, compare, new Op.While(List.of(op), varying, List.of()));
      KernelVerifier.verify(kernel(64, new Op.If(P, List.of(op), List.of())));
    }
    Op warpLocal = new Op.Persist(Op.PersistScope.WORKITEM);
    KernelVerifier.verify(
        kernel(64, thread, compare, new Op.If(varying, List.of(warpLocal), List.of())));
  }

  @Test
  void aRegisterWrittenUnderAVaryingConditionVaries() {
    assertNotUniform(b -> b.lt(b.thread(), 5));
    assertNotUniform(
        b -> {
          Reg p = b.variable(b.pred(false));
          b.ifThen(b.lt(b.thread(), 5), () -> b.set(p, b.pred(true)));
          return p;
        });
    assertNotUniform(b -> b.eq(b.warpReduce(Op.ReduceOp.ADD, b.i32(1)), 32));
    assertNotUniform(b -> b.eq(b.load(b.output("shared_with_others", Element.I32), b.i32(0)), 1));
    assertUniform(b -> b.eq(b.blockReduce(Op.ReduceOp.ADD, b.thread()), 32));
    assertUniform(b -> b.lt(b.block(), b.scalar("limit", Type.I32)));
    assertUniform(b -> b.eq(b.load(b.input("lookup", Element.I32), b.block()), 1));
  }

  private static void assertUniform(Function<KernelBuilder, Reg> condition) {
    KernelBuilder b = new KernelBuilder("uniform");
    b.ifThen(condition.apply(b), b::barrier);
    b.build();
  }

  private static void assertNotUniform(Function<KernelBuilder, Reg> condition) {
    InvalidKernel broken =
        catchThrowableOfType(InvalidKernel.class, () -> assertUniform(condition));
    assertThat(broken.rule()).isEqualTo(Rule.NOT_UNIFORM);
  }

  @Test
  void limitsHaveNames() {
    assertBreaks(Rule.BLOCK_SIZE, kernel(0));
    assertBreaks(Rule.BLOCK_SIZE, kernel(48));
    assertBreaks(Rule.BLOCK_SIZE, kernel(2048));
    assertBreaks(Rule.NAME, head("1st", List.of(), List.of()));
    assertBreaks(Rule.NAME, head("a".repeat(129), List.of(), List.of()));
    BufferParam twice = new BufferParam("b", Element.I8, Space.HOST, Access.READ);
    assertBreaks(Rule.NAME, head("k", List.of(twice, twice), List.of()));
    List<BufferParam> many = new ArrayList<>();
    for (int i = 0; i <= KernelLimits.PARAMETER_BYTES_MAX / 16; i++) {
      many.add(new BufferParam("b" + i, Element.I8, Space.HOST, Access.READ));
    }
    assertBreaks(Rule.PARAMETER_LIMIT, head("k", many, List.of()));
    assertBreaks(
        Rule.SHARED_LIMIT, head("k", List.of(), List.of(new SharedArray("s", Element.I64, 6017))));
    assertBreaks(
        Rule.SHARED_LIMIT, head("k", List.of(), List.of(new SharedArray("s", Element.I8, 0))));
    List<Op> nested = List.of();
    for (int i = 0; i <= KernelLimits.NESTING_MAX; i++) {
      nested = List.of(new Op.If(P, nested, List.of()));
    }
    assertBreaks(Rule.NESTING_LIMIT, nested.getFirst());
    Op[] tooMany = new Op[KernelLimits.OPERATIONS_MAX];
    Arrays.fill(tooMany, new Op.Barrier());
    assertBreaks(Rule.OPERATION_LIMIT, tooMany);
  }

  private static Kernel head(String name, List<BufferParam> buffers, List<SharedArray> shared) {
    return new Kernel(name, 32, buffers, List.of(), shared, List.of());
  }

  @Test
  void theMessageGivesTheOperationsPlace() {
    Op wrong = new Op.Load(I, 3, I);
    Kernel kernel = kernel(64, new Op.While(List.of(), P, List.of(new Op.Barrier(), wrong)));
    InvalidKernel broken =
        catchThrowableOfType(InvalidKernel.class, () -> KernelVerifier.verify(kernel));
    assertThat(broken).hasMessage("kernel k, body[5].body[1]: REFERENCE: buffer=3, count=3");
  }

  @Test
  void theBuilderVerifies() {
    Consumer<KernelBuilder> wrong = b -> b.trap(b.pred(true), -1, b.i32(0));
    KernelBuilder b = new KernelBuilder("k");
    wrong.accept(b);
    assertThat(catchThrowableOfType(InvalidKernel.class, b::build).rule())
        .isEqualTo(Rule.TRAP_CODE);
  }
}
