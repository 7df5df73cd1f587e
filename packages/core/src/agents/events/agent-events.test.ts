import { afterEach, describe, expect, it } from 'vitest';
import { clause } from '../../../../../test/conformance/clause.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { replied, type ScriptedReply } from '../../testing/doubles/fake-seller-endpoint.ts';
import { newAgentOf, type RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';
import { deleteOldAgentEvents, deliverAgentEvents, recordAgentEvent, sendMessage } from '../index.ts';

const market = createTestMarketplace();
const { sellerEndpoint: receiver } = market;
const ports = (): Ports => market.newPorts();
const heard = () => replied('');

afterEach(async () => {
  market.market.fault = () => undefined;
  receiver.script = heard;
  await market.background.settled();
  // Nothing due is left over for the next test.
  market.clock.advance(2 * DAY_MS);
  await deliverAgentEvents(ports(), 10_000);
  receiver.requests.length = 0;
});

let listeners = 0;
function newListener(): Promise<RegisteredAgent> {
  listeners += 1;
  return newAgentOf(market, { name: 'Listener', callbackUrl: `https://agent-${listeners}.example.com/hook` });
}

/** Listeners whose callbacks acknowledged an event before, so that none of theirs is counted by the day. */
async function confirmedListeners(times: number): Promise<RegisteredAgent[]> {
  const agents = await Promise.all(Array.from({ length: times }, newListener));
  for (const agent of agents) await record(agent);
  await deliverAgentEvents(ports());
  receiver.requests.length = 0;
  return agents;
}

async function record(agent: RegisteredAgent, times = 1): Promise<string[]> {
  const { market: db, ids, clock } = ports();
  const eventIds = Array.from({ length: times }, () => ids.uuid());
  const at = isoTime(clock.now());
  await db.commit(
    eventIds.flatMap((id) => recordAgentEvent(agent.id, 'sale.held', { purchaseId: 'p' }, id, at)),
  );
  return eventIds;
}

interface Events {
  givenUp: number;
  lastDeliveredAt: string | null;
  lastGivenUp: { id: string; type: string; givenUpAt: string; createdAt: string } | null;
  pending: number;
}

async function eventsOf(agent: RegisteredAgent): Promise<Events> {
  const { body } = await readSigned(await market.request('GET', '/agents/me', { apiKey: agent.apiKey }));
  return body.events as Events;
}

const sentIds = () => receiver.requests.map(({ body }) => (JSON.parse(body) as { id: string }).id);

describe('an event', () => {
  it('is recorded with what it tells of, and sent without what another agent wrote', async () => {
    const [from, to] = [await newAgentOf(market), await newListener()];
    market.jobs.sent.length = 0;
    const handle = to.connect.handle;
    const { json } = await market.call(sendMessage, { handle, text: 'SECRET' }, { apiKey: from.apiKey });
    await market.background.settled();
    expect(market.jobs.sent).toEqual([{ kind: 'outbox' }]);
    expect(await eventsOf(to)).toMatchObject({ pending: 1, givenUp: 0, lastDeliveredAt: null });

    expect(await deliverAgentEvents(ports())).toBe(1);
    const [request] = receiver.requests;
    expect(request).toMatchObject({ url: `https://agent-${listeners}.example.com/hook`, timeoutMs: 10_000 });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      createdAt: json.createdAt,
      data: { messageId: json.id },
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'message.received',
    });
    expect(await eventsOf(to)).toEqual({
      givenUp: 0,
      lastDeliveredAt: isoTime(market.clock.now()),
      lastGivenUp: null,
      pending: 0,
    });
  });

  it('is not made for an agent that gave no callbackUrl, nor if the change it tells of fails', async () => {
    const [from, deaf, to] = [await newAgentOf(market), await newAgentOf(market), await newListener()];
    market.jobs.sent.length = 0;
    const send = (agent: RegisteredAgent) =>
      market.call(sendMessage, { handle: agent.connect.handle, text: 'Hi' }, { apiKey: from.apiKey });
    await send(deaf);
    market.market.fault = (sql) =>
      sql.some((one) => /into "messages"/i.test(one)) ? 'lose_request' : undefined;
    await send(to);
    market.market.fault = () => undefined;
    await market.background.settled();
    expect(market.jobs.sent).toEqual([]);
    expect((await eventsOf(to)).pending).toBe(0);
    expect(await deliverAgentEvents(ports())).toBe(0);
  });

  clause('agents.callback-delivery');
  it('is sent once, though five wake-ups come, at once or late', async () => {
    const agent = await newListener();
    const ids = await record(agent, 3);
    await Promise.all(Array.from({ length: 5 }, () => deliverAgentEvents(ports())));
    market.clock.advance(HOUR_MS);
    await deliverAgentEvents(ports());
    expect(sentIds().sort()).toEqual(ids.sort());
  });

  it('is sent by one of two consumers that overlap, while its receiver takes its time', async () => {
    const agents = await Promise.all(Array.from({ length: 9 }, newListener));
    const ids = (await Promise.all(agents.map((agent) => record(agent, 2)))).flat();
    receiver.script = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return heard();
    };
    const tried = await Promise.all([deliverAgentEvents(ports()), deliverAgentEvents(ports())]);
    expect(tried[0] + tried[1]).toBe(18);
    expect(sentIds().sort()).toEqual(ids.sort());
  });

  it('of an agent that does not listen holds up nobody else', async () => {
    const [dead, alive] = [await newListener(), await newListener()];
    await record(dead, 20);
    await record(alive, 2);
    receiver.script = ({ url }) => (url.includes(`agent-${listeners}.`) ? heard() : { kind: 'timed_out' });
    // Three for the one that is silent; then it is put aside.
    expect(await deliverAgentEvents(ports(), 100)).toBe(5);
    expect((await eventsOf(alive)).pending).toBe(0);
    expect((await eventsOf(dead)).pending).toBe(20);
  });
});

