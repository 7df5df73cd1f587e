import { createSalesMarketplace } from '@agent-marketplace/core/testing/sales-marketplace.ts';
import { testBindings } from '@agent-marketplace/core/testing/workers-bindings.ts';
import { beforeEach, describe, expect, it } from 'vitest';

// Anybody may name the address of somebody else: a person must not be flooded, however the address is spelled.

const sales = createSalesMarketplace();
const SPELLINGS = Array.from({ length: 10 }, (_, n) =>
  [`victim+${n}@example.com`, `VICTIM+a+${n}@Example.COM`, 'Victim@example.com'].at(n % 3),
);
const LISTING = {
  title: 'Tide tables of Brest',
  description: 'High and low water, computed.',
  preview: {},
  priceCents: 0,
  consent: true,
  vertical: 'market-data',
};

async function mailsTo(person: RegExp): Promise<number> {
  const { results } = await testBindings.DB.prepare('SELECT recipient FROM mail_outbox').all<{
    recipient: string;
  }>();
  return results.filter(({ recipient }) => person.test(recipient)).length;
}

/** As whoever has many networks, and waits for the limits by the minute. */
function post(path: string, body: object, n: number, key: string | null = null) {
  sales.market.clock.advance(60_000);
  return sales.request('POST', path, key, body, { 'cf-connecting-ip': `203.0.113.${n}` });
}

const ways: Readonly<Record<string, (email: string, n: number) => Promise<number>>> = {
  'a free purchase': async (email, n) => {
    const listing = await sales.listing({ priceCents: 0 });
    return (await post(`/marketplace/listings/${listing.id}/purchase`, { email }, n)).status;
  },
  'a link to claim': async (email, n) => {
    const { body } = await post('/agents/register', { name: 'New seller', email }, n);
    return (await post('/marketplace/listings', LISTING, n, (body as unknown as { apiKey: string }).apiKey))
      .status;
  },
  'an inquiry': async (email, n) =>
    (await post('/inquiries', { subject: 'Hello', message: 'Are you there?', email }, n)).status,
};
const MOST: Readonly<Record<string, number>> = {
  'a free purchase': 3,
  'a link to claim': 1,
  'an inquiry': 0,
};

beforeEach(() => testBindings.DB.prepare('DELETE FROM mail_outbox').run());

describe.each(Object.keys(ways))('by %s', (way) => {
  const cause = ways[way] as (typeof ways)[string];

  it('one person gets a few mails a day, in all spellings of the address together', async () => {
    for (const [n, email] of SPELLINGS.entries()) {
      expect(await cause(email as string, n)).toBeLessThan(300);
    }
    expect(await mailsTo(/^victim/i)).toBe(MOST[way]);
    // Others are not among those: neither the same name elsewhere nor a name that only begins alike.
    for (const email of ['victim@example.org', 'victim.other@example.com', '+victim@example.com']) {
      expect(await cause(email, 100)).toBeLessThan(300);
      const others = MOST[way] === 0 ? 0 : 1;
      const [name = '', host = ''] = email.split('@');
      const person = new RegExp(`^${name.replaceAll(/[.+]/g, '\\$&')}@${host}$`);
      expect(await mailsTo(person), email).toBe(others);
    }
  });
});
