package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Persistence;
import jakarta.persistence.RollbackException;
import jakarta.persistence.Version;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** EclipseLink 4 with its platform for a database that it does not know. */
class EclipseLinkTest extends ClientTest {
  /** An entity whose number is of a table of numbers. */
  @Entity(name = "Guest")
  public static class Guest {
    @Id
    @GeneratedValue(strategy = GenerationType.TABLE)
    private long id;

    @Version private int version;

    @Column(unique = true, nullable = false, length = 30)
    private String name = "";

    private double paid;
    private boolean came;
    private @Nullable String remark;

    static Guest of(String name, double paid) {
      Guest guest = new Guest();
      guest.name = name;
      guest.paid = paid;
      return guest;
    }

    void come(String with) {
      came = true;
      remark = with;
    }

    boolean came() {
      return came;
    }

    @Nullable String remark() {
      return remark;
    }
  }

  private static void inTransaction(EntityManagerFactory factory, Consumer<EntityManager> act) {
    try (EntityManager manager = factory.createEntityManager()) {
      manager.getTransaction().begin();
      act.accept(manager);
      manager.getTransaction().commit();
    }
  }

  @Override
  void run(String url) {
    Map<String, String> settings =
        Map.of(
            "jakarta.persistence.jdbc.url",
            url,
            "jakarta.persistence.jdbc.driver",
            "io.gpdb.jdbc.GpdbDriver");
    try (EntityManagerFactory factory =
        Persistence.createEntityManagerFactory("eclipselink", settings)) {
      inTransaction(
          factory,
          manager -> {
            for (int i = 0; i < 10; i++) {
              manager.persist(Guest.of("guest " + i, i * 1.5));
            }
          });
      inTransaction(factory, EclipseLinkTest::query);
      assertThatThrownBy(
              () -> inTransaction(factory, manager -> manager.persist(Guest.of("guest 1", 0))))
          .isInstanceOf(RollbackException.class);
    }
    try (EntityManagerFactory again =
        Persistence.createEntityManagerFactory("eclipselink", settings)) {
      inTransaction(
          again,
          manager -> {
            Guest guest =
                manager
                    .createQuery("SELECT g FROM Guest g WHERE g.name = :n", Guest.class)
                    .setParameter("n", "guest 3")
                    .getSingleResult();
            assertThat(guest.came()).isTrue();
            assertThat(guest.remark()).isEqualTo("with a dog");
          });
    }
  }

  private static void query(EntityManager manager) {
    List<String> names =
        manager
            .createQuery(
                "SELECT g.name FROM Guest g WHERE g.paid > 1 ORDER BY g.name", String.class)
            .setFirstResult(1)
            .setMaxResults(2)
            .getResultList();
    assertThat(names).containsExactly("guest 2", "guest 3");
    manager
        .createQuery("SELECT g FROM Guest g WHERE g.name = 'guest 3'", Guest.class)
        .getSingleResult()
        .come("with a dog");
    List<Object[]> came =
        manager
            .createQuery(
                "SELECT g.came, COUNT(g) FROM Guest g GROUP BY g.came HAVING COUNT(g) > 1",
                Object[].class)
            .getResultList();
    assertThat(came).hasSize(1);
  }
}
