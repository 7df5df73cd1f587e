import { afterEach, describe, expect, it } from 'vitest';
import { deliverAgentEvents, recordAgentEvent } from '../agents/index.ts';
import { isoTime } from '../kernel/time.ts';
import { sweepSearchOutbox } from '../listings/index.ts';
import { sweepReputations } from '../search/index.ts';
import { replied, type ScriptedReply, sellerOf } from '../testing/doubles/fake-seller-endpoint.ts';
import { newListingOf, verifiedSellerOf } from '../testing/fixtures/new-listing.ts';
import { newAgentOf, type RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();
const { sellerEndpoint: receiver } = market;

afterEach(async () => {
  receiver.script = sellerOf({});
  await market.background.settled();
  receiver.requests.length = 0;
});
receiver.script = sellerOf({});

async function change({ apiKey }: RegisteredAgent, body: object, headers: Record<string, string> = {}) {
  const response = await market.request('PATCH', '/agents/me', { apiKey, body, headers });
  return { status: response.status, ...(await readSigned(response)).body } as Record<string, unknown>;
}
const own = async ({ apiKey }: RegisteredAgent) =>
  (await readSigned(await market.request('GET', '/agents/me', { apiKey }))).body;

async function record(agent: RegisteredAgent): Promise<string> {
  const { market: db, ids, clock } = market.newPorts();
  const id = ids.uuid();
  await db.commit(recordAgentEvent(agent.id, 'sale.held', { purchaseId: 'p' }, id, isoTime(clock.now())));
  return id;
}

const OLD = 'https://old.example.com/events';
const NEW = 'https://new.example.com/events';

describe('PATCH /agents/me', () => {
  it('changes what is sent, keeps the rest, and answers the new record', async () => {
    const agent = await newAgentOf(market, { name: 'Private', displayName: 'First', callbackUrl: OLD });
    const { status, ...renamed } = await change(agent, { displayName: 'Second' });
    expect([status, renamed]).toEqual([200, await own(agent)]);
    expect(renamed).toMatchObject({ displayName: 'Second', callbackUrl: OLD });
    expect(await change(agent, { callback_url: null })).toMatchObject({
      displayName: 'Second',
      callbackUrl: null,
    });
    expect(await change(agent, { displayName: null })).toMatchObject({
      displayName: null,
      callbackUrl: null,
    });
    expect(await change(agent, {})).toMatchObject({ status: 200, displayName: null });
    expect(receiver.requests).toEqual([]);
  });

  it.each([
    'support',
    'A-d-m-i-n',
    'seller-abc123',
    'two\nlines',
    '',
    'x'.repeat(65),
    'sk_live_51H8abcdefghijklmnopqrstuv',
  ])('refuses the name %j, as registration does', async (displayName) => {
    const agent = await newAgentOf(market, { name: 'Private', displayName: 'Mine' });
    const registered = await market.request('POST', '/agents/register', { body: { name: 'x', displayName } });
    const { status, code } = await change(agent, { displayName, callbackUrl: NEW });
    const { body } = await readSigned(registered);
    expect([status, code]).toEqual([registered.status, body.code]);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await own(agent)).toMatchObject({ displayName: 'Mine', callbackUrl: null });
  });

  it('a new name is on the listings, and in browsing once they are indexed', async () => {
    const seller = await verifiedSellerOf(market);
    const { id } = await newListingOf(market, { title: 'Tides of Cork' }, seller);
    const nameIn = async (path: string) => {
      const { body } = await readSigned(await market.request('GET', path));
      const found = (body.listings as { id: string; sellerName: string }[] | undefined)?.find(
        (one) => one.id === id,
      );
      return (
        found?.sellerName ??
        (body.listing as { sellerName: string } | undefined)?.sellerName ??
        body.sellerName
      );
    };
    await sweepReputations(market.newPorts());
    await sweepSearchOutbox(market.newPorts());
    await change(seller, { displayName: 'Harbour Office' });
    expect(await nameIn(`/marketplace/listings/${id}`)).toBe('Harbour Office');
    await sweepReputations(market.newPorts());
    await sweepSearchOutbox(market.newPorts());
    expect(await nameIn('/marketplace/listings?q=cork')).toBe('Harbour Office');
  });
});

it('tells the mailbox and the feed of events that the callbackUrl changed, whoever changed it', async () => {
  const email = 'owner@example.com';
  const agent = await newAgentOf(market, { name: 'Private', email, callbackUrl: OLD });
  expect((await change(agent, { callbackUrl: NEW })).status).toBe(200);
  await change(agent, { callbackUrl: NEW });
  await change(agent, { callbackUrl: null });
  await change(agent, { callbackUrl: null });
  const { market: db } = market.newPorts();
  const sql =
    "SELECT data FROM agent_events WHERE agent_id = ? AND type = 'account.callback_changed' ORDER BY sequence";
  const told = await db.all<{ data: string }>({ sql, params: [agent.id] });
  expect(told.map(({ data }) => JSON.parse(data).host)).toEqual(['new.example.com', null]);
  const mailed =
    "SELECT text FROM mail_outbox WHERE recipient = ? AND purpose = 'account_notice' ORDER BY created_at";
  const mails = await db.all<{ text: string }>({ sql: mailed, params: [email] });
  expect(mails).toHaveLength(2);
  expect(mails.map(({ text }) => text).join()).toContain('new.example.com');
});

