import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { codeSamples } from './code-samples.ts';

const HOSTILE = `'; echo owned >&2; '\n$(id) \`id\` \\ \\ud83d " """ \${id} \u202e\u0000é😀\\`;
const QUERY = { a: HOSTILE, [HOSTILE]: [1.5, null, true, { b: false, c: [] }], big: 1e21 };

const samplesOf = (query: Parameters<typeof codeSamples>[1]['query']) =>
  Object.fromEntries(
    codeSamples('https://a.example/api', { listingId: 'i', priceCents: 90, query }).map(({ id, text }) => [
      id,
      text,
    ]),
  );
const { curl = '', typescript = '', python = '', mcp = '' } = samplesOf(QUERY);
const run = (program: string, args: readonly string[]) =>
  execFileSync(program, args, { encoding: 'utf8', env: { PATH: process.env.PATH, MARKETPLACE_KEY: 'key' } });

test('samples hold nothing but what can be seen', () => {
  for (const text of [curl, typescript, python, mcp]) expect(text).toMatch(/^[\n -~]*$/);
});

test('a shell sends what was filled in, and runs nothing of it', () => {
  const printed = run('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${curl}`]).split('\n');
  expect(printed.slice(0, 3)).toEqual([
    'https://a.example/api/marketplace/listings/i/purchase',
    '-H',
    'authorization: Bearer key',
  ]);
  expect(JSON.parse(printed.at(-2) ?? '')).toEqual({ max_price_cents: 90, query: QUERY });
});

test('Python sends what was filled in', () => {
  const [order = ''] = python.split('\nrequest =');
  expect(JSON.parse(run('python3', ['-c', `${order}\nprint(json.dumps(order))`]))).toEqual({
    max_price_cents: 90,
    query: QUERY,
  });
});

test('TypeScript sends what was filled in, whatever its members are called', () => {
  const inputOf = (text: string) => {
    const call = /purchaseListing\((.*)\);\nconsole/s.exec(text)?.[1] ?? '';
    return JSON.parse(run(process.execPath, ['-e', `console.log(JSON.stringify(${call}))`]));
  };
  expect(inputOf(typescript)).toEqual({ listingId: 'i', maxPriceCents: 90, query: QUERY });
  const odd = JSON.parse('{"__proto__":{"x":1},"a":"\\u2028"}');
  expect(JSON.stringify(inputOf(samplesOf(odd).typescript ?? '').query)).toBe(JSON.stringify(odd));
});

test('MCP has the arguments of the tool, and no query where none is sent', () => {
  expect(JSON.parse(mcp)).toEqual({
    name: 'buy_data',
    arguments: { listing_id: 'i', max_price_cents: 90, query: QUERY },
  });
  expect(JSON.parse(samplesOf(null).mcp ?? '').arguments).toEqual({ listing_id: 'i', max_price_cents: 90 });
  expect(samplesOf(null).curl).toContain(`-d '{"max_price_cents":90}'`);
});
