package io.gpdb.simulation.recorded;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Loads the classes of gpDB anew, one of them with a mistake made in its class file. Apart from the
 * mistake, the code itself runs.
 */
public final class Mutants extends ClassLoader {
  private static final String PACKAGE = "io.gpdb.";

  private final String mutated;
  private final ClassTransform mistake;
  private int made;

  private Mutants(ClassLoader parent, String mutated, String method, Mistake mistake) {
    super(parent);
    this.mutated = mutated;
    this.mistake =
        ClassTransform.transformingMethodBodies(
            (MethodModel m) -> m.methodName().equalsString(method), mistake.transform(this::made));
  }

  /** A change of one method's code. */
  public interface Mistake {
    /** Makes the change, and runs {@code made} at each place. */
    CodeTransform transform(Runnable made);
  }

  private void made() {
    made++;
  }

  /** Loads the class that is to be run, with the mistake in {@code method} of another. */
  public static Class<?> load(String run, String mutated, String method, Mistake mistake)
      throws ClassNotFoundException {
    Mutants loader = new Mutants(Mutants.class.getClassLoader(), mutated, method, mistake);
    loader.loadClass(mutated);
    if (loader.made == 0) {
      throw new IllegalStateException("no such place: " + mutated + "." + method);
    }
    return loader.loadClass(run);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PACKAGE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String resource = name.replace('.', '/') + ".class";
    try (InputStream in = Objects.requireNonNull(getParent()).getResourceAsStream(resource)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      if (name.equals(mutated)) {
        ClassFile files = ClassFile.of();
        bytes = files.transformClass(files.parse(bytes), mistake);
      }
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /**
   * Leaves calls out.
   *
   * @param arguments what is done instead, from left to right: 1 and 2 drop a word or two of the
   *     call's arguments, J is a result of zero, M one of the greatest long
   */
  public static Mistake withoutCall(Predicate<InvokeInstruction> which, String arguments) {
    return made ->
        (code, element) -> {
          if (element instanceof InvokeInstruction call && which.test(call)) {
            made.run();
            for (int i = 0; i < arguments.length(); i++) {
              drop(code, arguments.charAt(i));
            }
          } else {
            code.with(element);
          }
        };
  }

  private static void drop(CodeBuilder code, char slot) {
    switch (slot) {
      case '1' -> code.pop();
      case '2' -> code.pop2();
      case 'J' -> code.lconst_0();
      default -> code.loadConstant(Long.MAX_VALUE);
    }
  }
}
