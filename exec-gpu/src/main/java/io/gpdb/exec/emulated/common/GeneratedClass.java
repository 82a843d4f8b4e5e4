package io.gpdb.exec.emulated.common;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.function.Consumer;

/** Makes hidden classes that implement one interface and have no state. */
public final class GeneratedClass {
  private GeneratedClass() {}

  /**
   * The class file.
   *
   * @param methods adds the methods of the interface
   */
  public static byte[] bytes(ClassDesc self, Class<?> api, Consumer<ClassBuilder> methods) {
    return ClassFile.of()
        .build(
            self,
            builder -> {
              builder.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SUPER);
              builder.withInterfaceSymbols(ClassDesc.ofDescriptor(api.descriptorString()));
              builder.withMethodBody(
                  ConstantDescs.INIT_NAME,
                  ConstantDescs.MTD_void,
                  ClassFile.ACC_PUBLIC,
                  code ->
                      code.aload(0)
                          .invokespecial(
                              ConstantDescs.CD_Object,
                              ConstantDescs.INIT_NAME,
                              ConstantDescs.MTD_void)
                          .return_());
              methods.accept(builder);
            });
  }

  /** Defines the class beside the caller's and makes an instance. */
  public static Object instance(Lookup caller, byte[] bytes) {
    try {
      Lookup hidden = caller.defineHiddenClass(bytes, true);
      return hidden
          .findConstructor(hidden.lookupClass(), MethodType.methodType(void.class))
          .asType(MethodType.methodType(Object.class))
          .invokeExact();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("generated class not made", e);
    }
  }
}
