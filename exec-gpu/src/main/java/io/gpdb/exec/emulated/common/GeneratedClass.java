package io.gpdb.exec.emulated.common;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.Collections;
import java.util.function.Consumer;

/** Makes hidden classes that extend one class or interface and have no fields of their own. */
public final class GeneratedClass {
  private GeneratedClass() {}

  /**
   * The class file.
   *
   * @param parent an interface, or a class whose constructor takes {@code ints} ints
   * @param methods adds the methods of the parent
   */
  public static byte[] bytes(
      ClassDesc self, Class<?> parent, int ints, Consumer<ClassBuilder> methods) {
    ClassDesc described = ClassDesc.ofDescriptor(parent.descriptorString());
    ClassDesc extended = parent.isInterface() ? ConstantDescs.CD_Object : described;
    MethodTypeDesc constructor = MethodTypeDesc.of(CD_void, Collections.nCopies(ints, CD_int));
    return ClassFile.of()
        .build(
            self,
            builder -> {
              builder.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
              builder.withSuperclass(extended);
              if (parent.isInterface()) {
                builder.withInterfaceSymbols(described);
              }
              builder.withMethodBody(
                  ConstantDescs.INIT_NAME,
                  constructor,
                  ClassFile.ACC_PUBLIC,
                  code -> construct(code, extended, constructor));
              methods.accept(builder);
            });
  }

  private static void construct(CodeBuilder code, ClassDesc parent, MethodTypeDesc constructor) {
    code.aload(0);
    for (int i = 1; i <= constructor.parameterCount(); i++) {
      code.iload(i);
    }
    code.invokespecial(parent, ConstantDescs.INIT_NAME, constructor).return_();
  }

  /** Defines the class in the caller's package; the constructor returns Object. */
  public static MethodHandle define(Lookup caller, byte[] bytes, int ints) {
    MethodType type = MethodType.methodType(void.class, Collections.nCopies(ints, int.class));
    try {
      Lookup hidden = caller.defineHiddenClass(bytes, true);
      return hidden
          .findConstructor(hidden.lookupClass(), type)
          .asType(type.changeReturnType(Object.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("generated class not defined", e);
    }
  }

  /** An object made by a constructor that {@link #define} returned. */
  public static Object make(MethodHandle constructor, int... ints) {
    try {
      return ints.length == 0
          ? constructor.invokeExact()
          : constructor.invokeExact(ints[0], ints[1], ints[2]);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("generated class not instantiated", e);
    }
  }
}
