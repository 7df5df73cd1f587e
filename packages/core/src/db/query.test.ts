import { and, desc, eq, exists, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Database, SqlValue, Statement } from '../kernel/ports/database.ts';
import { asBoolean, asInteger, build, excluded, named } from './build.ts';
import { insertFrom, insertWhere } from './insert-from.ts';
import { type Params, query, readAll, readFirst, toStatement, write } from './query.ts';

const books = sqliteTable('books', {
  id: text('id').notNull(),
  shopId: text('shop_id').notNull(),
  pages: integer('pages').notNull().default(0),
  isSold: integer('is_sold', { mode: 'boolean' }).notNull().default(false),
  tags: text('tags', { mode: 'json' }).$type<string[]>(),
});

const shops = sqliteTable('shops', {
  id: text('id').notNull(),
  name: text('name').notNull(),
  town: text('town'),
});

/** Answers every read with the same rows, and keeps what was asked. */
function databaseWith(...rows: Record<string, SqlValue>[]): Database & { asked: Statement[] } {
  const asked: Statement[] = [];
  return {
    asked,
    all: async <Row>(statement: Statement) => {
      asked.push(statement);
      return rows as Row[];
    },
    first: async <Row>(statement: Statement) => {
      asked.push(statement);
      return (rows[0] as Row | undefined) ?? null;
    },
    bookmark: () => null,
    near() {
      return this;
    },
    commit: () => Promise.reject(new Error('Not in this test.')),
  };
}

describe('a query that is built once', () => {
  const byShop = query((p: Params<{ shopId: string; limit: number }>) =>
    build
      .select({ id: books.id, isSold: books.isSold, tags: books.tags })
      .from(books)
      .where(and(eq(books.shopId, p.shopId), eq(books.isSold, false)))
      .orderBy(desc(books.pages))
      .limit(p.limit),
  );

  it('binds what it is filled with, and writes constants into its text', () => {
    expect(byShop.statement({ shopId: "o'clock", limit: 2 })).toEqual({
      sql:
        'select "id" as "id", "is_sold" as "isSold", "tags" as "tags" from "books" ' +
        'where ("books"."shop_id" = ? and "books"."is_sold" = 0) order by "books"."pages" desc LIMIT CAST(? AS INTEGER)',
      params: ["o'clock", 2],
    });
  });

  it('types what it is filled with and what it gives', () => {
    type Row = { id: string; isSold: boolean; tags: string[] | null };
    expectTypeOf(byShop.all).returns.resolves.toEqualTypeOf<Row[]>();
    expectTypeOf(byShop.first).returns.resolves.toEqualTypeOf<Row | null>();
    expectTypeOf(byShop.statement).parameters.toEqualTypeOf<[values: { shopId: string; limit: number }]>();
  });

  it('decodes rows', async () => {
    const db = databaseWith({ id: 'a', isSold: 1, tags: '["x"]' }, { id: 'b', isSold: 0, tags: null });
    expect(await byShop.all(db, { shopId: 's', limit: 2 })).toEqual([
      { id: 'a', isSold: true, tags: ['x'] },
      { id: 'b', isSold: false, tags: null },
    ]);
    expect(await byShop.first(db, { shopId: 's', limit: 2 })).toEqual({ id: 'a', isSold: true, tags: ['x'] });
    expect(await byShop.first(databaseWith(), { shopId: 's', limit: 2 })).toBeNull();
  });

  it('refuses to run without a value', () => {
    const values = { shopId: 's' } as { shopId: string; limit: number };
    expect(() => byShop.statement(values)).toThrow('no value for limit');
  });
});

