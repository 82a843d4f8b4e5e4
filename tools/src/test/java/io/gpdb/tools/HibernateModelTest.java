package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.persistence.CascadeType;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.Inheritance;
import jakarta.persistence.InheritanceType;
import jakarta.persistence.LockModeType;
import jakarta.persistence.LockTimeoutException;
import jakarta.persistence.ManyToMany;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.OptimisticLockException;
import jakarta.persistence.OrderColumn;
import jakarta.persistence.Version;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.annotations.SoftDelete;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Hibernate ORM 7 with relations, collections, inheritance, locks, and functions of HQL. */
class HibernateModelTest {
  private static final String URL = "jdbc:gpdb:mem:HibernateModelTest";

  /** An entity with collections. */
  @Entity(name = "Author")
  public static class Author {
    @Id @GeneratedValue @Nullable Long id;
    String name = "";
    @Nullable LocalDate born;
    @Nullable Instant seen;
    @Nullable OffsetDateTime paid;
    boolean active = true;
    @Version int version;
    @ElementCollection Set<String> names = new HashSet<>();
    @ElementCollection @OrderColumn List<String> notes = new ArrayList<>();
    @ElementCollection Map<String, Integer> scores = new HashMap<>();

    @OneToMany(mappedBy = "author", cascade = CascadeType.ALL, orphanRemoval = true)
    List<Book> books = new ArrayList<>();

    @ManyToMany Set<Topic> topics = new HashSet<>();
  }

  /** An entity that refers to another one. */
  @Entity(name = "Book")
  public static class Book {
    @Id @GeneratedValue @Nullable Long id;
    String title = "";

    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable Author author;
  }

  /** An entity that is its key alone, and is hidden instead of deleted. */
  @Entity(name = "Topic")
  @SoftDelete
  public static class Topic {
    @Id String name = "";
  }

  /** An entity whose subclass has a table of its own. */
  @Entity(name = "Animal")
  @Inheritance(strategy = InheritanceType.JOINED)
  public static class Animal {
    @Id @GeneratedValue @Nullable Long id;
    String name = "";
    int weight;
  }

  /** A subclass. */
  @Entity(name = "Dog")
  public static class Dog extends Animal {
    String breed = "";
  }

  /** A key with a value. */
  @Entity(name = "Setting")
  public static class Setting {
    @Id String name = "";
    String text = "";
  }

  private static SessionFactory factory;
  private static Connection keeper;

  @BeforeAll
  static void open() throws SQLException {
    keeper = DriverManager.getConnection(URL);
    Configuration configuration = new Configuration();
    for (Class<?> entity :
        List.of(Author.class, Book.class, Topic.class, Animal.class, Dog.class, Setting.class)) {
      configuration.addAnnotatedClass(entity);
    }
    configuration.setProperty(AvailableSettings.JAKARTA_JDBC_URL, URL);
    configuration.setProperty(AvailableSettings.HBM2DDL_AUTO, "create");
    configuration.setProperty(AvailableSettings.HBM2DDL_HALT_ON_ERROR, true);
    configuration.setProperty(AvailableSettings.STATEMENT_BATCH_SIZE, 10);
    configuration.setProperty(AvailableSettings.DEFAULT_BATCH_FETCH_SIZE, 4);
    factory = configuration.buildSessionFactory();
    factory.inTransaction(HibernateModelTest::fill);
  }

  @AfterAll
  static void close() throws SQLException {
    factory.close();
    keeper.close();
  }

  private static void fill(Session session) {
    Topic topic = new Topic();
    topic.name = "sea";
    session.persist(topic);
    for (int i = 1; i <= 5; i++) {
      Author author = new Author();
      author.name = "author " + i;
      author.born = LocalDate.of(1900 + i, 2, i);
      author.seen = Instant.parse("2024-01-02T03:04:05.678901Z");
      author.paid = OffsetDateTime.parse("2024-01-02T03:04:05+02:00");
      author.names.addAll(List.of("a" + i, "b" + i));
      author.notes.addAll(List.of("one", "two", "three"));
      author.scores.put("x", i);
      author.topics.add(topic);
      for (int k = 0; k < i; k++) {
        Book book = new Book();
        book.title = "book " + i + k;
        book.author = author;
        author.books.add(book);
      }
      session.persist(author);
      Dog dog = new Dog();
      dog.name = "dog " + i;
      dog.weight = i;
      dog.breed = "breed " + i % 2;
      session.persist(dog);
    }
  }

  private static List<?> hql(Session session, String query) {
    return session.createQuery(query, Object.class).list();
  }

  @Test
  void collectionsAreKept() {
    factory.inTransaction(
        session -> {
          Author author =
              session
                  .createQuery("from Author where name = 'author 3'", Author.class)
                  .getSingleResult();
          assertThat(author.names).containsExactlyInAnyOrder("a3", "b3");
          assertThat(author.seen).isEqualTo("2024-01-02T03:04:05.678901Z");
          assertThat(author.paid).isEqualTo("2024-01-02T01:04:05Z");
          assertThat(author.topics).hasSize(1);
          author.notes.removeFirst();
          author.notes.add("last");
          author.scores.put("y", 7);
          author.books.removeFirst();
        });
    factory.inTransaction(
        session -> {
          assertThat(
                  hql(
                      session,
                      "select n from Author a join a.notes n where a.name = 'author 3'"
                          + " order by index(n)"))
              .hasToString("[two, three, last]");
          assertThat(hql(session, "select a.name from Author a where a.scores['y'] = 7"))
              .hasToString("[author 3]");
          assertThat(hql(session, "select size(a.books) from Author a order by a.name"))
              .hasToString("[1, 2, 2, 4, 5]");
          assertThat(
                  hql(
                      session,
                      "select a.name from Author a join a.books b group by a having"
                          + " count(b) > 2 order by count(b) desc limit 1"))
              .hasToString("[author 5]");
          assertThat(hql(session, "from Author a left join fetch a.books where a.id > 0").size())
              .isEqualTo(5);
        });
  }

