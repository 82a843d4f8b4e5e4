package io.gpdb.sql.tree;

import com.google.common.collect.ImmutableMultimap;
import com.google.common.collect.Multimap;
import java.lang.reflect.Method;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.Metadata;
import org.apache.calcite.rel.metadata.MetadataDef;
import org.apache.calcite.rel.metadata.MetadataHandler;
import org.apache.calcite.rel.metadata.MetadataHandlerProvider;
import org.apache.calcite.rel.metadata.RelMetadataProvider;
import org.apache.calcite.rel.metadata.UnboundMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A provider that knows nothing of any tree. In the packed driver Calcite gets this class in the
 * place of its {@code DefaultRelMetadataProvider} and its {@code JaninoRelMetadataProvider}. Each
 * of its clusters makes these although {@link RowFacts} answers instead, and they load more than a
 * thousand classes and link a compiler. So this has members of the same names and parameters.
 */
public final class NoMetadata implements RelMetadataProvider, MetadataHandlerProvider {
  /** Read by Calcite. */
  public static final NoMetadata INSTANCE = new NoMetadata();

  private NoMetadata() {}

  /** Called by Calcite. */
  @SuppressWarnings("unused") // the other provider, which is this one
  public static NoMetadata of(RelMetadataProvider provider) {
    return INSTANCE;
  }

  @Override
  public <H extends MetadataHandler<?>> @Nullable H handler(Class<H> handler) {
    return null;
  }

  @Deprecated
  @Override
  @SuppressWarnings("InlineMeSuggester") // Calcite's interface has it
  public <M extends Metadata> @Nullable UnboundMetadata<M> apply(
      Class<? extends RelNode> node, Class<? extends M> metadata) {
    return null;
  }

  @Deprecated
  @Override
  @SuppressWarnings("InlineMeSuggester") // Calcite's interface has it
  public <M extends Metadata> Multimap<Method, MetadataHandler<M>> handlers(MetadataDef<M> def) {
    return ImmutableMultimap.of();
  }

  @Override
  public List<MetadataHandler<?>> handlers(Class<? extends MetadataHandler<?>> handler) {
    return List.of();
  }

  /** Thrown by handlers of Calcite's own, which nothing makes. */
  public static final class NoHandler extends MetadataHandlerProvider.NoHandler {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("unused") // linked by Calcite
    public NoHandler(Class<? extends RelNode> node) {
      super(node);
    }
  }
}
