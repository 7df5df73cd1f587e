import { afterEach, describe, expect, it } from 'vitest';
import { recordAgentEvent } from '../../agents/index.ts';
import { isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { newAgentOf, type RegisteredAgent } from '../../testing/fixtures/new-seller.ts';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();
const { eventWaits, clock } = market;
const { wait } = eventWaits;

afterEach(async () => {
  eventWaits.wait = wait;
  await market.background.settled();
});

async function record(agent: RegisteredAgent, count = 1): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const { market: db, ids } = market.newPorts();
    await db.commit(recordAgentEvent(agent.id, 'sale.held', { n }, ids.uuid(), isoTime(clock.now())));
  }
}

const open = ({ apiKey }: RegisteredAgent, query = '', headers: Record<string, string> = {}) =>
  market.request('GET', `/agents/me/events${query}`, {
    apiKey,
    headers: { accept: 'text/event-stream', ...headers },
  });

/** Messages as they come. */
class Reader {
  readonly #chunks: ReadableStreamDefaultReader<Uint8Array>;
  readonly #response: Response;

  constructor(response: Response) {
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    this.#response = response;
    this.#chunks = (response.body as ReadableStream<Uint8Array>).getReader();
  }

  /** Null: it ended. */
  async next(): Promise<string | null> {
    const { done, value } = await this.#chunks.read();
    return done ? null : new TextDecoder().decode(value);
  }

  async message(): Promise<{ id: number; sequences: number[] }> {
    const text = (await this.next()) ?? '';
    const [, id, data] = /^id: (\d+)\ndata: (.*)\n\n$/.exec(text) ?? [];
    const { body } = await readSigned(new Response(data, { headers: this.#response.headers }));
    const { events } = body as unknown as { events: { sequence: number }[] };
    return { id: Number(id), sequences: events.map(({ sequence }) => sequence) };
  }

  /** A stream that waits for its agent's next event ends with that, and not before the heartbeat otherwise. */
  async cancel(agent: RegisteredAgent): Promise<void> {
    const cancelled = this.#chunks.cancel();
    await record(agent);
    await cancelled;
  }
}

/** Waits take as long as they may, at once. */
function withoutEvents(): void {
  eventWaits.wait = async (_agentId, _after, timeoutMs) => {
    clock.advance(timeoutMs);
    return 'timed_out';
  };
}

describe('events as a stream', () => {
  it('are whole answers, each signed, and the next as soon as it happens', async () => {
    const agent = await newAgentOf(market);
    await record(agent, 3);
    const reader = new Reader(await open(agent, '?limit=2'));
    expect(await reader.next()).toBe('retry: 5000\n\n');
    expect(await reader.message()).toEqual({ id: 2, sequences: [1, 2] });
    expect(await reader.message()).toEqual({ id: 3, sequences: [3] });
    const next = reader.message();
    while (eventWaits.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await record(agent);
    expect(await next).toEqual({ id: 4, sequences: [4] });
    await reader.cancel(agent);
  });

  it('go on after Last-Event-ID, whatever the address says', async () => {
    const agent = await newAgentOf(market);
    await record(agent, 5);
    const reader = new Reader(await open(agent, '?after=1', { 'last-event-id': '3' }));
    await reader.next();
    expect(await reader.message()).toEqual({ id: 5, sequences: [4, 5] });
    await reader.cancel(agent);
  });

  it('have a heartbeat every 15 seconds, and end after five minutes', async () => {
    const agent = await newAgentOf(market);
    withoutEvents();
    const begun = clock.now();
    const reader = new Reader(await open(agent));
    await reader.next();
    const beats: number[] = [];
    for (;;) {
      const text = await reader.next();
      if (text === null) break;
      expect(text).toBe(': nothing yet\n\n');
      beats.push((clock.now() - begun) / 1000);
    }
    // One that is ready is read ahead of the one that shows it.
    expect(beats.length).toBe(21);
    expect(clock.now() - begun).toBe(5 * MINUTE_MS);
  });

  it('end where the agent has newer waits, so that two do not displace each other for ever', async () => {
    const agent = await newAgentOf(market);
    eventWaits.wait = async () => 'displaced';
    const reader = new Reader(await open(agent));
    const texts = [await reader.next(), await reader.next(), await reader.next()];
    expect(texts).toEqual(['retry: 5000\n\n', ': nothing yet\n\n', null]);
  });

  it('end for a key that is revoked, with the signed problem', async () => {
    const agent = await newAgentOf(market);
    const post = async (path: string, body: object) => {
      const { apiKey } = agent;
      const answer = await readSigned(await market.request('POST', path, { apiKey, body }));
      return answer.body as { apiKey: string; key: { id: string } };
    };
    const { apiKey, key } = await post('/agents/me/keys', { label: 'night', scopes: ['read'] });
    const { nextAfter } = (await readSigned(await market.request('GET', '/agents/me/events', { apiKey })))
      .body;
    const reader = new Reader(await open({ ...agent, apiKey }, `?after=${nextAfter}`));
    await reader.next();
    await reader.next();
    const last = reader.next();
    while (eventWaits.waiting === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await post(`/agents/me/keys/${key.id}/revoke`, {});
    const text = await last;
    expect(text).toMatch(/^event: refused\n/);
    expect(JSON.parse(text?.split('data: ')[1] ?? '{}')).toMatchObject({
      status: 401,
      code: 'api_key_revoked',
    });
    expect(await reader.next()).toBeNull();
  });

  it('are refused as any request, and not begun for HEAD', async () => {
    const agent = await newAgentOf(market);
    const bad = await open(agent, '', { 'last-event-id': 'x' });
    expect([bad.status, bad.headers.get('content-type')]).toEqual([400, 'application/problem+json']);
    expect((await open({ ...agent, apiKey: `mkt_live_${'0'.repeat(43)}` })).status).toBe(401);
    const head = await market.request('HEAD', '/agents/me/events', {
      apiKey: agent.apiKey,
      headers: { accept: 'text/event-stream' },
    });
    expect(head.headers.get('content-type')).toBe('application/json');
  });
});