describe('rows of joins', () => {
  const withShop = query(() =>
    build
      .select({
        id: books.id,
        shop: { id: shops.id, town: shops.town },
        hasOthers: asBoolean(
          exists(build.select({ id: books.id }).from(books).where(eq(books.shopId, shops.id))),
        ),
      })
      .from(books)
      .leftJoin(shops, eq(shops.id, books.shopId)),
  );

  it('have a name for each field', () => {
    expect(withShop.statement().sql).toBe(
      'select "books"."id" as "id", "shops"."id" as "shop.id", "shops"."town" as "shop.town", ' +
        'exists (select "id" as "id" from "books" where "books"."shop_id" = "shops"."id") as "hasOthers" ' +
        'from "books" left join "shops" on "shops"."id" = "books"."shop_id"',
    );
  });

  it('are nested, and null where a left join found nothing', async () => {
    const found = { id: 'a', 'shop.id': 's', 'shop.town': null, hasOthers: 1 };
    const alone = { id: 'b', 'shop.id': null, 'shop.town': null, hasOthers: 0 };
    const rows = await withShop.all(databaseWith(found, alone));
    expect(rows).toEqual([
      { id: 'a', shop: { id: 's', town: null }, hasOthers: true },
      { id: 'b', shop: null, hasOthers: false },
    ]);
    expectTypeOf(rows).toEqualTypeOf<
      { id: string; shop: { id: string; town: string | null } | null; hasOthers: boolean }[]
    >();
  });

  it('keep an object of an inner join that is empty', async () => {
    const inner = query(() =>
      build
        .select({ id: books.id, shop: { town: shops.town } })
        .from(books)
        .innerJoin(shops, eq(shops.id, books.shopId)),
    );
    expect(await inner.all(databaseWith({ id: 'a', 'shop.town': null }))).toEqual([
      { id: 'a', shop: { town: null } },
    ]);
  });

  it('keep the table of columns in expressions', () => {
    const sum = query(() => build.select({ total: sql<number>`SUM(${books.pages})` }).from(books));
    expect(sum.statement().sql).toBe('select SUM("books"."pages") as "total" from "books"');
  });

  it('are refused where two fields would share a name', () => {
    const returned = query(() =>
      build.update(books).set({ pages: 1 }).returning({ id: books.id, other: books.id }),
    );
    expect(() => returned.statement()).toThrow('Two selected fields are named id');
  });
});

describe('a write that is built once', () => {
  it('encodes by column, and keeps null as NULL', () => {
    const insert = write((p: Params<{ id: string; isSold: boolean; tags: string[] | null }>) =>
      build
        .insert(books)
        .values({ id: p.id, shopId: 's', isSold: p.isSold, tags: p.tags })
        .onConflictDoUpdate({ target: books.id, set: excluded(books, 'isSold', 'tags') }),
    );
    expect(insert({ id: 'a', isSold: true, tags: ['x'] })).toEqual({
      sql:
        'insert into "books" ("id", "shop_id", "pages", "is_sold", "tags") values (?, \'s\', 0, ?, ?) ' +
        'on conflict ("books"."id") do update set "is_sold" = excluded."is_sold", "tags" = excluded."tags"',
      params: ['a', 1, '["x"]'],
    });
    expect(insert({ id: 'a', isSold: false, tags: null }).params).toEqual(['a', 0, null]);
  });

  it('assigns placeholders and expressions', () => {
    const read = write((p: Params<{ id: string; pages: number; tags: string[] }>) =>
      build
        .update(books)
        .set({ pages: sql`${books.pages} + ${asInteger(p.pages)}`, tags: p.tags })
        .where(eq(books.id, p.id)),
    );
    expect(read({ id: 'a', pages: 3, tags: [] })).toEqual({
      sql: 'update "books" set "pages" = "books"."pages" + CAST(? AS INTEGER), "tags" = ? where "books"."id" = ?',
      params: [3, '[]', 'a'],
    });
  });

  it('takes SQL that the builder cannot say', () => {
    const guard = write((p: Params<{ name: string }>) => sql`INSERT INTO guards (name) SELECT ${p.name}`);
    expect(guard({ name: 'n' })).toEqual({ sql: 'INSERT INTO guards (name) SELECT ?', params: ['n'] });
  });

  it('gives rows with RETURNING, read from what a transaction gave', () => {
    const sell = query((p: Params<{ id: string }>) =>
      build
        .update(books)
        .set({ isSold: true })
        .where(eq(books.id, p.id))
        .returning(named({ book: books.id, isSold: books.isSold })),
    );
    expect(sell.statement({ id: 'a' }).sql).toBe(
      'update "books" set "is_sold" = 1 where "books"."id" = ? returning "id" as "book", "is_sold" as "isSold"',
    );
    const rows = sell.rows([{ book: 'a', isSold: 1 }]);
    expect(rows).toEqual([{ book: 'a', isSold: true }]);
    expectTypeOf(rows).toEqualTypeOf<{ book: string; isSold: boolean }[]>();
    expect(sell.rows(undefined)).toEqual([]);
  });
});

