import { expect, it } from 'vitest';
import { agents, sellers } from '../../packages/core/src/db/tables/agents.ts';
import { listings } from '../../packages/core/src/db/tables/listings.ts';
import { sweepSearchOutbox } from '../../packages/core/src/listings/refresh-search-documents.ts';
import { createTestMarketplace } from '../../packages/core/src/testing/marketplace/workers-harness.ts';
import { insertRows } from '../bench/insert-rows.ts';
import { GENERATED, GENERATED_QUESTIONS, SELLERS } from './generated-listings.ts';
import { measureRecall } from './recall.ts';

const CREATED_AT = '2026-01-01T00:00:00.000Z';
const idOf = (kind: string, n: number) => `00000000-${kind}-4000-8000-${String(n).padStart(12, '0')}`;

it('finds the one right listing among a thousand of many sellers', async () => {
  const market = createTestMarketplace();
  const ports = market.newPorts();
  const sellerNumbers = Array.from({ length: SELLERS }, (_, n) => n);
  await insertRows(
    ports.market,
    agents,
    sellerNumbers.map((n) => ({
      id: idOf('1111', n),
      name: `Seller ${n}`,
      handle: `seller-${n}`,
      sellerLabel: `seller-${n}`,
      buyerLabel: `buyer-${n}`,
      createdAt: CREATED_AT,
    })),
  );
  await insertRows(
    ports.market,
    sellers,
    sellerNumbers.map((n) => ({ agentId: idOf('1111', n), registeredAt: CREATED_AT })),
  );
  await insertRows(
    ports.market,
    listings,
    GENERATED.map(({ seller, key: _, ...listing }, n) => ({
      ...listing,
      id: idOf('0000', n),
      sellerId: idOf('1111', seller),
      sellerKind: 'third_party' as const,
      status: 'active' as const,
      preview: {},
      listingType: 'standard' as const,
      fulfilment: 'digital' as const,
      fingerprint: 'sha256:0',
      historyDigest: `sha256:${n}`,
    })),
  );
  expect(await sweepSearchOutbox(ports)).toBe(GENERATED.length);

  const ids = new Map(GENERATED.map(({ key }, n) => [key, idOf('0000', n)]));
  expect([ids.size, GENERATED_QUESTIONS.length]).toEqual([1000, 40]);
  const questions = GENERATED_QUESTIONS.map(([question, key]) => [question, ids.get(key) ?? key] as const);
  const { inTopThree, missed } = await measureRecall(market, questions);
  expect(inTopThree, missed.join('\n')).toBeGreaterThanOrEqual(0.9);
}, 120_000);
