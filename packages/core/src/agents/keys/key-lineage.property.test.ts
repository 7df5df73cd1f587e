import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OPERATION_SCOPES } from '../../kernel/operation/key-scopes.ts';
import { HOUR_MS } from '../../kernel/time.ts';
import { type KeyRow, keysOf } from '../../testing/fixtures/agent-keys.ts';
import { newAgentOf } from '../../testing/fixtures/new-seller.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';

// The law is reckoned here from the rows alone, by code that shares nothing with the product's.

const market = createTestMarketplace();
const keys = keysOf(market);

type Step =
  | { readonly kind: 'create'; readonly by: number; readonly scopes: number; readonly hours: number | null }
  | { readonly kind: 'rotate'; readonly by: number; readonly key: number; readonly hours: number }
  | { readonly kind: 'revoke'; readonly by: number; readonly key: number }
  | { readonly kind: 'wait'; readonly hours: number };

const index = fc.nat({ max: 9 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      by: index,
      scopes: fc.integer({ min: 1, max: 31 }),
      hours: fc.option(fc.integer({ min: 1, max: 60 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('rotate' as const),
      by: index,
      key: index,
      hours: fc.integer({ min: 0, max: 24 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('revoke' as const), by: index, key: index }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 12 }) }),
  },
);

const scopesOf = (bits: number) => [...OPERATION_SCOPES, 'all'].filter((_, n) => bits & (1 << n));
const FOREVER = '9999';

function expectLawful(rows: readonly KeyRow[], now: string): void {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const row of rows) {
    for (let up = row.parent_key_id; up !== null; up = byId.get(up)?.parent_key_id ?? null) {
      const ancestor = byId.get(up);
      if (!ancestor) throw new Error('a key without its parent');
      const held = JSON.parse(ancestor.scopes) as string[];
      if (!held.includes('all'))
        expect(held).toEqual(expect.arrayContaining(JSON.parse(row.scopes) as string[]));
      const endOf = (key: KeyRow) =>
        [key.revoked_at ?? FOREVER, key.expires_at ?? FOREVER].sort()[0] ?? FOREVER;
      const hasEnded = endOf(row) <= now;
      if (!hasEnded) expect(endOf(row) <= endOf(ancestor), `${row.id} outlives ${ancestor.id}`).toBe(true);
    }
    const replaced = row.replaces_key_id === null ? null : byId.get(row.replaces_key_id);
    if (replaced) expect([row.scopes, row.policy_id]).toEqual([replaced.scopes, replaced.policy_id]);
  }
}

it('no sequence of making, rotating and revoking gives a key more than any of its ancestors has', async () => {
  const counts = { made: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const { id, apiKey } = await newAgentOf(market);
      const known = [{ apiKey, id: await keys.idOf(apiKey) }];
      const at = (n: number) => known[n % known.length] as (typeof known)[number];
      const nowIso = () => new Date(market.clock.now()).toISOString();
      for (const one of steps) {
        if (one.kind === 'wait') {
          market.clock.advance(one.hours * HOUR_MS);
        } else {
          const { apiKey: caller } = at(one.by);
          const answer =
            one.kind === 'create'
              ? await keys.create(caller, {
                  scopes: scopesOf(one.scopes).slice(0, 4),
                  ...(one.hours === null
                    ? {}
                    : { expiresAt: new Date(market.clock.now() + one.hours * HOUR_MS).toISOString() }),
                })
              : one.kind === 'rotate'
                ? await keys.rotate(caller, at(one.key).id, { overlapHours: one.hours })
                : await keys.revoke(caller, at(one.key).id);
          expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500);
          counts[answer.status < 300 ? 'made' : 'refused'] += 1;
          if (answer.status === 201)
            known.push({ apiKey: String(answer.body.apiKey), id: (answer.body.key as { id: string }).id });
        }
        expectLawful(await keys.rows(id), nowIso());
      }
    }),
    { numRuns: 40 },
  );
  // It must have tried both.
  expect(counts.made).toBeGreaterThan(50);
  expect(counts.refused).toBeGreaterThan(50);
});
