import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../kernel/time.ts';
import { AS_OPERATOR, inquiriesOf } from '../testing/fixtures/new-inquiry.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';
import { sendMail } from './index.ts';

let market = createTestMarketplace();
beforeEach(async () => {
  market = createTestMarketplace();
  await testBindings.DB.prepare('DELETE FROM mail_outbox').run();
});

const LISTING = {
  title: 'Tide tables of Brest',
  description: 'High and low water, computed.',
  preview: { rows: 2 },
  priceCents: 0,
  consent: true,
  vertical: 'market-data',
};

async function seller(fields: object): Promise<() => Promise<string | undefined>> {
  const { post } = inquiriesOf(market);
  const { body } = await post('/agents/register', { name: 'New seller', ...fields });
  return async () => {
    const { status, body: listed } = await post('/marketplace/listings', LISTING, {
      'x-api-key': body.apiKey,
    });
    expect(status).toBe(201);
    return listed.claimUrl;
  };
}

describe('a claim link', () => {
  it('goes to the address of the seller, once as long as it is the same link', async () => {
    const list = await seller({ email: 'owner@example.com' });
    const claimUrl = await list();
    expect(await list()).toBe(claimUrl);
    await sendMail(market.newPorts());
    expect(market.mail.tried).toHaveLength(1);
    expect(market.mail.tried[0]).toMatchObject({ to: 'owner@example.com' });
    expect(market.mail.tried[0]?.text).toContain(claimUrl);
    const kept = await testBindings.DB.prepare('SELECT text FROM mail_outbox').first<{ text: string }>();
    expect(kept?.text).toBe('');
    market.clock.advance(7 * DAY_MS);
    const renewed = await list();
    expect(renewed).not.toBe(claimUrl);
    await sendMail(market.newPorts());
    expect(market.mail.tried.map(({ text }) => text.includes(String(renewed)))).toEqual([false, true]);
  });

  it('goes to an address once a day and five times in 30 days, whoever gives it and however it is written', async () => {
    const victims = ['victim@example.com', 'Victim@Example.com', 'victim+1@example.com'];
    const claimUrls = await Promise.all(
      [...victims, ...victims].map(async (email) => (await seller({ email }))()),
    );
    expect(new Set(claimUrls).size).toBe(6);
    expect(claimUrls.every((url) => url?.includes('/claim/'))).toBe(true);
    await (await seller({ email: 'victim@example.org' }))();
    expect(await sendMail(market.newPorts())).toBe(2);
    for (let day = 1; day < 29; day += 1) {
      market.clock.advance(DAY_MS);
      await (await seller({ email: 'victim@example.com' }))();
      await sendMail(market.newPorts());
    }
    expect(market.mail.tried.filter(({ to }) => /example\.com$/i.test(to))).toHaveLength(5);
  });

  it('goes nowhere without an address, and where no mail is sent', async () => {
    await (await seller({}))();
    market = createTestMarketplace({ settings: { sendsMail: false } });
    await (await seller({ email: 'owner@example.com' }))();
    expect(await sendMail(market.newPorts())).toBe(0);
  });

  it('is in no list that the operator sees', async () => {
    const claimUrl = await (await seller({ email: 'owner@example.com' }))();
    const { body } = await inquiriesOf(market).get('/admin/mail', AS_OPERATOR);
    expect(body).toMatchObject({
      total: 1,
      mails: [{ purpose: 'claim_link', recipient: 'owner@example.com' }],
    });
    expect(JSON.stringify(body)).not.toContain(String(claimUrl));
  });
});
