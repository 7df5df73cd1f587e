import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY_MS, isoTime } from '../../kernel/time.ts';
import { keysOf } from '../../testing/fixtures/agent-keys.ts';
import { newAgentOf, type RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';
import { deleteOldAgentEvents, recordAgentEvent, sendMessage } from '../index.ts';

// Whoever reads its events sees each, in sequence, whatever breaks, and waits for the next one without the database.

const market = createTestMarketplace();
const { eventWaits } = market;

afterEach(async () => {
  market.market.fault = () => undefined;
  eventWaits.answer = undefined;
  eventWaits.isDeaf = false;
  await market.background.settled();
});

interface Event {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly link: string | null;
  readonly createdAt: string;
}
interface Page {
  readonly events: readonly Event[];
  readonly lastSequence: number;
  readonly missed: number;
  readonly nextAfter: number;
  readonly code?: string;
}

async function read({ apiKey }: { apiKey: string }, query = ''): Promise<Page & { status: number }> {
  const response = await market.request('GET', `/agents/me/events${query && `?${query}`}`, { apiKey });
  const { body } = await readSigned(response);
  return { ...(body as unknown as Page), status: response.status };
}

/** Each in a transaction of its own, or all in one. */
function statementsFor(agent: RegisteredAgent, n: number) {
  const { ids, clock } = market.newPorts();
  return recordAgentEvent(agent.id, 'sale.held', { n }, ids.uuid(), isoTime(clock.now()));
}
async function record(agent: RegisteredAgent, count = 1): Promise<void> {
  for (let n = 0; n < count; n += 1) await market.newPorts().market.commit(statementsFor(agent, n));
}

/** Until so many requests wait. */
async function untilWaiting(count: number): Promise<void> {
  for (let turn = 0; eventWaits.waiting !== count; turn += 1) {
    if (turn > 5000) throw new Error(`${eventWaits.waiting} wait, not ${count}.`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, n) => n + from);

describe('GET /agents/me/events', () => {
  it('has what happened to an agent without a callback URL as well, in sequence, and where its purchases are', async () => {
    const [agent, other] = [await newAgentOf(market), await newAgentOf(market)];
    const { handle } = agent.connect;
    const { json } = await market.call(sendMessage, { handle, text: 'SECRET' }, { apiKey: other.apiKey });
    const { market: db, ids } = market.newPorts();
    const purchase = { purchaseId: ids.uuid() };
    await db.commit(
      recordAgentEvent(agent.id, 'purchase.delivered', purchase, ids.uuid(), '2026-06-01T12:00:00.000Z'),
    );
    const { status, ...page } = await read(agent);
    expect(status).toBe(200);
    expect(page).toMatchObject({ lastSequence: 2, missed: 0, nextAfter: 2 });
    expect(page.events).toEqual([
      {
        createdAt: json.createdAt,
        data: { messageId: json.id },
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        link: null,
        sequence: 1,
        type: 'message.received',
      },
      {
        createdAt: '2026-06-01T12:00:00.000Z',
        data: purchase,
        id: expect.any(String),
        link: `http://localhost/api/marketplace/purchases/${purchase.purchaseId}`,
        sequence: 2,
        type: 'purchase.delivered',
      },
    ]);
    expect(JSON.stringify(page)).not.toContain('SECRET');
    expect(await read(other)).toMatchObject({ events: [], lastSequence: 0, nextAfter: 0 });
  });

  it('pages by number, and says what is no longer kept', async () => {
    const agent = await newAgentOf(market);
    await record(agent, 3);
    market.clock.advance(31 * DAY_MS);
    await record(agent, 2);
    expect((await read(agent, 'limit=2')).events.map(({ sequence }) => sequence)).toEqual([1, 2]);
    await deleteOldAgentEvents(market.newPorts());
    expect(await read(agent)).toMatchObject({ missed: 3, lastSequence: 5, nextAfter: 5 });
    expect(await read(agent, 'after=2')).toMatchObject({ missed: 1 });
    expect(await read(agent, 'after=3')).toMatchObject({ missed: 0 });
    market.clock.advance(31 * DAY_MS);
    await deleteOldAgentEvents(market.newPorts());
    // At once, though it could wait: there is something to say.
    expect(await read(agent, 'after=4&wait=25')).toMatchObject({ events: [], missed: 1, nextAfter: 5 });
    // A number is never given twice.
    await record(agent);
    expect((await read(agent, 'after=5')).events.map(({ sequence }) => sequence)).toEqual([6]);
  });

  it('refuses what cannot be, and costs one round trip beside the key', async () => {
    const agent = await newAgentOf(market);
    await record(agent);
    for (const query of ['after=2', 'after=-1', 'after=x', 'wait=26', 'wait=-1', 'limit=0', 'since=1'])
      expect([query, (await read(agent, query)).status]).toEqual([query, 400]);
    market.market.reset();
    await read(agent);
    expect(market.market.count).toBe(2);
    const [sql] = market.market.roundTrips[1] ?? [];
    const params = sql?.match(/\?/g)?.map(() => '1') ?? [];
    const plan = await market
      .newPorts()
      .market.all<{ detail: string }>({ sql: `EXPLAIN QUERY PLAN ${sql}`, params });
    expect(plan.map(({ detail }) => detail)).toEqual([
      expect.stringContaining(
        'agent_events USING INDEX agent_events_in_sequence (agent_id=? AND sequence>?)',
      ),
    ]);
  });
});

describe('the sequence', () => {
  it('has no gap and no number twice, in any order of commits, of which some break', async () => {
    const agents = await Promise.all([1, 2, 3].map(() => newAgentOf(market)));
    const schedule = fc.array(
      fc.tuple(fc.nat(2), fc.nat(3), fc.constantFrom('', 'lose_request', 'lose_reply', 'refused')),
      {
        maxLength: 12,
      },
    );
    await fc.assert(
      fc.asyncProperty(schedule, async (commits) => {
        await Promise.all(
          commits.map(async ([who, count, trouble]) => {
            const agent = agents[who] as RegisteredAgent;
            const statements = numbers(count + 1).flatMap((n) => statementsFor(agent, n));
            // A guard aborts them all.
            const refused = { sql: "INSERT INTO guards (name) VALUES ('never')", params: [] };
            const mine = trouble === 'refused' ? [...statements, refused] : statements;
            market.market.fault = () => (trouble.startsWith('lose') ? (trouble as 'lose_reply') : undefined);
            const done = market.newPorts().market.commit(mine);
            market.market.fault = () => undefined;
            await done.catch(() => null);
          }),
        );
        for (const agent of agents) {
          const found: number[] = [];
          for (let after = 0; ; ) {
            const { events, nextAfter, lastSequence } = await read(agent, `after=${after}&limit=7`);
            found.push(...events.map(({ sequence }) => sequence));
            if (nextAfter === lastSequence) break;
            after = nextAfter;
          }
          expect(found).toEqual(numbers(found.length));
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('a consumer that dies anywhere', () => {
  /** Deals with events and remembers how far it came; what it did and where it was outlive it. */
  class Consumer {
    readonly handled: string[] = [];
    saved = 0;
    steps = 0;

    async run(agent: RegisteredAgent, diesAt: number): Promise<'done' | 'dead'> {
      let step = 0;
      const isDead = () => {
        step += 1;
        this.steps = Math.max(this.steps, step);
        return step === diesAt;
      };
      for (;;) {
        if (isDead()) return 'dead';
        const { events, nextAfter, lastSequence } = await read(agent, `after=${this.saved}&limit=3`);
        for (const { id } of events) {
          if (isDead()) return 'dead';
          this.handled.push(id);
        }
        if (isDead()) return 'dead';
        this.saved = nextAfter;
        if (nextAfter === lastSequence) return 'done';
      }
    }
  }

  it('sees each event at least once, in sequence, and knows repeats by their id', async () => {
    const agent = await newAgentOf(market);
    await record(agent, 7);
    const all = (await read(agent)).events.map(({ id }) => id);
    const alive = new Consumer();
    expect(await alive.run(agent, 0)).toBe('done');
    expect(alive.handled).toEqual(all);
    for (let diesAt = 1; diesAt <= alive.steps; diesAt += 1) {
      const consumer = new Consumer();
      expect(await consumer.run(agent, diesAt)).toBe('dead');
      expect(await consumer.run(agent, 0)).toBe('done');
      expect([...new Set(consumer.handled)]).toEqual(all);
    }
  });
});

describe('waiting for the next event', () => {
  it('ends with it, and asks the database nothing meanwhile', async () => {
    const agent = await newAgentOf(market);
    market.market.reset();
    const waiting = read(agent, 'wait=25');
    await untilWaiting(1);
    expect(market.market.count).toBe(2);
    await record(agent);
    expect((await waiting).events).toHaveLength(1);
    // The key and the first look, the event itself, and the second look, with the key again.
    expect(market.market.roundTrips.map(({ length }) => length)).toEqual([1, 2, 1, 3]);
  });

  it('is not for an event of another agent, nor for one that is known', async () => {
    const [agent, other] = [await newAgentOf(market), await newAgentOf(market)];
    await record(agent);
    const waiting = read(agent, 'after=1&wait=25');
    await untilWaiting(1);
    await record(other);
    await eventWaits.wake(agent.id, 1);
    expect(eventWaits.waiting).toBe(1);
    await record(agent);
    expect((await waiting).events.map(({ sequence }) => sequence)).toEqual([2]);
  });

  it('has no moment in which an event is missed: between the look and the wait', async () => {
    const agent = await newAgentOf(market);
    const { wait } = eventWaits;
    const ends: string[] = [];
    eventWaits.wait = async (...args) => {
      eventWaits.wait = wait;
      await record(agent);
      await market.background.settled();
      const end = await wait.apply(eventWaits, args);
      ends.push(end);
      return end;
    };
    expect((await read(agent, 'wait=2')).events).toHaveLength(1);
    expect(ends).toEqual(['event']);
  });

  it.each(['timed_out', 'displaced'] as const)('that ends otherwise (%s) looks once more', async (end) => {
    const agent = await newAgentOf(market);
    eventWaits.answer = end;
    market.market.reset();
    expect(await read(agent, 'wait=25')).toMatchObject({ status: 200, events: [], nextAfter: 0 });
    expect(market.market.count).toBe(3);
  });

  it('finds an event whose wake was lost, once its time is over', async () => {
    const agent = await newAgentOf(market);
    eventWaits.isDeaf = true;
    const waiting = read(agent, 'wait=1');
    await untilWaiting(1);
    await record(agent);
    expect((await waiting).events).toHaveLength(1);
  });

  it('does not go on for ever where wakes bring nothing', async () => {
    const agent = await newAgentOf(market);
    eventWaits.answer = 'event';
    market.market.reset();
    expect(await read(agent, 'wait=25')).toMatchObject({ status: 200, events: [] });
    expect(market.market.count).toBeLessThan(8);
  });

  it.each([
    ['busy', 429, 'rate_limited'],
    ['unavailable', 503, 'service_unavailable'],
  ] as const)('is refused where nobody can wait (%s), with the time', async (end, status, code) => {
    const agent = await newAgentOf(market);
    eventWaits.answer = end;
    expect(await read(agent, 'wait=25')).toMatchObject({ status, code });
    expect(await read(agent)).toMatchObject({ status: 200 });
  });

  it('ends for a key that is revoked, and tells it nothing more', async () => {
    const agent = await newAgentOf(market);
    const waiting = read(agent, 'wait=25');
    await untilWaiting(1);
    const { market: db } = market.newPorts();
    const sql = 'UPDATE agent_keys SET revoked_at = ? WHERE agent_id = ?';
    await db.commit([{ sql, params: ['2026-06-01T12:00:00.000Z', agent.id], wakes: agent.id }]);
    expect(await waiting).toMatchObject({ status: 401, code: 'api_key_revoked' });
  });

  it('is for eight requests of an agent: the oldest of a thousand are answered, and nobody else waits less', async () => {
    const [greedy, other] = [await newAgentOf(market), await newAgentOf(market)];
    const patient = read(other, 'wait=25');
    await untilWaiting(1);
    const thousand = numbers(1000).map(() => read(greedy, 'wait=25'));
    let answered = 0;
    for (const one of thousand) void one.then(() => (answered += 1));
    for (let turn = 0; answered < 992 && turn < 20_000; turn += 1)
      await new Promise((resolve) => setTimeout(resolve, 1));
    expect([answered, eventWaits.waiting]).toEqual([992, 9]);
    await record(greedy);
    const pages = await Promise.all(thousand);
    expect(pages.filter(({ status, events }) => status === 200 && events.length === 1)).toHaveLength(8);
    expect(pages.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
    await record(other);
    expect((await patient).events).toHaveLength(1);
  });
});

describe('a key that only reads', () => {
  it('finds no link to act with in an event, as JSON or as a stream', async () => {
    const agent = await newAgentOf(market);
    const links = { cancelUrl: 'https://market.example/cancel', appealUrl: 'https://market.example/appeal' };
    const { ids, clock, market: db } = market.newPorts();
    for (const [type, name] of [
      ['account.erasure_requested', 'cancelUrl'],
      ['moderation.decided', 'appealUrl'],
    ] as const) {
      const data = { [name]: links[name], id: 'x' };
      await db.commit(recordAgentEvent(agent.id, type, data, ids.uuid(), isoTime(clock.now())));
    }
    const linksIn = ({ events }: Page) => events.map(({ data }) => data.cancelUrl ?? data.appealUrl);
    const keys = keysOf(market);
    const [reads, buys] = [
      await keys.make(agent.apiKey, ['read']),
      await keys.make(agent.apiKey, ['read', 'buy']),
    ];
    expect(linksIn(await read(reads)).filter(Boolean)).toEqual([]);
    expect((await read(reads)).events[0]?.data).toEqual({ cancelUrl: null, id: 'x' });
    expect(linksIn(await read(buys)).filter(Boolean)).toEqual(Object.values(links));
    const stream = await market.request('GET', '/agents/me/events', {
      apiKey: reads.apiKey,
      headers: { accept: 'text/event-stream' },
    });
    const chunks = (stream.body as ReadableStream<Uint8Array>).getReader();
    const decoded = async () => new TextDecoder().decode((await chunks.read()).value);
    const text = (await decoded()) + (await decoded());
    const cancelled = chunks.cancel();
    // It waits for the next event, and ends with that.
    await db.commit(recordAgentEvent(agent.id, 'sale.held', {}, ids.uuid(), isoTime(clock.now())));
    await cancelled;
    expect(text).toContain('"appealUrl":null');
    expect(text).not.toContain('https://market.example/');
  });
});
