import { sendMail } from '@agent-marketplace/core/mail/index.ts';
import { writeReceiptMails } from '@agent-marketplace/core/purchases/index.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
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

  it('dots and the two domains of Gmail make no other person, and each mail goes to the address as it was written', async () => {
    const most = MOST[way] ?? 0;
    const spellings = [
      'v.ictim@gmail.com',
      'vi.c.tim@googlemail.com',
      'Victim+a.b@GMail.com',
      'vict.im@gmail.com',
    ];
    for (const [n, email] of spellings.entries()) expect(await cause(email, n)).toBeLessThan(300);
    expect(await mailsTo(/mail\.com$/i)).toBe(most);
    expect(await mailsTo(/^v\.ictim@gmail\.com$/)).toBe(Math.min(1, most));
    for (const email of ['v.ictim@example.net', 'victim@example.net']) await cause(email, 100);
    expect(await mailsTo(/@example\.net$/)).toBe(Math.min(1, most) * 2);
  });

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

describe('by purchases of a listing of its own, paid with a cent each', () => {
  it('one person gets ten receipts a day, and the others once a day in one mail without words of a stranger', async () => {
    const { market } = sales;
    const run = async () => {
      await writeReceiptMails(market.newPorts());
      await sendMail(market.newPorts());
      return market.mail.tried.filter(({ to }) => /^victim/i.test(to));
    };
    const buyer = await sales.newAgent();
    await sales.fund(buyer, 5000);
    const listing = await sales.listing({ priceCents: 1, title: 'Call me now' });
    const ids: string[] = [];
    for (const n of Array(14).keys()) {
      const { status, body } = await sales.buy(listing.id, buyer, {
        body: { email: SPELLINGS[n % SPELLINGS.length] },
      });
      expect(status).toBe(200);
      ids.push(body.id as string);
    }
    // Somebody else's receipt does not wait for them.
    await sales.buy(listing.id, buyer, { body: { email: 'other@example.com' } });
    await run();
    expect(await run()).toHaveLength(10);
    expect(market.mail.tried.filter(({ to }) => to === 'other@example.com')).toHaveLength(1);
    market.clock.advance(23 * 3_600_000);
    expect(await run()).toHaveLength(10);
    market.clock.advance(2 * 3_600_000);
    const mails = await run();
    expect(mails).toHaveLength(11);
    expect(await run()).toHaveLength(11);
    const digest = mails.at(-1)?.text ?? '';
    const singly = mails.slice(0, 10).map(({ reference }) => reference.replace('purchase_receipt:', ''));
    for (const id of ids.filter((one) => !singly.includes(one))) expect(digest).toContain(id);
    expect(digest).not.toContain('Call me now');
    // Each receipt is where it was.
    const last = await sales.read(ids.at(-1) as string, buyer, 'omit');
    expect(last.body).toMatchObject({ receipt: { statement: { purchaseId: ids.at(-1) } } });
  });
});
