INSERT INTO album VALUES (1, 1, 'Pastel Blues'), (2, 2, 'Kind of Blue');
/* A comment; of several
   lines. */
UPDATE artist SET note = 'it''s; done' WHERE id = 2;