describe('callbacks that never answer', () => {
  /** Whom so many runs ask, each for at most so many events. */
  async function waves(count: number, size = 4): Promise<string[][]> {
    const found: string[][] = [];
    for (let wave = 0; wave < count; wave += 1) {
      receiver.requests.length = 0;
      await deliverAgentEvents(ports(), size);
      found.push(receiver.requests.map(({ url }) => url));
    }
    return found;
  }
  const at = (host: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        newAgentOf(market, { name: 'Deaf', callbackUrl: `https://${host}/${n}` }),
      ),
    );
  const silence = () => {
    receiver.script = ({ url }) => (url.includes('deaf') ? { kind: 'timed_out' } : heard());
  };

  it('are asked one at a time where they share a host: others are in the first wave', async () => {
    silence();
    await Promise.all((await at('deaf-1.example.com', 60)).map((agent) => record(agent)));
    market.clock.advance(1000);
    await record(await newListener());
    const [first = []] = await waves(1, 2);
    expect(first.filter((url) => url.includes('deaf'))).toHaveLength(1);
    expect(first.filter((url) => url.includes(`agent-${listeners}.`))).toHaveLength(1);
  });

  it('come after all others once they were silent, whatever their hosts', async () => {
    silence();
    const deaf = (
      await Promise.all(Array.from({ length: 20 }, (_, n) => at(`deaf-2-${n}.example.com`, 1)))
    ).flat();
    await Promise.all(deaf.map((agent) => record(agent, 3)));
    await waves(5);
    const alive = await Promise.all(Array.from({ length: 4 }, newListener));
    await Promise.all(alive.map((agent) => record(agent)));
    const [first = []] = await waves(1);
    expect(first.filter((url) => url.includes('deaf'))).toEqual([]);
    expect(first).toHaveLength(4);
  });

  it('are put aside after three silences in a row, with all there is for them, until they answer', async () => {
    silence();
    const [agent] = await at('deaf-3.example.com', 1);
    if (!agent) throw new Error('There is one.');
    await record(agent, 10);
    expect((await waves(5)).map((urls) => urls.length)).toEqual([3, 0, 0, 0, 0]);
    market.clock.advance(12 * MINUTE_MS + 1);
    receiver.script = heard;
    await deliverAgentEvents(ports());
    expect(await eventsOf(agent)).toMatchObject({ pending: 0, givenUp: 0 });
  });
});

describe('a try that fails', () => {
  const failures: [string, ScriptedReply][] = [
    ['an error', replied('', 500)],
    ['a refusal', replied('', 404)],
    ['a redirect', { kind: 'redirected', status: 302 }],
    ['silence', { kind: 'timed_out' }],
    ['no connection', { kind: 'unreachable' }],
    ['an address that may not be called', { kind: 'url_refused', reason: 'not_public_host' as never }],
  ];

  clause('events.agent-callback');
  it.each(failures)('with %s is repeated to the byte', async (_, reply) => {
    const agent = await newListener();
    await record(agent);
    receiver.script = () => reply;
    await deliverAgentEvents(ports());
    await deliverAgentEvents(ports());
    expect(receiver.requests).toHaveLength(1);
    expect(await eventsOf(agent)).toMatchObject({ pending: 1, givenUp: 0 });

    receiver.script = heard;
    market.clock.advance(80_000);
    await deliverAgentEvents(ports());
    expect(receiver.requests).toHaveLength(2);
    expect(receiver.requests[1]?.body).toBe(receiver.requests[0]?.body);
    expect((await eventsOf(agent)).pending).toBe(0);
  });

  it.each([
    ['204', replied('', 204)],
    ['202', replied('', 202)],
    ['a reply too large to read', { kind: 'too_large' } as const],
  ])('is not one that is answered with %s', async (_, reply) => {
    const agent = await newListener();
    await record(agent);
    receiver.script = () => reply;
    await deliverAgentEvents(ports());
    expect((await eventsOf(agent)).pending).toBe(0);
  });

  clause('agents.callback-delivery', 'events.agent-callback');
  it('is the last one after eight in a day; then the event is given up, and its agent can see that', async () => {
    const agent = await newListener();
    const [id = ''] = await record(agent);
    const createdAt = isoTime(market.clock.now());
    receiver.script = () => replied('', 503);
    const triedAt: number[] = [];
    for (let minute = 0; minute < 30 * 60; minute += 15) {
      if ((await deliverAgentEvents(ports())) > 0) triedAt.push(market.clock.now());
      market.clock.advance(15 * MINUTE_MS);
    }
    expect(triedAt).toHaveLength(8);
    const lasted = (triedAt.at(-1) ?? 0) - (triedAt[0] ?? 0);
    expect(Math.abs(lasted - DAY_MS)).toBeLessThan(2 * HOUR_MS);
    expect(await eventsOf(agent)).toEqual({
      givenUp: 1,
      lastDeliveredAt: null,
      lastGivenUp: { createdAt, givenUpAt: isoTime(triedAt.at(-1) ?? 0), id, type: 'sale.held' },
      pending: 0,
    });
    expect(market.log.lines.at(-1)).toMatchObject({ event: 'agent_event_given_up', fields: { eventId: id } });
    expect(new Set(sentIds())).toEqual(new Set([id]));
  });
});