  @Test
  void subclassesOfTablesOfTheirOwnAreChangedTogether() {
    factory.inTransaction(
        session -> {
          assertThat(
                  session
                      .createMutationQuery(
                          "update Dog set weight = weight + 10, breed = 'x' where weight < 3")
                      .executeUpdate())
              .isEqualTo(2);
          assertThat(
                  session
                      .createMutationQuery(
                          "insert into Dog (name, weight, breed) select d.name, d.weight,"
                              + " 'copy' from Dog d where d.weight > 10")
                      .executeUpdate())
              .isEqualTo(2);
          assertThat(
                  session
                      .createMutationQuery("delete from Dog where breed = 'copy'")
                      .executeUpdate())
              .isEqualTo(2);
          assertThat(
                  hql(
                      session,
                      "select type(a), count(*) from Animal a where a.weight > 2 group by type(a)"))
              .hasSize(1);
        });
    long left =
        factory.fromSession(
            session ->
                session
                    .createNativeQuery(
                        "select count(*) from information_schema.tables where table_name"
                            + " like 'HTE%' and table_type = 'BASE TABLE'",
                        Long.class)
                    .getSingleResult());
    assertThat(left).isZero();
  }

  @Test
  void rowsAreLockedAsAsked() {
    factory.inTransaction(
        session -> {
          String first = "from Author a order by a.id";
          assertThat(
                  session
                      .createQuery(first, Author.class)
                      .setMaxResults(1)
                      .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                      .list())
              .hasSize(1);
          factory.inTransaction(
              other -> {
                assertThatThrownBy(
                        () ->
                            other
                                .createQuery(first, Author.class)
                                .setMaxResults(1)
                                .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                                .setHint("jakarta.persistence.lock.timeout", 0)
                                .list())
                    .isInstanceOf(LockTimeoutException.class);
              });
          List<Author> others =
              factory.fromTransaction(
                  other ->
                      other
                          .createQuery(first, Author.class)
                          .setMaxResults(2)
                          .setLockMode(LockModeType.PESSIMISTIC_WRITE)
                          .setHint("jakarta.persistence.lock.timeout", -2)
                          .list());
          assertThat(others).extracting(a -> a.name).containsExactly("author 2", "author 3");
        });
    assertThatThrownBy(
            () ->
                factory.inTransaction(
                    session -> {
                      Author mine =
                          session
                              .createQuery("from Author where name = 'author 5'", Author.class)
                              .getSingleResult();
                      factory.inTransaction(
                          other -> other.find(Author.class, mine.id).active = false);
                      mine.active = false;
                      mine.born = LocalDate.EPOCH;
                    }))
        .isInstanceOf(OptimisticLockException.class);
  }

  @Test
  void functionsOfHqlAreThoseOfGpdb() {
    Map<String, String> calls = new HashMap<>();
    calls.put("a.born + 1 day", "1902-02-03");
    calls.put("a.born - 1 month", "1902-01-02");
    calls.put("(a.born - date 1902-01-31) by day", "2");
    calls.put("timestampdiff(hour, a.seen, a.seen + 90 minute)", "1");
    calls.put("extract(day of year from a.born)", "33");
    calls.put("extract(day of week from a.born)", "1");
    calls.put("extract(week from a.born)", "5");
    calls.put("cast(a.version as String) || '!'", "0!");
    calls.put("truncate(1.256, 2)", "1.25");
    calls.put("truncate(a.seen, year) < a.seen", "true");
    calls.put("a.active", "true");
    calls.put(
        "(select listagg(b.title, ',') within group (order by b.title) from Book b where"
            + " b.author = a)",
        "book 20,book 21");
    calls.put("a.name ilike 'AUTHOR%'", "true");
    factory.inTransaction(
        session ->
            calls.forEach(
                (call, value) ->
                    assertThat(
                            hql(
                                session,
                                "select " + call + " from Author a where a.name = 'author 2'"))
                        .as(call)
                        .hasToString("[" + value + "]")));
  }

  @Test
  void anInsertMayBeAnUpdate() {
    try (StatelessSession session = factory.openStatelessSession()) {
      session.beginTransaction();
      for (String text : List.of("first", "second")) {
        Setting setting = new Setting();
        setting.name = "one";
        setting.text = text;
        session.upsert(setting);
      }
      for (String action : List.of("do nothing", "do update set text = excluded.text")) {
        session
            .createMutationQuery(
                "insert into Setting (name, text) values ('two', '"
                    + action
                    + "') on conflict (name) "
                    + action)
            .executeUpdate();
      }
      session.getTransaction().commit();
    }
    factory.inTransaction(
        session ->
            assertThat(hql(session, "select s.text from Setting s order by s.name"))
                .hasToString("[second, do update set text = excluded.text]"));
  }

  @Test
  void aSoftDeleteHidesTheRow() {
    factory.inTransaction(
        session -> {
          Topic topic = new Topic();
          topic.name = "sky";
          session.persist(topic);
          session.flush();
          session.remove(topic);
        });
    factory.inTransaction(
        session -> {
          assertThat(hql(session, "select t.name from Topic t")).hasToString("[sea]");
          assertThat(
                  session
                      .createNativeQuery("select count(*) from Topic", Long.class)
                      .getSingleResult())
              .isEqualTo(2);
        });
  }
}
