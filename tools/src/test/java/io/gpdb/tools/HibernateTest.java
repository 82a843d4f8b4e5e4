package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.LockModeType;
import jakarta.persistence.Version;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.cfg.Configuration;
import org.hibernate.exception.ConstraintViolationException;
import org.jspecify.annotations.Nullable;

/** Hibernate ORM 7: the dialect is found by its resolver. */
class HibernateTest extends ClientTest {
  /** What a value may be. */
  public enum Kind {
    SMALL,
    LARGE
  }

  /** An entity whose number is of an identity column. */
  @Entity(name = "Product")
  public static class Product {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable Long id;

    @Version int version;

    @Column(nullable = false, unique = true, length = 40)
    String name = "";

    @Column(precision = 12, scale = 2)
    @Nullable BigDecimal price;

    @Enumerated(EnumType.STRING)
    @Column(columnDefinition = "varchar(10)")
    Kind kind = Kind.SMALL;

    @Nullable LocalDate day;
    @Nullable LocalDateTime moment;
    boolean active = true;
    double weight;
    byte @Nullable [] picture;
  }

  /** An entity whose number is of a sequence. */
  @Entity(name = "Note")
  public static class Note {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE)
    long id;

    String text = "";
  }

  private static SessionFactory factory(String url, String action, Class<?>... entities) {
    Configuration configuration = new Configuration();
    for (Class<?> entity : entities) {
      configuration.addAnnotatedClass(entity);
    }
    configuration.setProperty(AvailableSettings.JAKARTA_JDBC_URL, url);
    configuration.setProperty(AvailableSettings.HBM2DDL_AUTO, action);
    configuration.setProperty(AvailableSettings.STATEMENT_BATCH_SIZE, 10);
    return configuration.buildSessionFactory();
  }

  @Override
  void run(String url) {
    try (SessionFactory factory = factory(url, "create", Product.class)) {
      fill(factory);
      queries(factory);
      locking(factory);
    }
    factory(url, "validate", Product.class).close();
    assertThatThrownBy(() -> factory(url, "validate", Product.class, Note.class))
        .hasMessageContaining("Note");
    try (SessionFactory factory = factory(url, "update", Product.class, Note.class)) {
      factory.inTransaction(
          session -> {
            for (int i = 0; i < 60; i++) {
              Note note = new Note();
              note.text = "note " + i;
              session.persist(note);
            }
          });
      long notes =
          factory.fromSession(
              session ->
                  session.createQuery("select count(n) from Note n", Long.class).uniqueResult());
      assertThat(notes).isEqualTo(60);
    }
    factory(url, "validate", Product.class, Note.class).close();
  }

  private static void fill(SessionFactory factory) {
    factory.inTransaction(
        session -> {
          for (int i = 1; i <= 12; i++) {
            Product product = new Product();
            product.name = "product " + i;
            product.price = BigDecimal.valueOf(i * 100L + 5, 2);
            product.kind = i % 2 == 0 ? Kind.LARGE : Kind.SMALL;
            product.day = LocalDate.of(2024, i, 1);
            product.moment = LocalDateTime.of(2024, i, 1, 2, 3, 4, 567_000);
            product.picture = new byte[] {(byte) i};
            session.persist(product);
            assertThat(product.id).isEqualTo(i);
          }
        });
    assertThatThrownBy(
            () ->
                factory.inTransaction(
                    session -> {
                      Product again = new Product();
                      again.name = "product 3";
                      session.persist(again);
                    }))
        .isInstanceOf(ConstraintViolationException.class);
  }

  private static void queries(SessionFactory factory) {
    factory.inTransaction(
        session -> {
          List<String> page =
              session
                  .createQuery("select p.name from Product p order by p.price desc", String.class)
                  .setFirstResult(2)
                  .setMaxResults(3)
                  .list();
          assertThat(page).containsExactly("product 10", "product 9", "product 8");
          Product one = session.find(Product.class, 5L);
          assertThat(one.price).isEqualByComparingTo("5.05");
          assertThat(one.moment).isEqualTo(LocalDateTime.of(2024, 5, 1, 2, 3, 4, 567_000));
          assertThat(one.picture).containsExactly(5);
          assertThat(
                  session
                      .createQuery(
                          "select p.kind, sum(p.price), count(*) from Product p where upper(p.name)"
                              + " like 'PRODUCT%' group by p.kind having count(*) > :n order by 1",
                          Object[].class)
                      .setParameter("n", 1)
                      .list())
              .hasSize(2);
          assertThat(
                  session
                      .createMutationQuery(
                          "update Product p set p.weight = p.weight + 1 where p.id in :ids")
                      .setParameterList("ids", List.of(1L, 2L))
                      .executeUpdate())
              .isEqualTo(2);
        });
  }

  private static void locking(SessionFactory factory) {
    assertThatThrownBy(
            () ->
                factory.inTransaction(
                    session -> {
                      Product mine = session.find(Product.class, 1L);
                      factory.inTransaction(other -> other.find(Product.class, 1L).name = "theirs");
                      mine.name = "mine";
                    }))
        .isInstanceOf(RuntimeException.class);
    factory.inTransaction(
        session -> {
          Product locked = session.find(Product.class, 2L, LockModeType.OPTIMISTIC_FORCE_INCREMENT);
          assertThat(locked.name).isEqualTo("product 2");
        });
    factory.inTransaction(
        session -> session.find(Product.class, 2L, LockModeType.PESSIMISTIC_WRITE).weight = 7);
    String name = factory.fromSession(session -> session.find(Product.class, 1L).name);
    assertThat(name).isEqualTo("theirs");
  }
}
