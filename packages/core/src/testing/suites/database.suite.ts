import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase } from '../../db/create-database.ts';
import { guardOneChange } from '../../db/guard.ts';
import {
  type Database,
  DatabaseError,
  isBookmark,
  type SqlValue,
  type Statement,
} from '../../kernel/ports/database.ts';
import { ObservedD1 } from '../doubles/observed-d1.ts';

const SCHEMA = [
  `CREATE TABLE suite_things (
    id INTEGER PRIMARY KEY,
    amount INTEGER NOT NULL CHECK (amount >= 0),
    name TEXT NOT NULL UNIQUE,
    state TEXT,
    CONSTRAINT state_is_known CHECK (state IN ('open', 'closed')),
    UNIQUE (amount, state)
  ) STRICT`,
  'CREATE TABLE suite_parts (thing_id INTEGER NOT NULL REFERENCES suite_things (id), weight REAL) STRICT',
  `CREATE TRIGGER suite_things_stay BEFORE DELETE ON suite_things
    BEGIN SELECT RAISE(ABORT, 'guard things_stay'); END`,
  `CREATE TRIGGER suite_things_count AFTER UPDATE OF amount ON suite_things
    BEGIN UPDATE suite_things SET amount = amount + 1 WHERE id = NEW.id; END`,
  'CREATE VIRTUAL TABLE suite_words USING fts5(words)',
];
/** JavaScript's whole numbers end a little above it. */
const LARGE = 2 ** 53 - 100;
const TABLES = ['suite_words', 'suite_parts', 'suite_things'];

const marks = (count: number) => Array.from({ length: count }, () => '?').join();
const sql = (text: string, ...params: SqlValue[]): Statement => ({ sql: text, params });
const thing = (id: number, fields: { amount?: SqlValue; name?: SqlValue; state?: SqlValue } = {}) =>
  sql(
    'INSERT INTO suite_things (id, amount, name, state) VALUES (?, ?, ?, ?)',
    id,
    fields.amount === undefined ? id : fields.amount,
    fields.name === undefined ? `thing ${id}` : fields.name,
    fields.state ?? null,
  );