describe('what is inserted on a condition', () => {
  it('names the given columns only, and encodes by column', () => {
    const insert = write((p: Params<{ id: string; isSold: boolean; tags: string[] | null }>) =>
      insertWhere(
        books,
        { id: p.id, shopId: 's', isSold: p.isSold, tags: p.tags },
        sql`changes() = ${asInteger(1)}`,
      ).onConflictDoUpdate({ target: books.id, set: { ...excluded(books, 'isSold'), pages: 0 } }),
    );
    expect(insert({ id: 'a', isSold: true, tags: ['x'] })).toEqual({
      sql:
        'insert into "books" ("id", "shop_id", "is_sold", "tags") select ?, \'s\', ?, ? ' +
        'where changes() = CAST(1 AS INTEGER) ' +
        'on conflict ("books"."id") do update set "pages" = 0, "is_sold" = excluded."is_sold"',
      params: ['a', 1, '["x"]'],
    });
    expect(insert({ id: 'a', isSold: false, tags: null }).params).toEqual(['a', 0, null]);
  });

  it('is of each row that a query finds, and gives rows with RETURNING', () => {
    const insert = query((p: Params<{ town: string }>) =>
      insertFrom(books, { id: sql`${shops.id} || '-1'`, shopId: shops.id, tags: null }, (select) =>
        select.from(shops).where(eq(shops.town, p.town)),
      )
        .onConflictDoNothing()
        .returning(named({ book: books.id, tags: books.tags })),
    );
    expect(insert.statement({ town: 't' })).toEqual({
      sql:
        'insert into "books" ("id", "shop_id", "tags") select "shops"."id" || \'-1\', "id", null ' +
        'from "shops" where "shops"."town" = ? on conflict do nothing returning "id" as "book", "tags" as "tags"',
      params: ['t'],
    });
    expect(insert.rows([{ book: 'b', tags: '["x"]' }])).toEqual([{ book: 'b', tags: ['x'] }]);
  });

  it('has columns of the table, each with a value of its type', () => {
    write((p: Params<{ id: string; pages: string }>) =>
      // @ts-expect-error: a text is no number of pages.
      insertWhere(books, { id: p.id, shopId: 's', pages: p.pages }, sql`true`),
    );
    // @ts-expect-error: the shop is missing.
    write((p: Params<{ id: string }>) => insertWhere(books, { id: p.id }, sql`true`));
    write((p: Params<{ id: string }>) =>
      // @ts-expect-error: books have no author.
      insertWhere(books, { id: p.id, shopId: 's', author: 'a' }, sql`true`),
    );
  });
});

describe('a statement for one use', () => {
  it('binds everything', () => {
    expect(toStatement(build.delete(books).where(eq(books.isSold, true)))).toEqual({
      sql: 'delete from "books" where "books"."is_sold" = ?',
      params: [1],
    });
  });

  it('reads rows', async () => {
    const db = databaseWith({ tags: '["x"]' });
    const tags = build.select({ tags: books.tags }).from(books);
    expect(await readAll(db, tags.where(eq(books.id, 'a')))).toEqual([{ tags: ['x'] }]);
    expect(await readFirst(db, tags)).toEqual({ tags: ['x'] });
    expect(await readFirst(databaseWith(), tags)).toBeNull();
    expect(db.asked[0]?.params).toEqual(['a']);
  });
});
