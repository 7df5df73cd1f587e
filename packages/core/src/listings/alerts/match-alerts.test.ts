import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../kernel/time.ts';
import { breakCommit } from '../../testing/doubles/break-commit.ts';
import { newListingOf, verifiedSellerOf } from '../../testing/fixtures/new-listing.ts';
import {
  addPendingListing,
  newAgentOf,
  newSellerOf,
  type RegisteredAgent,
} from '../../testing/fixtures/new-seller.ts';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';
import { activatePendingListings } from '../listings.store.ts';
import { matchAlerts } from './match-alerts.ts';

const market = createTestMarketplace();
const SITE = { siteUrl: 'https://market.example', sendsMail: true };
let agent: RegisteredAgent;
beforeEach(async () => {
  agent = await newAgentOf(market);
});

const run = () => matchAlerts(market.newPorts(), SITE);

async function send(method: string, path: string, body?: object, by = agent) {
  const response = await market.request(method, path, { apiKey: by.apiKey, ...(body ? { body } : {}) });
  const read = await readSigned(response);
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  return { status: response.status, body: read.body as any };
}
const create = (body: object, by = agent) => send('POST', '/agents/me/alerts', body, by);
const list = async () => (await send('GET', '/agents/me/alerts')).body.alerts;
const eventsOf = async (by = agent) =>
  (await send('GET', '/agents/me/events', undefined, by)).body.events.filter(
    ({ type }: { type: string }) => type === 'alert.matched',
  );
const mails = async () =>
  (
    await testBindings.DB.prepare(
      "SELECT recipient, subject, text FROM mail_outbox WHERE purpose = 'alert_notice'",
    ).all()
  ).results as { recipient: string; subject: string; text: string }[];

let words = 0;
/** Of a title that no other test has. */
function newWord(): string {
  words += 1;
  return `zirconium${words}`;
}

