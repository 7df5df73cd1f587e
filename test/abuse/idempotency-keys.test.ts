import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { expect, it } from 'vitest';

// An Idempotency-Key without an API key belongs to whoever sent it: others who use the same text get answers of their own.

const sales = createSalesMarketplace();
const SHARED_BY_WORKERS = '2a06:98c0:3600::103';
const listing = await sales.listing({ priceCents: 0 });
let keys = 0;

async function buy(key: string, from: Record<string, string>, city = 'Brest') {
  const response = await sales.market.request('POST', `/marketplace/listings/${listing.id}/purchase`, {
    headers: { 'idempotency-key': key, ...from },
    body: { query: { city } },
  });
  const { body } = await readSigned(response);
  return { status: response.status, id: body.id, code: body.code };
}

const worker = (zone: string) => ({ 'cf-connecting-ip': SHARED_BY_WORKERS, 'cf-worker': zone });
const at = (address: string) => ({ 'cf-connecting-ip': address });
const newKey = () => `order-${++keys}`;

it('of two Workers of different zones, each has its own answer', async () => {
  const key = newKey();
  const first = await buy(key, worker('victim.example'));
  expect(first.status).toBe(200);
  const second = await buy(key, worker('attacker.example'));
  expect(second.status).toBe(200);
  expect(second.id).not.toBe(first.id);
  // Nor does another body tell that the key is in use.
  expect((await buy(key, worker('third.example'), 'Kiel')).status).toBe(200);
});

it('a header of Workers from an address that is not theirs names nobody', async () => {
  const key = newKey();
  const first = await buy(key, worker('victim.example'));
  const forged = await buy(key, { ...at('192.0.2.66'), 'cf-worker': 'victim.example' });
  expect([first.status, forged.status]).toEqual([200, 200]);
  expect(forged.id).not.toBe(first.id);
});

it('of two networks, each has its own answer', async () => {
  const key = newKey();
  const ids = [];
  for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8:1:2::1', '2001:db8:1:3::1']) {
    ids.push((await buy(key, at(address))).id);
  }
  expect(new Set(ids).size).toBe(4);
});

it('the same client gets its first answer again, from another address of its IPv6 network too', async () => {
  const key = newKey();
  const [first, again, moved] = [
    await buy(key, at('2001:db8:7:7::1')),
    await buy(key, at('2001:db8:7:7::1')),
    await buy(key, at('2001:db8:7:7:ffff::2')),
  ];
  expect([again.id, moved.id]).toEqual([first.id, first.id]);
  const zoneKey = newKey();
  const inZone = await buy(zoneKey, worker('victim.example'));
  expect((await buy(zoneKey, worker('victim.example'))).id).toBe(inZone.id);
});