describe('whichever round trip is lost', () => {
  const faults = [1, 2, 3].flatMap((at) =>
    (['lose_request', 'lose_reply'] as const).map((fault) => [fault, at] as const),
  );

  it.each(faults)(
    '(%s, number %i) an event arrives, in at most eight tries and under one id',
    async (fault, at) => {
      const agent = await newListener();
      const ids = await record(agent, 2);
      let trips = 0;
      for (let run = 0; run < 6; run += 1) {
        market.market.fault = () => {
          trips += 1;
          return trips === at ? fault : undefined;
        };
        await deliverAgentEvents(ports()).catch(() => {});
        market.clock.advance(HOUR_MS);
      }
      market.market.fault = () => undefined;
      expect(await eventsOf(agent)).toMatchObject({ pending: 0, givenUp: 0 });
      expect(new Set(sentIds())).toEqual(new Set(ids));
      expect(receiver.requests.length).toBeLessThanOrEqual(16);
      for (const id of ids) {
        const bodies = receiver.requests.map(({ body }) => body).filter((body) => body.includes(id));
        expect(new Set(bodies).size).toBe(1);
      }
    },
  );

  it('tries that never come to an end are counted, too', async () => {
    const [agent] = (await confirmedListeners(1)) as [RegisteredAgent];
    await record(agent);
    for (let run = 0; run < 40; run += 1) {
      let trips = 0;
      // Every run dies after it has sent what it took.
      market.market.fault = () => {
        trips += 1;
        return trips === 1 ? undefined : 'lose_request';
      };
      await deliverAgentEvents(ports()).catch(() => {});
      market.clock.advance(2 * HOUR_MS);
    }
    market.market.fault = () => undefined;
    expect(receiver.requests).toHaveLength(8);
    expect(await eventsOf(agent)).toMatchObject({ pending: 0, givenUp: 1 });
  });
});

describe('the cost', () => {
  it('is one round trip where nothing is due, one more than the batches otherwise', async () => {
    market.market.reset();
    await deliverAgentEvents(ports());
    expect(market.market.count).toBe(1);
    await Promise.all((await confirmedListeners(8)).map((agent) => record(agent)));
    market.market.reset();
    await deliverAgentEvents(ports());
    expect(market.market.count).toBe(3);
  });

  it('is one round trip more for a batch with callbacks that never answered', async () => {
    await Promise.all(
      (await Promise.all(Array.from({ length: 8 }, newListener))).map((agent) => record(agent)),
    );
    market.market.reset();
    await deliverAgentEvents(ports());
    expect(market.market.count).toBe(5);
  });

  it('of the own record is one round trip beside the key, from indexes', async () => {
    const agent = await newListener();
    market.market.reset();
    await eventsOf(agent);
    expect(market.market.count).toBe(2);
    const query = market.market.roundTrips.flat().find((sql) => sql.includes('agent_events')) ?? '';
    const plan = await market.market.d1.prepare(`EXPLAIN QUERY PLAN ${query}`).bind('a', 'a', 'a', 'a').all();
    const steps = plan.results.map(({ detail }) => String(detail)).join('\n');
    expect(steps).toContain('agent_events_of_agent (agent_id=? AND delivered_at=? AND given_up_at');
    expect(steps).not.toMatch(/SCAN agent_events/);
  });
});

it('what is over is forgotten after 30 days, what is not never', async () => {
  const [agent, waiting] = [await newListener(), await newListener()];
  await record(agent);
  await deliverAgentEvents(ports());
  await record(waiting);
  market.clock.advance(31 * DAY_MS);
  await deleteOldAgentEvents(ports());
  expect(await eventsOf(agent)).toMatchObject({ lastDeliveredAt: null });
  expect(await eventsOf(waiting)).toMatchObject({ pending: 1 });
});