describe('an alert', () => {
  it('tells once, by an event, of the first listings that its search finds', async () => {
    const word = newWord();
    const { status, body: alert } = await create({ q: `${word} prices` });
    expect(status).toBe(201);
    expect(alert).toMatchObject({
      q: `${word} prices`,
      matchedAt: null,
      listingIds: [],
      price: 'all',
      byMail: false,
    });
    await newListingOf(market, { title: `${word} weather` });
    await run();
    expect(await eventsOf()).toEqual([]);
    const { id } = await newListingOf(market, { title: `Daily ${word} prices` });
    await run();
    await newListingOf(market, { title: `Hourly ${word} prices` });
    await run();
    expect((await eventsOf()).map(({ data }: { data: object }) => data)).toEqual([
      { alertId: alert.id, listingIds: [id] },
    ]);
    expect(await list()).toMatchObject([{ id: alert.id, listingIds: [id], matchedAt: expect.any(String) }]);
    expect(await mails()).toEqual([]);
  });

  it('is for a search that finds nothing: what is there already is said, and words that only some have are not enough', async () => {
    const word = newWord();
    await newListingOf(market, { title: `Daily ${word} prices` });
    expect(await create({ q: word })).toMatchObject({ status: 409, body: { code: 'alert_not_needed' } });
    expect((await create({ q: `${word} ${newWord()}` })).status).toBe(201);
  });

  it('keeps to its category, its vertical and its price, and is not of the own listings', async () => {
    const word = newWord();
    const seller = await verifiedSellerOf(market);
    await create({ q: word, category: 'compute' });
    await create({ q: word, price: 'paid' });
    await create({ q: word, vertical: 'weather-environment' }, seller);
    await newListingOf(market, { title: `Daily ${word} prices`, vertical: 'weather-environment' }, seller);
    await run();
    expect(await eventsOf()).toEqual([]);
    expect(await eventsOf(seller)).toEqual([]);
    await newListingOf(market, { title: `${word} of others`, vertical: 'weather-environment' });
    await run();
    expect(await eventsOf(seller)).toHaveLength(1);
    expect(await eventsOf()).toEqual([]);
  });

  it('sees a listing that waited for its seller, when it becomes active', async () => {
    const word = newWord();
    await create({ q: word });
    const seller = await newSellerOf(market);
    const id = await addPendingListing(market, seller.id, { title: `${word} of tomorrow` });
    await run();
    expect(await eventsOf()).toEqual([]);
    const ports = market.newPorts();
    await testBindings.DB.prepare(
      "INSERT INTO delivery_endpoints (seller_id, callback_url, callback_type, verified_at) VALUES (?, 'https://a.example.com/', 'webhook', '2026-06-01T12:00:00.000Z')",
    )
      .bind(seller.id)
      .run();
    await ports.market.commit([activatePendingListings(seller.id)].flat());
    await run();
    expect((await eventsOf()).map(({ data }: { data: { listingIds: string[] } }) => data.listingIds)).toEqual(
      [[id]],
    );
  });

  it('is sent by mail to an address that was proved, and names no words of a seller', async () => {
    const word = newWord();
    expect(await create({ q: word, byMail: true })).toMatchObject({
      status: 409,
      body: { code: 'email_not_verified' },
    });
    await testBindings.DB.prepare('UPDATE agents SET email = ?, email_verified_at = created_at WHERE id = ?')
      .bind(`${word}@example.com`, agent.id)
      .run();
    expect((await create({ q: word, byMail: true })).status).toBe(201);
    const { id } = await newListingOf(market, { title: `${word} <b>cheap</b> https://evil.example` });
    await run();
    await run();
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ recipient: `${word}@example.com`, subject: 'There is one now' });
    expect(mail?.text).toContain(`https://market.example/listings/${id}`);
    expect(mail?.text).not.toContain('evil');
  });

  it('can be removed, by its owner alone, and then tells nothing', async () => {
    const word = newWord();
    const { body: alert } = await create({ q: word });
    const other = await newAgentOf(market);
    const path = `/agents/me/alerts/${alert.id}`;
    expect((await send('DELETE', path, undefined, other)).body.code).toBe('alert_not_found');
    expect(await send('DELETE', path)).toMatchObject({ status: 200, body: { id: alert.id } });
    expect((await send('DELETE', path)).body.code).toBe('alert_not_found');
    await newListingOf(market, { title: word });
    await run();
    expect(await eventsOf()).toEqual([]);
    expect(await list()).toEqual([]);
  });

  it('waits for 180 days, and twenty may wait', async () => {
    const word = newWord();
    for (let n = 0; n < 20; n += 1) expect((await create({ q: `${word} ${n}` })).status).toBe(201);
    expect(await create({ q: word })).toMatchObject({ status: 409, body: { code: 'alert_limit_reached' } });
    market.clock.advance(180 * DAY_MS);
    await run();
    expect(await list()).toEqual([]);
    expect((await create({ q: word })).status).toBe(201);
  });

  it('asks for something', async () => {
    expect((await create({})).status).toBe(400);
    expect((await create({ price: 'free' })).status).toBe(400);
    expect((await create({ q: '   ' })).status).toBe(400);
    expect((await create({ vertical: 'no-such' })).status).toBe(400);
  });
});

it('a minute in which nothing came on the market looks at no alert', async () => {
  await create({ q: newWord() });
  await newListingOf(market, { title: newWord() });
  await run();
  market.search.roundTrips.length = 0;
  await run();
  expect(market.search.count).toBe(0);
});

it('a failure at any point tells all the same, and once', async () => {
  for (let at = 0; at < 10; at += 1) {
    const word = newWord();
    const owner = await newAgentOf(market);
    await create({ q: word }, owner);
    await newListingOf(market, { title: word });
    const ports = market.newPorts();
    await matchAlerts({ ...ports, market: breakCommit(ports.market, at) }, SITE).catch(() => {});
    await Promise.all([run(), run()]);
    expect(await eventsOf(owner), `commit ${at}`).toHaveLength(1);
  }
});

it.each(['***', '\u200b', '- ?!'])('an alert needs a word: not %j', async (q) => {
  expect(await send('POST', '/agents/me/alerts', { q, category: 'data' })).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', errors: [{ path: 'q' }] },
  });
});