/** What the product relies on in a database, whichever it is. */
export function databaseSuite(name: string, d1: D1Database): void {
  describe(name, () => {
    const observed = new ObservedD1(d1);
    const db: Database = createDatabase(observed.d1);
    const all = (text: string, ...params: SqlValue[]) => db.all(sql(text, ...params));
    const failureOf = async (...statements: Statement[]): Promise<DatabaseError> => {
      const error = await db.commit(statements).catch((failure: unknown) => failure);
      if (!(error instanceof DatabaseError)) throw new Error(`It did not fail: ${JSON.stringify(error)}`);
      return error;
    };
    const drop = () => d1.batch(TABLES.map((table) => d1.prepare(`DROP TABLE IF EXISTS ${table}`)));

    beforeAll(async () => {
      await drop();
      await d1.batch(SCHEMA.map((text) => d1.prepare(text)));
      await db.commit([thing(1, { state: 'open' }), thing(2)]);
    });
    afterAll(drop);

    describe('a constraint that refuses is named', () => {
      it.each<[string, Statement, string]>([
        ['PRIMARY KEY', thing(1, { name: 'other' }), 'suite_things.id'],
        ['UNIQUE', thing(3, { name: 'thing 1' }), 'suite_things.name'],
        [
          'UNIQUE of two columns',
          thing(3, { amount: 1, state: 'open' }),
          'suite_things.amount, suite_things.state',
        ],
        ['CHECK', thing(3, { amount: -1 }), 'amount >= 0'],
        ['CHECK with a name', thing(3, { state: 'lost' }), 'state_is_known'],
        ['NOT NULL', thing(3, { name: null }), 'suite_things.name'],
        ['FOREIGN KEY', sql('INSERT INTO suite_parts (thing_id) VALUES (?)', 99), 'foreign key'],
        ['RAISE in a trigger', sql('DELETE FROM suite_things WHERE id = ?', 1), 'guard things_stay'],
      ])('%s', async (_, statement, constraint) => {
        expect(await failureOf(statement)).toMatchObject({ kind: 'constraint', constraint });
        expect(await failureOf(sql('SELECT 1'), statement)).toMatchObject({ kind: 'constraint', constraint });
      });

      it('the text below is the same, too', async () => {
        const { cause } = await failureOf(thing(3, { name: 'thing 1' }));
        expect((cause as Error).message).toMatch(
          /^D1_ERROR: UNIQUE constraint failed: suite_things.name: SQLITE_CONSTRAINT \(extended: SQLITE_CONSTRAINT_UNIQUE\)$/,
        );
      });
    });

    it.each<[string, Statement, RegExp]>([
      ['no SQL', sql('SELEKT 1'), /syntax error/],
      ['a table that is not there', sql('SELECT * FROM suite_nothing'), /no such table: suite_nothing/],
      ['a column that is not there', sql('SELECT missing FROM suite_things'), /no such column: missing/],
      ['a function that is not there', sql('SELECT missing(1)'), /no such function: missing/],
      [
        'more than 100 parameters',
        sql(`SELECT 1 IN (${marks(101)})`, ...Array(101).fill(1)),
        /too many SQL variables/,
      ],
      ['a pattern of more than 50 bytes', sql(`SELECT 'a' LIKE '${'a'.repeat(51)}'`), /pattern too complex/],
      ['a union of more than 5', sql(Array(6).fill('SELECT 1').join(' UNION ALL ')), /too many terms/],
      ['more than 100 columns', sql(`SELECT ${Array(101).fill('1').join()}`), /too many columns/],
      [
        'an expression deeper than 100',
        sql(`SELECT ${Array(120).fill('1').join('+')}`),
        /too large \(maximum depth 100\)/,
      ],
    ])('%s is refused, and is our own fault', async (_, statement, text) => {
      const { kind, constraint } = await failureOf(statement);
      expect([kind, constraint]).toEqual(['broken', expect.stringMatching(text)]);
    });

    it.each<[string, Statement]>([
      ['a value of the wrong type', sql("INSERT INTO suite_things VALUES (3, 'much', 'thing', NULL)")],
      ['half a number for a whole one', thing(3, { amount: 1.5 })],
      ['too few parameters', sql('SELECT ?, ?', 1)],
      ['too many parameters', sql('SELECT ?', 1, 2)],
      ['a question mark that is a text', sql("SELECT '?'", 1)],
      ['more SQL than 100 kB', sql(`SELECT 1 /* ${'x'.repeat(100_000)} */`)],
      ['a transaction of its own', sql('BEGIN')],
      ['a point to go back to', sql('SAVEPOINT here')],
    ])('%s is refused', async (_, statement) => {
      await failureOf(statement);
      expect(await all('SELECT COUNT(*) AS n FROM suite_things')).toEqual([{ n: 2 }]);
    });

    it('100 parameters are taken', async () => {
      expect(await all(`SELECT 7 IN (${marks(100)}) AS found`, ...Array(100).fill(7))).toEqual([
        { found: 1 },
      ]);
    });

    describe('values', () => {
      it('a number is bound as REAL, whole or not', async () => {
        expect(await all("SELECT typeof(?) AS a, typeof(?) AS b, ? || '' AS c", 1, 1.5, 1)).toEqual([
          { a: 'real', b: 'real', c: '1.0' },
        ]);
      });

      it('and is what its column makes of it', async () => {
        await db.commit([thing(7, { amount: LARGE }), sql('INSERT INTO suite_parts VALUES (?, ?)', 7, 1)]);
        expect(await all('SELECT amount, typeof(amount) AS type FROM suite_things WHERE id = 7')).toEqual([
          { amount: LARGE, type: 'integer' },
        ]);
        expect(await all('SELECT weight, typeof(weight) AS type FROM suite_parts')).toEqual([
          { weight: 1, type: 'real' },
        ]);
        await db.commit([sql('DELETE FROM suite_parts')]);
      });

      it('null is null', async () => {
        expect(await all('SELECT ? AS value, typeof(?) AS type', null, null)).toEqual([
          { value: null, type: 'null' },
        ]);
      });

      it.each(['', 'é–🜁', 'a\0b', "it's ?"])('%j comes back as it went', async (text) => {
        expect(await all('SELECT ? AS text', text)).toEqual([{ text }]);
      });

      it('rows are plain objects, the last of two columns of one name in them', async () => {
        const [row] = await all('SELECT 1 AS a, 2 AS a');
        expect(row).toStrictEqual({ a: 2 });
      });
    });

    describe('a commit', () => {
      it('gives the rows of each statement', async () => {
        expect(
          await db.commit([
            sql("UPDATE suite_things SET state = 'closed' WHERE id = ? RETURNING id", 2),
            sql('SELECT changes() AS changed'),
            sql('SELECT id, state FROM suite_things WHERE id <= 2 ORDER BY id'),
          ]),
        ).toEqual([
          [{ id: 2 }],
          [{ changed: 1 }],
          [
            { id: 1, state: 'open' },
            { id: 2, state: 'closed' },
          ],
        ]);
      });

      it('is nothing where it fails, whichever statement did', async () => {
        const before = await all('SELECT * FROM suite_things');
        const works = sql('UPDATE suite_things SET state = NULL');
        const fails = thing(1);
        await failureOf(works, fails);
        await failureOf(works, fails, works);
        await failureOf(fails, works);
        await failureOf(works, sql('SELECT * FROM suite_nothing'));
        expect(await all('SELECT * FROM suite_things')).toEqual(before);
      });

      it('of one statement is nothing where that fails in its midst', async () => {
        const before = await all('SELECT * FROM suite_things');
        await failureOf(
          sql("INSERT INTO suite_things SELECT id + 10, amount + 10, 'same', NULL FROM suite_things"),
        );
        expect(await all('SELECT * FROM suite_things')).toEqual(before);
      });

      it('of nothing is nothing', async () => {
        expect(await db.commit([])).toEqual([]);
      });
    });

    describe('what was changed', () => {
      const update = (id: number) => sql('UPDATE suite_things SET state = state WHERE id = ?', id);

      it('is counted for the statement before, without what triggers did', async () => {
        const [, counted] = await db.commit([
          sql('UPDATE suite_things SET amount = amount WHERE id = 7'),
          sql('SELECT changes() AS n'),
        ]);
        expect(counted).toEqual([{ n: 1 }]);
      });

      it('passes a guard if it was one row, and is undone otherwise', async () => {
        await db.commit([update(1), guardOneChange('one_thing')]);
        const before = await all('SELECT * FROM suite_things');
        for (const statement of [update(99), sql('UPDATE suite_things SET state = NULL')]) {
          const error = await failureOf(statement, guardOneChange('one_thing'));
          expect(error).toMatchObject({ kind: 'constraint', constraint: 'guard one_thing' });
        }
        expect(await all('SELECT * FROM suite_things')).toEqual(before);
      });
    });

    describe('a round trip', () => {
      const one = sql('SELECT 1 AS n');
      const two = sql('SELECT 2 AS n');

      it('takes all reads of a turn', async () => {
        observed.reset();
        expect(await Promise.all([db.first(one), db.all(two)])).toEqual([{ n: 1 }, [{ n: 2 }]]);
        expect(observed.roundTrips).toEqual([[one.sql, two.sql]]);
      });

      it('that fails fails for all of them', async () => {
        const both = await Promise.allSettled([db.all(one), db.all(sql('SELECT * FROM suite_nothing'))]);
        expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
      });

      it('is over in a later turn', async () => {
        let answered = false;
        const asked = db.all(one).then(() => {
          answered = true;
        });
        for (let n = 0; n < 100; n += 1) await null;
        expect(answered).toBe(false);
        await asked;
      });

      it('that was asked for first comes first', async () => {
        const [, , read] = await Promise.all([
          db.commit([sql("UPDATE suite_things SET name = 'first' WHERE id = 1")]),
          db.commit([sql("UPDATE suite_things SET name = 'second' WHERE id = 1")]),
          db.commit([sql('SELECT name FROM suite_things WHERE id = 1')]),
        ]);
        expect(read).toEqual([[{ name: 'second' }]]);
      });
    });

    describe('a copy near the reader', () => {
      it('with the bookmark of a commit has what was committed', async () => {
        expect(await db.commit([sql("UPDATE suite_things SET name = 'near' WHERE id = 1")])).toEqual([[]]);
        const bookmark = db.bookmark();
        expect(isBookmark(bookmark ?? '')).toBe(true);
        observed.reset();
        const near = db.near(bookmark);
        const name = sql('SELECT name FROM suite_things WHERE id = 1');
        expect(await Promise.all([near.first(name), near.all(name)])).toEqual([
          { name: 'near' },
          [{ name: 'near' }],
        ]);
        expect(observed.count).toBe(1);
      });

      it('a later commit has a later bookmark, by its text', async () => {
        const earlier = db.bookmark() ?? '';
        await db.commit([sql("UPDATE suite_things SET name = 'later' WHERE id = 1")]);
        expect((db.bookmark() ?? '') > earlier).toBe(true);
      });

      it('needs none', async () => {
        expect(await db.near(null).first(sql('SELECT 1 AS n'))).toEqual({ n: 1 });
      });
    });

    it('triggers do not start themselves', async () => {
      await db.commit([sql('UPDATE suite_things SET amount = 50 WHERE id = 7')]);
      expect(await all('SELECT amount FROM suite_things WHERE id = 7')).toEqual([{ amount: 51 }]);
    });

    it('words are searched for and ranked', async () => {
      await db.commit([sql("INSERT INTO suite_words VALUES ('high and low water'), ('low'), ('tides')")]);
      expect(
        await all(
          'SELECT words FROM suite_words WHERE suite_words MATCH ? ORDER BY bm25(suite_words)',
          'low',
        ),
      ).toEqual([{ words: 'low' }, { words: 'high and low water' }]);
    });
  });
}
