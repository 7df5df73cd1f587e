import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventWaits } from '../../kernel/ports/event-waits.ts';
import type {
  MailboxAnswer,
  MailboxHolder,
  PendingMessage,
  PollingMailbox,
} from '../../kernel/ports/polling-mailbox.ts';
import { FakeEventWaits } from '../../testing/doubles/fake-event-waits.ts';
import { createFakePollingMailbox } from '../../testing/doubles/fake-polling-mailbox.ts';

const TEN_MB = 10 * 1024 * 1024;
const message = (id: string, body = '{}') => ({ id, kind: 'delivery_request' as const, body });

/** The suite that the fake and the Durable Object both pass. */
function mailboxSuite(open: () => PollingMailbox): void {
  let nth = 0;
  const room = () => ({ mailbox: open(), seller: `seller-${nth++}` });

  /** Asks, and waits until the message can be seen. */
  async function ask(mailbox: PollingMailbox, seller: string, id: string, timeoutMs = 2000) {
    const answer = mailbox.ask(seller, message(id, `{"id":"${id}"}`), timeoutMs);
    for (;;) {
      const pending = (await mailbox.pending(seller, 1000)) ?? [];
      if (pending.some((waiting) => waiting.id === id)) return { answer };
    }
  }

  test('an answer reaches the one who asked', async () => {
    const { mailbox, seller } = room();
    const before = Date.now();
    const first = await ask(mailbox, seller, 'a');
    const second = await ask(mailbox, seller, 'b');
    const pending = await mailbox.pending(seller, 10);
    expect(pending).toMatchObject([
      { id: 'a', kind: 'delivery_request', body: '{"id":"a"}' },
      { id: 'b', kind: 'delivery_request', body: '{"id":"b"}' },
    ]);
    expect(pending?.[0]?.expiresAt).toBeGreaterThanOrEqual(before + 1500);
    expect(await mailbox.pending(seller, 1)).toHaveLength(1);
    expect(await mailbox.answer(seller, 'b', utf8('two'))).toBe('accepted');
    expect(await mailbox.answer(seller, 'a', utf8('one'))).toBe('accepted');
    expect(await first.answer).toEqual({ kind: 'answered', body: utf8('one') });
    expect(await second.answer).toEqual({ kind: 'answered', body: utf8('two') });
    expect(await mailbox.pending(seller, 10)).toEqual([]);
  });

  test('an answer counts once, and only to a message of that seller', async () => {
    const { mailbox, seller } = room();
    const { answer } = await ask(mailbox, seller, 'a');
    expect(await mailbox.answer('another', 'a', utf8('x'))).toBe('unknown');
    expect(await mailbox.answer(seller, 'b', utf8('x'))).toBe('unknown');
    expect(await mailbox.answer(seller, 'a', utf8('mine'))).toBe('accepted');
    expect(await mailbox.answer(seller, 'a', utf8('again'))).toBe('unknown');
    expect(await answer).toEqual({ kind: 'answered', body: utf8('mine') });
  });

  test('nobody waits for longer than the time limit', async () => {
    const { mailbox, seller } = room();
    expect(await mailbox.ask(seller, message('a'), 30)).toEqual({ kind: 'timed_out' });
    expect(await mailbox.pending(seller, 10)).toEqual([]);
    expect(await mailbox.answer(seller, 'a', utf8('late'))).toBe('unknown');
  });

  test('a seller has no more than 100 messages waiting', async () => {
    const { mailbox, seller } = room();
    const asked = Array.from({ length: 101 }, (_, i) => mailbox.ask(seller, message(`${i}`), 300));
    const kinds = (await Promise.all(asked)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'busy')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'timed_out')).toHaveLength(100);
    expect(await mailbox.ask(seller, message('more'), 10)).toEqual({ kind: 'timed_out' });
  });

  test('of which no holder and no network has more than it leaves to others', async () => {
    const { mailbox, seller } = room();
    const ask = (id: string, part: MailboxHolder['part'], holder: string, network = holder) =>
      mailbox.ask(seller, { ...message(id), holder: { part, id: holder, network } }, 400);
    const waiting = async (asked: Promise<MailboxAnswer>[]) =>
      (await Promise.all(asked)).filter(({ kind }) => kind === 'timed_out').length;
    const thirty = Array.from({ length: 30 }, (_, i) => `${i}`);
    const sixty = Array.from({ length: 60 }, (_, i) => `${i}`);
    expect(await waiting(thirty.map((i) => ask(i, 'paid', 'a')))).toBe(25);
    expect(await waiting(thirty.map((i) => ask(i, 'keyless', 'a')))).toBe(9);
    expect(await waiting(thirty.map((i) => ask(i, 'unpaid', 'a')))).toBe(4);
    expect(await waiting(thirty.map((i) => ask(i, 'unpaid', i, 'a')))).toBe(5);
    expect(await waiting(sixty.map((i) => ask(i, 'keyless', i)))).toBe(50);
    expect(await waiting(sixty.map((i) => ask(i, 'unpaid', i)))).toBe(20);
  });

  test('nor many large ones, nor two of one id', async () => {
    const { mailbox, seller } = room();
    const large = 'x'.repeat(3 * 1024 * 1024);
    /** One waits for its answer; the other is sent away, however long both take to arrive. */
    async function expectOneLetIn(asked: Promise<MailboxAnswer>[]) {
      expect(await Promise.race(asked)).toEqual({ kind: 'busy' });
      const [waiting] = (await mailbox.pending(seller, 10)) ?? [];
      await mailbox.answer(seller, waiting?.id ?? '', utf8('here'));
      expect((await Promise.all(asked)).map(({ kind }) => kind).sort()).toEqual(['answered', 'busy']);
    }
    await expectOneLetIn(['a', 'b'].map((id) => mailbox.ask(seller, message(id, large), 5000)));
    await expectOneLetIn([1, 2].map(() => mailbox.ask(seller, message('a'), 5000)));
  });

  test('10 MB pass', async () => {
    const { mailbox, seller } = room();
    const { answer } = await ask(mailbox, seller, 'a');
    const body = new Uint8Array(TEN_MB).fill(7);
    expect(await mailbox.answer(seller, 'a', body)).toBe('accepted');
    const got = await answer;
    expect(got.kind === 'answered' && Buffer.from(got.body).equals(body)).toBe(true);
  });
}

