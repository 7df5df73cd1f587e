import { createMarketplaceClient } from '@agent-marketplace/sdk';
import { expect, inject, it } from 'vitest';

// A consumer of events over real connections that dies at any point, while new events come: it sees each at least once, in
// sequence, by going on after the last one that it wrote down.

const baseUrl = inject('sharedBaseUrl');
const EVENTS = 12;

interface Event {
  readonly id: string;
  readonly sequence: number;
}
interface Page {
  readonly events: readonly Event[];
  readonly nextAfter: number;
}

/** Where it dies: with the connection open and nothing read, in the middle of an answer, or before it writes down where it is. */
const DEATHS = ['before_answer', 'in_answer', 'before_note', null] as const;
type Death = (typeof DEATHS)[number];

/** One life of a consumer, from where the last one had written down. */
type Life = (after: number, headers: Record<string, string>, death: Death) => Promise<Page[]>;

const texts = (response: Response) =>
  (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream()).getReader();

const byLongPoll: Life = async (after, headers, death) => {
  const life = new AbortController();
  const asked = fetch(`${baseUrl}/agents/me/events?after=${after}&wait=2&limit=5`, {
    headers,
    signal: life.signal,
  });
  if (death === 'before_answer') {
    setTimeout(() => life.abort(), 20);
    await asked.catch(() => {});
    return [];
  }
  const response = await asked;
  expect(response.status).toBe(200);
  if (death === 'in_answer') {
    await texts(response).read();
    life.abort();
    return [];
  }
  return [(await response.json()) as Page];
};

/** Reads a stream until it has news, or is silent. */
const byStream: Life = async (after, headers, death) => {
  const life = new AbortController();
  const response = await fetch(`${baseUrl}/agents/me/events?limit=5`, {
    headers: { ...headers, accept: 'text/event-stream', 'last-event-id': String(after) },
    signal: life.signal,
  });
  expect(response.status).toBe(200);
  const reader = texts(response);
  let text = '';
  const pages = () =>
    [...text.matchAll(/^id: (\d+)\ndata: (.*)\n\n/gm)].map(([, , data]) => JSON.parse(data ?? '') as Page);
  while (death !== 'before_answer' && pages().length < 2) {
    const silence = new Promise<null>((resolve) => setTimeout(resolve, 2000, null));
    const part = await Promise.race([reader.read(), silence]);
    if (part === null || part.done) break;
    // Half of a message is no message.
    text += death === 'in_answer' ? part.value.slice(0, part.value.length / 2) : part.value;
    if (death === 'in_answer' && text.includes('data:')) break;
  }
  life.abort();
  return pages();
};

it.each([
  ['by long poll', byLongPoll],
  ['by stream', byStream],
])('sees each event at least once and in sequence: %s', async (_name, live) => {
  const anyone = createMarketplaceClient({ baseUrl, retries: 0 });
  const agent = await anyone.registerAgent({ name: 'Consumer' });
  const sender = anyone.withApiKey((await anyone.registerAgent({ name: 'Sender' })).apiKey);
  const headers = { authorization: `Bearer ${agent.apiKey}` };
  const sent = (async () => {
    for (let n = 0; n < EVENTS; n += 1)
      await sender.sendMessage({ handle: agent.connect.handle, text: `Message ${n}` });
  })();

  // What the consumer has on its disk.
  let position = 0;
  const handled: Event[] = [];
  for (let turn = 0; position < EVENTS; turn += 1) {
    expect(turn).toBeLessThan(200);
    const death = DEATHS[turn % DEATHS.length] as Death;
    for (const page of await live(position, headers, death)) {
      handled.push(...page.events);
      if (death === 'before_note') break;
      position = page.nextAfter;
    }
  }
  await sent;
  const firsts = handled.filter(({ id }, at) => handled.findIndex((one) => one.id === id) === at);
  expect(firsts.map(({ sequence }) => sequence)).toEqual(Array.from({ length: EVENTS }, (_, n) => n + 1));
  // Some came twice, and could be told by their id.
  expect(handled.length).toBeGreaterThan(EVENTS);
});