describe('the callbackUrl of before', () => {
  const toOld = () => receiver.requests.filter(({ url }) => url === OLD).map(({ body }) => JSON.parse(body));

  it.each([NEW, null])('is told once that it was changed, as by an event: to %s', async (callbackUrl) => {
    const agent = await newAgentOf(market, { name: 'Private', callbackUrl: OLD });
    await record(agent);
    // It takes events, and so agreed to be called.
    await deliverAgentEvents(market.newPorts());
    receiver.requests.length = 0;
    expect((await change(agent, { callbackUrl })).status).toBe(200);
    await market.background.settled();
    await deliverAgentEvents(market.newPorts());
    const host = callbackUrl === null ? null : 'new.example.com';
    const [told, ...more] = toOld();
    expect([told, more]).toMatchObject([{ type: 'account.callback_changed', data: { host } }, []]);
    const { body } = await readSigned(
      await market.request('GET', '/agents/me/events', { apiKey: agent.apiKey }),
    );
    expect((body.events as { id: string }[]).map(({ id }) => id)).toContain(told.id);
  });

  it('is not called where it never took an event, nor for a change that was refused', async () => {
    const agent = await newAgentOf(market, { name: 'Private', callbackUrl: OLD });
    await change(agent, { callbackUrl: null });
    const known = await newAgentOf(market, { name: 'Private', callbackUrl: OLD });
    await record(known);
    await deliverAgentEvents(market.newPorts());
    receiver.requests.length = 0;
    receiver.script = () => replied({ nonce: 'x' });
    expect((await change(known, { callbackUrl: NEW })).status).toBe(502);
    await market.background.settled();
    expect(toOld()).toEqual([]);
  });
});

describe('a new callbackUrl', () => {
  it('is called once it answered a challenge with its nonce, and gets what waited for the old one', async () => {
    const agent = await newAgentOf(market, { name: 'Private', callbackUrl: OLD });
    const eventId = await record(agent);
    expect(await change(agent, { callbackUrl: NEW })).toMatchObject({ status: 200, callbackUrl: NEW });
    const [challenge] = receiver.requests;
    expect(challenge?.url).toBe(NEW);
    expect(JSON.parse(challenge?.body ?? '')).toMatchObject({ type: 'verification_challenge' });
    receiver.requests.length = 0;
    await deliverAgentEvents(market.newPorts());
    // And the notice of the change itself.
    expect(receiver.requests.map(({ url, body }) => [url, JSON.parse(body).id])).toEqual([
      [NEW, eventId],
      [NEW, expect.any(String)],
    ]);
    // The same again needs no proof.
    receiver.requests.length = 0;
    expect(await change(agent, { callbackUrl: NEW })).toMatchObject({ status: 200 });
    expect(receiver.requests).toEqual([]);
  });

  it.each([
    ['another nonce', (): ScriptedReply => replied({ nonce: 'x' }), 502],
    ['an error', (): ScriptedReply => replied('', 500), 502],
    [
      'for another agent',
      ({ body }: { body: string }): ScriptedReply =>
        replied({ nonce: (JSON.parse(body) as { nonce: string }).nonce, sellerId: crypto.randomUUID() }),
      502,
    ],
    ['nothing', (): ScriptedReply => ({ kind: 'timed_out' }), 504],
  ])('that answers %s changes nothing, not even what else was sent', async (_, script, expected) => {
    const agent = await newAgentOf(market, { name: 'Private', displayName: 'Mine', callbackUrl: OLD });
    receiver.script = script;
    const { status } = await change(agent, { callbackUrl: NEW, displayName: 'Other' });
    expect(status).toBe(expected);
    expect(await own(agent)).toMatchObject({ displayName: 'Mine', callbackUrl: OLD });
  });

  it.each([
    'http://example.com/',
    'https://10.0.0.1/',
    'https://host.internal/',
    'https://a:b@example.com/',
    'x',
    '',
  ])('is refused where nobody may be called: %j', async (callbackUrl) => {
    const agent = await newAgentOf(market, { name: 'Private', callbackUrl: OLD });
    expect((await change(agent, { callbackUrl })).status).toBe(400);
    expect(receiver.requests).toEqual([]);
    expect((await own(agent)).callbackUrl).toBe(OLD);
  });

  it('that never answers costs its host few calls a day', async () => {
    receiver.script = () => replied('', 500);
    const codes = new Set<unknown>();
    for (let n = 0; n < 25; n += 1) {
      const agent = await newAgentOf(market);
      codes.add((await change(agent, { callbackUrl: 'https://victim.example.com/x' })).code);
    }
    expect([...codes]).toEqual(['endpoint_not_verified', 'daily_limit_reached']);
    expect(receiver.requests).toHaveLength(20);
  });

  it('null: nothing is sent any more, and every event is still read', async () => {
    const agent = await newAgentOf(market, { name: 'Private', callbackUrl: OLD });
    await record(agent);
    expect(await change(agent, { callbackUrl: null })).toMatchObject({
      callbackUrl: null,
      events: { pending: 0 },
    });
    await record(agent);
    expect(await deliverAgentEvents(market.newPorts())).toBe(0);
    const { body } = await readSigned(
      await market.request('GET', '/agents/me/events', { apiKey: agent.apiKey }),
    );
    const types = (body.events as { type: string }[]).map(({ type }) => type);
    expect(types.toSorted()).toEqual(['account.callback_changed', 'sale.held', 'sale.held']);
  });

  it('is changed once for one Idempotency-Key', async () => {
    const agent = await newAgentOf(market);
    const headers = { 'idempotency-key': 'one' };
    const first = await change(agent, { callbackUrl: NEW }, headers);
    expect(await change(agent, { callbackUrl: NEW }, headers)).toMatchObject({
      status: 200,
      callbackUrl: first.callbackUrl,
    });
    expect(receiver.requests).toHaveLength(1);
    expect((await change(agent, { callbackUrl: null }, headers)).status).toBe(422);
  });
});