/** The same of those who wait for events. */
function waitsSuite(open: () => EventWaits): void {
  let nth = 0;
  const agent = () => `agent-${nth++}`;

  test('an event ends the waits that have not seen it, and is known to those that come later', async () => {
    const [waits, id] = [open(), agent()];
    const ended = Promise.all([waits.wait(id, 0, 5000), waits.wait(id, 1, 5000)]);
    const later = waits.wait(id, 2, 300);
    await waits.wake(id, 2);
    expect(await ended).toEqual(['event', 'event']);
    expect(await waits.wait(id, 1, 5000)).toBe('event');
    expect(await later).toBe('timed_out');
    expect(await waits.wait(agent(), 0, 10)).toBe('timed_out');
  });

  test('all look again where something else happened', async () => {
    const [waits, id] = [open(), agent()];
    const ended = waits.wait(id, 7, 5000);
    await waits.wake(id, null);
    expect(await ended).toBe('event');
  });

  test('the oldest makes room for the ninth', async () => {
    const [waits, id] = [open(), agent()];
    const asked = Array.from({ length: 10 }, () => waits.wait(id, 0, 300));
    const ends = await Promise.all(asked);
    expect(ends.filter((end) => end === 'displaced')).toHaveLength(2);
    expect(ends.filter((end) => end === 'timed_out')).toHaveLength(8);
  });
}

describe('the fakes', () => {
  mailboxSuite(createFakePollingMailbox);
  waitsSuite(() => new FakeEventWaits());
});

