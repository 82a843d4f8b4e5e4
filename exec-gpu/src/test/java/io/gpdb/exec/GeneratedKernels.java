package io.gpdb.exec;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Kernel.Space;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Makes valid kernels at random, the same for the same seed, whose results depend on no order of
 * lanes:
 *
 * <ul>
 *   <li>plain stores go to elements of the lane's own (index GLOBAL + k times the grid's lanes);
 *   <li>atomics on common elements commute, and their old values are not used;
 *   <li>shared arrays are written and read in phases with barriers between.
 * </ul>
 *
 * Some kernels trap: on purpose, by an index out of range or by a division by zero.
 */
public final class GeneratedKernels {
  static final int OUT_SLOTS = 4;
  static final int SHARED_PER_LANE = 1;

  private static final int[] BLOCK_SIZES = {32, 64, 64, 96, 128, 256, 1024};

  private final Random random;
  private final KernelBuilder b;
  private final int blocks;
  private final int gridLanes;
  private final boolean mayTrap;

  private GeneratedKernels(long seed) {
    random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
    int blockSize = BLOCK_SIZES[random.nextInt(BLOCK_SIZES.length)];
    blocks = blockSize >= 256 ? 1 : 1 + random.nextInt(3);
    gridLanes = blocks * blockSize;
    mayTrap = random.nextInt(3) == 0;
    b = new KernelBuilder("generated_" + Long.toUnsignedString(seed)).blockSize(blockSize);
  }

  public static GeneratedKernel fromSeed(long seed) {
    return new GeneratedKernels(seed).generate(seed);
  }

  private GeneratedKernel generate(long seed) {
    List<byte[]> contents = new ArrayList<>();
    GeneratedMemory memory = new GeneratedMemory();
    for (Element element : Element.values()) {
      int length = 1 + random.nextInt(2 * gridLanes);
      memory.inputs.add(b.input("in_" + lower(element), element));
      memory.inputLengths.add(length);
      contents.add(values(element, length));
    }
    for (Element element : Element.values()) {
      Space space = random.nextInt(3) == 0 ? Space.PERSISTENT : Space.DEVICE;
      memory.outputs.add(
          b.buffer(new BufferParam("out_" + lower(element), element, space, Access.READ_WRITE)));
      int cut = mayTrap && random.nextInt(8) == 0 ? random.nextInt(gridLanes) : 0;
      contents.add(values(element, OUT_SLOTS * gridLanes - cut));
    }
    for (Element element : List.of(Element.I32, Element.I64)) {
      memory.common.add(b.output("common_" + lower(element), element));
      contents.add(values(element, GeneratedMemory.COMMON_ELEMENTS));
      memory.own.add(b.output("own_" + lower(element), element));
      contents.add(values(element, gridLanes));
    }
    memory.log = b.buffer(new BufferParam("log", Element.I32, Space.PERSISTENT, Access.READ_WRITE));
    int logWords = GeneratedMemory.LOGS * GeneratedMemory.LOG_WORDS_MAX * gridLanes;
    contents.add(values(Element.I32, mayTrap && random.nextInt(4) == 0 ? logWords / 2 : logWords));
    for (Element element : Element.values()) {
      int size = b.blockSize() * SHARED_PER_LANE;
      memory.shared.add(b.shared("shared_" + lower(element), element, size));
    }
    memory.sharedCommon.add(b.shared("tally_i32", Element.I32, GeneratedMemory.COMMON_ELEMENTS));
    memory.sharedCommon.add(b.shared("tally_i64", Element.I64, GeneratedMemory.COMMON_ELEMENTS));

    List<Long> scalars = new ArrayList<>();
    GeneratedBody body = new GeneratedBody(b, random, memory, gridLanes, mayTrap);
    for (Type type : Type.values()) {
      Reg scalar = b.scalar("scalar_" + type.text(), type);
      body.addUniform(scalar);
      scalars.add(bits(type));
    }
    body.write();
    Kernel kernel = b.build();
    return new GeneratedKernel(
        seed, kernel, blocks, contents, scalars.stream().mapToLong(Long::longValue).toArray());
  }

  private static String lower(Element element) {
    return element.name().toLowerCase(Locale.ROOT);
  }

  private byte[] values(Element element, int length) {
    return GeneratedValues.contents(random, element, length);
  }

  private long bits(Type type) {
    return GeneratedValues.bits(random, type);
  }
}
