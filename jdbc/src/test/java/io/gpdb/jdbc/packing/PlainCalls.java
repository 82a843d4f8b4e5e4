package io.gpdb.jdbc.packing;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.constantpool.InvokeDynamicEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.StreamSupport;

/**
 * Replaces dynamic calls, which the JVM links by classes that it makes at run time, by calls of
 * classes and methods that are there: a lambda becomes a class of its own in the nest of its class,
 * a switch over types and a record's own methods become static methods of their class.
 *
 * <p>Serializable lambdas, switches over qualified constants, and classes whose attributes cannot
 * be read stay as they are.
 */
final class PlainCalls {
  /** The first version of class files that has nests. */
  static final int NEST_VERSION = ClassFile.JAVA_11_VERSION;

  /** A class without its dynamic calls, the classes made for it, and the nest that they join. */
  record Rewritten(byte[] bytes, Map<ClassDesc, byte[]> made, ClassDesc nestHost) {}

  private final ClassFile files;

  PlainCalls(ClassHierarchyResolver hierarchy) {
    files =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(hierarchy),
            ClassFile.ConstantPoolSharingOption.NEW_POOL);
  }

  Rewritten of(byte[] bytes) {
    ClassModel model = files.parse(bytes);
    ClassDesc self = model.thisClass().asSymbol();
    ClassDesc host =
        model
            .findAttribute(Attributes.nestHost())
            .map(NestHostAttribute::nestHost)
            .map(entry -> entry.asSymbol())
            .orElse(self);
    boolean isDynamic =
        StreamSupport.stream(model.constantPool().spliterator(), false)
            .anyMatch(entry -> entry instanceof InvokeDynamicEntry);
    if (isDynamic) {
      Rewriting rewriting = new Rewriting(model, self, host);
      try {
        byte[] rewritten = files.transformClass(model, rewriting.transform());
        return new Rewritten(rewritten, rewriting.made, host);
      } catch (IllegalArgumentException _) {
        // Its attributes do not fit its code.
      }
    }
    return new Rewritten(bytes, Map.of(), host);
  }

  /** Adds members to the nest of a class. */
  byte[] withNest(byte[] bytes, List<ClassDesc> members) {
    ClassModel model = files.parse(bytes);
    List<ClassDesc> all = new ArrayList<>();
    model
        .findAttribute(Attributes.nestMembers())
        .ifPresent(nest -> nest.nestMembers().forEach(entry -> all.add(entry.asSymbol())));
    all.addAll(members);
    int version = Math.max(model.majorVersion(), NEST_VERSION);
    return files.transformClass(
        model,
        ClassTransform.dropping(
                e -> e instanceof NestMembersAttribute || e instanceof ClassFileVersion)
            .andThen(
                ClassTransform.endHandler(
                    builder ->
                        builder
                            .withVersion(version, 0)
                            .with(NestMembersAttribute.ofSymbols(all)))));
  }

  /** One class on its way. */
  private static final class Rewriting {
    private final ClassModel model;
    private final ClassDesc self;
    private final ClassDesc host;
    private final Map<ClassDesc, byte[]> made = new LinkedHashMap<>();
    private final List<Consumer<ClassBuilder>> methods = new ArrayList<>();

    Rewriting(ClassModel model, ClassDesc self, ClassDesc host) {
      this.model = model;
      this.self = self;
      this.host = host;
    }

    ClassTransform transform() {
      CodeTransform code = this::copy;
      return ClassTransform.transformingMethodBodies(code)
          .andThen(
              ClassTransform.endHandler(
                  builder -> methods.forEach(method -> method.accept(builder))));
    }

    private void copy(CodeBuilder code, CodeElement element) {
      if (!(element instanceof InvokeDynamicInstruction call) || !isReplaced(code, call)) {
        code.with(element);
      }
    }

    private boolean isReplaced(CodeBuilder code, InvokeDynamicInstruction call) {
      return switch (call.bootstrapMethod().owner().displayName()) {
        case "LambdaMetafactory" -> isLambdaReplaced(code, call);
        case "SwitchBootstraps" -> SwitchMethod.isCovered(call) && replace(code, call, "switch$");
        case "ObjectMethods" -> replace(code, call, "record$");
        default -> false;
      };
    }

    private boolean isLambdaReplaced(CodeBuilder code, InvokeDynamicInstruction call) {
      LambdaClass lambda = LambdaClass.of(call);
      if (lambda == null) {
        return false;
      }
      String name = self.displayName() + "$$" + made.size();
      ClassDesc type = ClassDesc.of(self.packageName(), name);
      made.put(type, lambda.bytes(type, host, Math.max(model.majorVersion(), NEST_VERSION)));
      code.invokestatic(type, LambdaClass.FACTORY, call.typeSymbol());
      return true;
    }

    private boolean replace(CodeBuilder code, InvokeDynamicInstruction call, String prefix) {
      String name = prefix + methods.size();
      MethodTypeDesc type = call.typeSymbol();
      Consumer<CodeBuilder> body =
          prefix.startsWith("switch") ? SwitchMethod.body(call) : RecordMethod.body(call);
      methods.add(
          builder ->
              builder.withMethodBody(
                  name,
                  type,
                  ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
                  body));
      code.invokestatic(self, name, type, model.flags().has(AccessFlag.INTERFACE));
      return true;
    }
  }
}
