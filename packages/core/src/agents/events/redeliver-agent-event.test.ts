import { afterEach, describe, expect, it } from 'vitest';
import { isoTime } from '../../kernel/time.ts';
import { replied } from '../../testing/doubles/fake-seller-endpoint.ts';
import { newAgentOf, type RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';
import { beginContentPush, deliverAgentEvents, recordAgentEvent } from '../index.ts';

const market = createTestMarketplace();
const { sellerEndpoint: receiver } = market;
receiver.script = () => replied('');

afterEach(async () => {
  receiver.script = () => replied('');
  await market.background.settled();
  await deliverAgentEvents(market.newPorts());
  receiver.requests.length = 0;
});

let listeners = 0;
async function newListener(): Promise<{ agent: RegisteredAgent; eventId: string }> {
  listeners += 1;
  const callbackUrl = `https://redelivery-${listeners}.example.com/hook`;
  const agent = await newAgentOf(market, { name: 'Listener', callbackUrl });
  return { agent, eventId: await record(agent) };
}
async function record(agent: RegisteredAgent): Promise<string> {
  const { market: db, ids, clock } = market.newPorts();
  const id = ids.uuid();
  await db.commit(recordAgentEvent(agent.id, 'sale.held', { purchaseId: 'p' }, id, isoTime(clock.now())));
  return id;
}
async function redeliver(eventId: string, { apiKey }: RegisteredAgent, idempotencyKey = '') {
  const response = await market.request('POST', `/agents/me/events/${eventId}/redeliver`, {
    apiKey,
    headers: idempotencyKey ? { 'idempotency-key': idempotencyKey } : {},
  });
  const { body } = await readSigned(response);
  return { status: response.status, code: body.code, redeliveries: body.redeliveries };
}
const sent = () => receiver.requests.map(({ body }) => JSON.parse(body) as { id: string });

describe('POST /agents/me/events/{id}/redeliver', () => {
  it('sends what was delivered, or given up, once more: the same bytes', async () => {
    const { agent, eventId } = await newListener();
    await deliverAgentEvents(market.newPorts());
    market.jobs.sent.length = 0;
    expect(await redeliver(eventId, agent)).toMatchObject({ status: 202, redeliveries: 1 });
    await market.background.settled();
    expect(market.jobs.sent).toEqual([{ kind: 'outbox' }]);
    receiver.script = () => replied('', 500);
    await deliverAgentEvents(market.newPorts());
    receiver.script = () => replied('');
    expect(await redeliver(eventId, agent)).toMatchObject({ status: 202, redeliveries: 2 });
    await deliverAgentEvents(market.newPorts());
    expect(sent()).toHaveLength(3);
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
  });

  it('is once for one Idempotency-Key, and ten times for one event', async () => {
    const { agent, eventId } = await newListener();
    for (let nth = 1; nth <= 10; nth += 1)
      expect(await redeliver(eventId, agent, `key ${nth}`)).toMatchObject({ status: 202, redeliveries: nth });
    expect(await redeliver(eventId, agent, 'key 10')).toMatchObject({ status: 202, redeliveries: 10 });
    expect(await redeliver(eventId, agent)).toMatchObject({ status: 409, code: 'redeliveries_spent' });
  });

  it('never of another agent’s event, of none, nor without a callback URL', async () => {
    const [one, other] = [await newListener(), await newListener()];
    expect(await redeliver(one.eventId, other.agent)).toMatchObject({ status: 404, code: 'event_not_found' });
    expect(await redeliver(crypto.randomUUID(), other.agent)).toMatchObject({ status: 404 });
    const silent = await newAgentOf(market);
    expect(await redeliver(await record(silent), silent)).toMatchObject({
      status: 409,
      code: 'no_callback_url',
    });
    await deliverAgentEvents(market.newPorts());
    expect(
      sent()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([one.eventId, other.eventId].sort());
  });

  it('waits for the content that is being sent with it just now', async () => {
    const { agent, eventId } = await newListener();
    const until = isoTime(market.clock.now() + 60_000);
    await market.newPorts().market.commit([beginContentPush(eventId, until)]);
    expect((await redeliver(eventId, agent)).status).toBe(202);
    expect(await deliverAgentEvents(market.newPorts())).toBe(0);
    market.clock.advance(60_000);
    expect(await deliverAgentEvents(market.newPorts())).toBe(1);
  });
});
