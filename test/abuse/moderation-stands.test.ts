import { AS_OPERATOR } from '@agent-marketplace/core/testing/fixtures/new-inquiry.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import fc from 'fast-check';
import { expect, it } from 'vitest';

// Whatever a seller tries, in whatever order: what was blocked or suspended stays so until an operator says otherwise.

const sales = createSalesMarketplace();
const CONTENT = { title: 'Forged passports', description: 'Of any country.', preview: {}, priceCents: 0 };

interface Shop {
  readonly seller: RegisteredAgent & { readonly accountId: string };
  readonly blockedId: string;
  readonly copyId: string;
  readonly otherId: string;
}

const MOVES = {
  reactivate: (shop) => change(shop, shop.blockedId, { active: true }),
  newVersion: (shop) => change(shop, shop.blockedId, { title: 'Passports', active: true }),
  newPrice: (shop) => change(shop, shop.blockedId, { priceCents: 100 }),
  deactivate: (shop) => ask(shop, 'POST', `/marketplace/listings/${shop.blockedId}/deactivate`, {}),
  reactivateCopy: (shop) => change(shop, shop.copyId, { active: true }),
  listAgain: (shop) => ask(shop, 'POST', '/marketplace/listings', { ...CONTENT, consent: true }),
  turnOther: (shop) => change(shop, shop.otherId, { title: CONTENT.title }),
  reactivateOther: (shop) => change(shop, shop.otherId, { active: true }),
  setEndpoint: (shop) => ask(shop, 'POST', '/sell/callback', { callbackUrl: 'http://localhost:9/deliver' }),
  registerAgain: (shop) => ask(shop, 'POST', '/sell/register', {}),
  buyOwn: (shop) => ask(shop, 'POST', `/marketplace/listings/${shop.blockedId}/purchase`, {}),
  appeal: (shop) => ask(shop, 'POST', '/appeals', { decisionId: shop.blockedId, text: 'Please.' }),
  onboard: async ({ seller }) => {
    sales.cards.onboard(seller.accountId);
    await sales.pass(3600_000, 1);
  },
} satisfies Record<string, (shop: Shop) => Promise<unknown>>;
type Move = keyof typeof MOVES;

function ask({ seller }: Shop, method: string, path: string, body: object) {
  sales.market.clock.advance(61_000);
  return sales.request(method, path, seller.apiKey, body);
}
const change = (shop: Shop, id: string, patch: object) =>
  ask(shop, 'PATCH', `/marketplace/listings/${id}`, patch);

async function operate(path: string, body: object): Promise<void> {
  expect((await sales.request('POST', path, null, body, AS_OPERATOR)).status).toBe(200);
}

async function newShop(): Promise<Shop> {
  const seller = await sales.seller();
  const [blockedId, copyId, otherId] = [
    (await sales.listing(CONTENT, seller)).id,
    (await sales.listing(CONTENT, seller)).id,
    (await sales.listing({ ...CONTENT, title: 'Stamps' }, seller)).id,
  ];
  await operate(`/admin/listings/${blockedId}/block`, {
    blocked: true,
    rule: 'unlawful_goods',
    reason: 'Forged.',
  });
  return { seller, blockedId, copyId, otherId };
}

const activeOf = async ({ seller }: Shop) =>
  (
    await sales.rows<{ title: string }>(
      `SELECT title FROM listings WHERE seller_id = ? AND status <> 'inactive' AND (status = 'active' OR title = ?)`,
      seller.id,
      CONTENT.title,
    )
  ).map(({ title }) => title);

const moves = fc.array(fc.constantFrom(...(Object.keys(MOVES) as Move[])), { minLength: 1, maxLength: 8 });

it('a blocked listing, and its content under its seller', async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (tried) => {
      const shop = await newShop();
      for (const move of tried) await MOVES[move](shop);
      expect(await activeOf(shop)).not.toContain(CONTENT.title);
      const [row] = await sales.rows(
        'SELECT status, blocked_rule AS rule FROM listings WHERE id = ?',
        shop.blockedId,
      );
      expect(row).toEqual({ status: 'inactive', rule: 'unlawful_goods' });
    }),
    { numRuns: 8, seed: 7 },
  );
});

it('a suspended agent, with all that it lists', async () => {
  await fc.assert(
    fc.asyncProperty(moves, async (tried) => {
      const shop = await newShop();
      const suspension = { suspended: true, rule: 'deception', reason: 'Lies.' };
      await operate(`/admin/agents/${shop.seller.id}/suspension`, suspension);
      for (const move of tried) await MOVES[move](shop);
      expect(await activeOf(shop)).toEqual([]);
      expect((await sales.request('GET', '/agents/me', shop.seller.apiKey)).body).toMatchObject({
        state: 'suspended',
      });
    }),
    { numRuns: 8, seed: 7 },
  );
});
