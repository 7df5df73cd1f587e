import { afterEach, expect, test, vi } from 'vitest';
import { createDnsOverHttpsResolver } from './dns-over-https-resolver.ts';

type Answer = { Status: number; Answer?: unknown };

afterEach(() => void vi.useRealTimers());

function resolver(answers: { A: Answer | Response | Error; AAAA: Answer | Response | Error }) {
  const asked: string[] = [];
  const fetch = (async (url: string, init: RequestInit) => {
    expect(new Headers(init.headers).get('accept')).toBe('application/dns-json');
    asked.push(url);
    const answer = answers[new URL(url).searchParams.get('type') as 'A' | 'AAAA'];
    if (answer instanceof Error) throw answer;
    return answer instanceof Response ? answer.clone() : Response.json(answer);
  }) as typeof globalThis.fetch;
  return { resolve: createDnsOverHttpsResolver({ fetch }), asked };
}

const NONE: Answer = { Status: 0 };
const A = (data: unknown, TTL = 300) => ({ name: 'x.com', type: 1, TTL, data });
const AAAA = (data: unknown, TTL = 300) => ({ name: 'x.com', type: 28, TTL, data });
const CNAME = { name: 'x.com', type: 5, TTL: 300, data: 'y.com.' };

test('asks for both families and passes over the names of a chain', async () => {
  const { resolve, asked } = resolver({
    A: { Status: 0, Answer: [CNAME, A('8.8.8.8'), A('8.8.4.4')] },
    AAAA: { Status: 0, Answer: [CNAME, AAAA('2001:4860:4860::8888')] },
  });
  expect(await resolve('x.com')).toEqual(['8.8.8.8', '8.8.4.4', '2001:4860:4860::8888']);
  expect(asked).toEqual([
    'https://cloudflare-dns.com/dns-query?name=x.com&type=A',
    'https://cloudflare-dns.com/dns-query?name=x.com&type=AAAA',
  ]);
});

test('a name without addresses has none', async () => {
  expect(await resolver({ A: NONE, AAAA: NONE }).resolve('x.com')).toEqual([]);
  expect(await resolver({ A: { Status: 3 }, AAAA: { Status: 3 } }).resolve('x.com')).toEqual([]);
});

test.each([
  ['server failure', { Status: 2 }],
  ['HTTP error', new Response('', { status: 500 })],
  ['redirect', new Response('', { status: 302 })],
  ['not JSON', new Response('<html>')],
  ['null', new Response('null')],
  ['no status', {} as Answer],
  ['a record without data', { Status: 0, Answer: [AAAA(7)] }],
  ['records that are none', { Status: 0, Answer: 'x' }],
  ['a null record', { Status: 0, Answer: [null] }],
  ['network failure', new Error('reset')],
])('%s on one family: nothing is known', async (_, AAAA) => {
  expect(await resolver({ A: { Status: 0, Answer: [A('8.8.8.8')] }, AAAA }).resolve('x.com')).toBeNull();
});

test('a server that does not answer is given up', async () => {
  const fetch = ((_: string, { signal }: RequestInit) =>
    new Promise((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason)),
    )) as never;
  expect(await createDnsOverHttpsResolver({ fetch, timeoutMs: 20 })('x.com')).toBeNull();
});

test('answers are reused for their TTL, at most a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const short = resolver({ A: { Status: 0, Answer: [A('8.8.8.8', 30)] }, AAAA: NONE });
  const long = resolver({ A: { Status: 0, Answer: [A('8.8.8.8', 86_400)] }, AAAA: NONE });
  const zero = resolver({ A: { Status: 0, Answer: [A('8.8.8.8', 0)] }, AAAA: NONE });
  for (const elapsedMs of [0, 29_999, 2]) {
    vi.setSystemTime(Date.now() + elapsedMs);
    for (const { resolve } of [short, long, zero]) await resolve('x.com');
  }
  expect([short, long, zero].map(({ asked }) => asked.length / 2)).toEqual([2, 1, 3]);
  vi.setSystemTime(Date.now() + 30_000);
  await long.resolve('x.com');
  expect(long.asked.length / 2).toBe(2);
});