describe('the Durable Object, in workerd', () => {
  let runtime: Miniflare;
  let origin: URL;

  beforeAll(async () => {
    const names = [
      'polling-mailbox',
      'polling-mailbox.do',
      'waiting-room',
      'waiting-calls',
      'event-room',
      'event-waits',
    ];
    const paths = [...names.map((name) => `adapters/durable/${name}.ts`), 'adapters/system/slots.ts'];
    const modules = paths.map((path) => {
      const source = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
      return { type: 'ESModule' as const, path, contents: stripTypeScriptTypes(source) };
    });
    runtime = new Miniflare(
      convertV4MiniflareOptions({
        modules: [{ type: 'ESModule', path: 'index.js', contents: WORKER }, ...modules],
        compatibilityDate: '2026-11-01',
        durableObjects: { MAILBOX: { className: 'PollingMailboxObject', useSQLite: true } },
      }),
    );
    origin = await runtime.ready;
  });
  afterAll(() => runtime.dispose());

  mailboxSuite(() => overHttp(origin));
  waitsSuite(() => waitsOverHttp(origin));

  test('an object that fails is unavailable, never an exception', async () => {
    const broken = overHttp(origin, 'broken');
    expect(await broken.ask('s', message('a'), 10)).toEqual({ kind: 'unavailable' });
    expect(await broken.pending('s', 10)).toBeNull();
    expect(await broken.answer('s', 'a', utf8(''))).toBe('unavailable');
    const waits = waitsOverHttp(origin, 'broken');
    expect(await waits.wait('s', 0, 10)).toBe('unavailable');
    expect(await waits.wake('s', 1)).toBeNull();
  });
});

/** Drives the adapter inside workerd, so that calls and answers cross a real RPC boundary. */
const WORKER = `
  import { createPollingMailbox } from './adapters/durable/polling-mailbox.ts';
  import { createEventWaits } from './adapters/durable/event-waits.ts';
  export { PollingMailboxObject } from './adapters/durable/polling-mailbox.do.ts';
  const broken = { getByName() { throw new Error('overloaded'); } };
  export default {
    async fetch(request, env) {
      const { searchParams } = new URL(request.url);
      const [namespace, method, ...args] = JSON.parse(searchParams.get('call'));
      if (method === 'answer') args.push(new Uint8Array(await request.arrayBuffer()));
      if (method === 'ask') args[1].body = await request.text();
      const objects = namespace === 'broken' ? broken : env.MAILBOX;
      const result = await { ...createPollingMailbox(objects), ...createEventWaits(objects) }[method](...args);
      return result?.kind === 'answered' ? new Response(result.body) : Response.json(result ?? null);
    },
  };
`;

function overHttp(origin: URL, namespace = 'real'): PollingMailbox {
  async function call(method: string, args: unknown[], body = utf8('')): Promise<Response> {
    const query = encodeURIComponent(JSON.stringify([namespace, method, ...args]));
    const response = await fetch(`${origin}?call=${query}`, { method: 'POST', body });
    expect(response.status).toBe(200);
    return response;
  }
  return {
    async ask(sellerId, { body, ...rest }, timeoutMs) {
      const response = await call('ask', [sellerId, rest, timeoutMs], utf8(body));
      if (response.headers.get('content-type')) return (await response.json()) as MailboxAnswer;
      return { kind: 'answered', body: new Uint8Array(await response.arrayBuffer()) };
    },
    async pending(...args) {
      return (await (await call('pending', args)).json()) as PendingMessage[] | null;
    },
    async answer(sellerId, id, body) {
      return (await (await call('answer', [sellerId, id], Uint8Array.from(body))).json()) as 'accepted';
    },
  };
}

function waitsOverHttp(origin: URL, namespace = 'real'): EventWaits {
  async function call(...args: unknown[]): Promise<unknown> {
    const query = encodeURIComponent(JSON.stringify([namespace, ...args]));
    return (await fetch(`${origin}?call=${query}`, { method: 'POST' })).json();
  }
  return {
    wait: (...args) => call('wait', ...args) as ReturnType<EventWaits['wait']>,
    wake: (...args) => call('wake', ...args) as Promise<void>,
  };
}
