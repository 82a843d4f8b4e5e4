package io.gpdb.exec.ir;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;

/**
 * A kernel that breaks a rule of the language: a mistake of its author, or ({@link
 * Rule#isLimitOfSize}) a statement that needs more than one kernel may hold.
 */
public final class InvalidKernel extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Rule rule;

  public InvalidKernel(Rule rule, String kernel, String place, String message) {
    super("kernel " + kernel + ", " + place + ": " + rule + ": " + message);
    this.rule = rule;
  }

  public Rule rule() {
    return rule;
  }

  /**
   * The error that a user sees: the statement is too large, or this exception itself, which is a
   * mistake of ours.
   */
  RuntimeException ofStatement() {
    return rule.isLimitOfSize()
        ? new GpdbException(
            ErrorCode.LIMIT_EXCEEDED,
            "an expression of the statement is too large for a kernel: " + getMessage(),
            this)
        : this;
  }

  /** What a kernel must hold. docs/internals/kernel-language.md explains each. */
  public enum Rule {
    /** The text is not in the grammar (parser only). */
    SYNTAX,
    /** Names are identifiers, at most {@link KernelLimits#NAME_CHARACTERS_MAX} long, unique. */
    NAME,
    /** A multiple of 32 from 32 to {@link KernelLimits#BLOCK_LANES_MAX}. */
    BLOCK_SIZE,
    /** Buffers and scalars fit {@link KernelLimits#PARAMETER_BYTES_MAX}. */
    PARAMETER_LIMIT,
    /** Shared arrays have an element and fit {@link KernelLimits#SHARED_BYTES_MAX}. */
    SHARED_LIMIT,
    /** Register numbers are 0 to {@link KernelLimits#REGISTERS_MAX} - 1. */
    REGISTER_LIMIT,
    /** At most {@link KernelLimits#OPERATIONS_MAX} operations. */
    OPERATION_LIMIT,
    /** At most {@link KernelLimits#NESTING_MAX} lists inside each other. */
    NESTING_LIMIT,
    /** A log entry has 1 to {@link KernelLimits#LOG_WORDS_MAX} words. */
    LOG_LIMIT,
    /** A register number has one type. */
    REGISTER_TYPE,
    /** The operand types fit the operation. */
    OPERAND_TYPE,
    /** The constant fits its type. */
    CONSTANT,
    /** The buffer, scalar or shared array exists. */
    REFERENCE,
    /** Only READ_WRITE buffers are written. */
    ACCESS,
    /** CAS has a compare operand, the other atomics have none. */
    ATOMIC_OPERANDS,
    /** Trap codes are 1 to {@link Op#TRAP_CODE_MAX}. */
    TRAP_CODE,
    /** Every read register was written on every way to the read. */
    UNDEFINED_REGISTER,
    /** Block operations are allowed where every lane of the block takes part. */
    NOT_UNIFORM;

    /** Whether a kernel may break it only by being too large. */
    public boolean isLimitOfSize() {
      return switch (this) {
        case PARAMETER_LIMIT, REGISTER_LIMIT, OPERATION_LIMIT, NESTING_LIMIT -> true;
        case SYNTAX,
            NAME,
            BLOCK_SIZE,
            SHARED_LIMIT,
            LOG_LIMIT,
            REGISTER_TYPE,
            OPERAND_TYPE,
            CONSTANT,
            REFERENCE,
            ACCESS,
            ATOMIC_OPERANDS,
            TRAP_CODE,
            UNDEFINED_REGISTER,
            NOT_UNIFORM ->
            false;
      };
    }
  }
}
