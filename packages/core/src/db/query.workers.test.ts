import { and, desc, eq, exists } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../kernel/ports/database.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { asBoolean, asInteger, build, excluded, named } from './build.ts';
import { isCheck, isConflict, isDanglingReference, isGuard } from './constraint.ts';
import { createDatabase } from './create-database.ts';
import { guardOneChange } from './guard.ts';
import { type Params, query, readFirst, toStatement, write } from './query.ts';
import { agents, sellers } from './tables/agents.ts';

const ADA = '00000000-0000-4000-8000-00000000000a';
const BOB = '00000000-0000-4000-8000-00000000000b';

const insertAgent = write((p: Params<{ id: string; handle: string }>) =>
  build.insert(agents).values({
    id: p.id,
    name: 'n',
    handle: p.handle,
    sellerLabel: 's',
    buyerLabel: 'b',
    createdAt: '2026-01-01T00:00:00.000Z',
  }),
);
const insertSeller = write((p: Params<{ agentId: string }>) =>
  build.insert(sellers).values({ agentId: p.agentId, registeredAt: '2026-01-02T00:00:00.000Z' }),
);
const renameAgent = write((p: Params<{ id: string; name: string }>) =>
  build
    .insert(agents)
    .values({ id: p.id, name: p.name, handle: 'x', sellerLabel: 's', buyerLabel: 'b', createdAt: '' })
    .onConflictDoUpdate({ target: agents.id, set: excluded(agents, 'name') }),
);
const withSeller = query((p: Params<{ limit: number }>) =>
  build
    .select({
      id: agents.id,
      seller: { id: sellers.agentId, country: sellers.country, registeredAt: sellers.registeredAt },
      isSeller: asBoolean(
        exists(build.select({ id: sellers.agentId }).from(sellers).where(eq(sellers.agentId, agents.id))),
      ),
    })
    .from(agents)
    .leftJoin(sellers, eq(sellers.agentId, agents.id))
    .where(eq(agents.name, 'n'))
    .orderBy(desc(agents.handle))
    .limit(p.limit),
);

describe('statements of the builder in D1', () => {
  let db: Database;
  beforeAll(async () => {
    db = createDatabase(testBindings.DB);
    await db.commit([
      insertAgent({ id: ADA, handle: 'ada' }),
      insertAgent({ id: BOB, handle: 'bob' }),
      insertSeller({ agentId: ADA }),
    ]);
  });

  it('read joins whose columns share names', async () => {
    expect(await withSeller.all(db, { limit: 5 })).toEqual([
      { id: BOB, seller: null, isSeller: false },
      {
        id: ADA,
        seller: { id: ADA, country: null, registeredAt: '2026-01-02T00:00:00.000Z' },
        isSeller: true,
      },
    ]);
    expect(await withSeller.first(db, { limit: 1 })).toMatchObject({ id: BOB });
  });

  it('reckon with integers, and read what an UPDATE returns', async () => {
    const rate = query((p: Params<{ agentId: string; stars: number }>) =>
      build
        .update(sellers)
        .set({ ratingSum: asInteger(p.stars) })
        .where(eq(sellers.agentId, p.agentId))
        .returning(named({ seller: sellers.agentId, halved: asInteger(p.stars) })),
    );
    const [rows] = await db.commit([rate.statement({ agentId: ADA, stars: 5 })]);
    expect(rate.rows(rows)).toEqual([{ seller: ADA, halved: 5 }]);
  });

  it('use a partial index for a constant that repeats its condition', async () => {
    const directory = query((p: Params<{ limit: number }>) =>
      build
        .select({ id: agents.id })
        .from(agents)
        .where(and(eq(agents.isSmokeTest, false)))
        .orderBy(desc(agents.createdAt), agents.id)
        .limit(p.limit),
    );
    const { sql, params } = directory.statement({ limit: 1 });
    const plan = await db.all<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, params });
    expect(plan.map(({ detail }) => detail).join()).toMatch(/USING (COVERING )?INDEX agents_directory/);
  });

  it('replace a row that exists', async () => {
    await db.commit([renameAgent({ id: BOB, name: 'New' })]);
    const row = await readFirst(
      db,
      build.select({ name: agents.name }).from(agents).where(eq(agents.id, BOB)),
    );
    expect(row).toEqual({ name: 'New' });
  });

  it('fail in ways that are told apart', async () => {
    const failure = (...statements: Parameters<Database['commit']>[0]) =>
      db.commit(statements).then(
        () => null,
        (error: unknown) => error,
      );
    const other = '00000000-0000-4000-8000-00000000000c';
    expect(isConflict(await failure(insertAgent({ id: other, handle: 'ada' })), agents.handle)).toBe(true);
    expect(isDanglingReference(await failure(insertSeller({ agentId: other })))).toBe(true);
    const none = toStatement(build.update(agents).set({ name: 'm' }).where(eq(agents.id, other)));
    expect(isGuard(await failure(none, guardOneChange('somebody')), 'somebody')).toBe(true);
    const bad = toStatement(build.update(sellers).set({ country: 'LONG' }).where(eq(sellers.agentId, ADA)));
    expect(isCheck(await failure(bad), 'length(country) = 2')).toBe(true);
  });
});
