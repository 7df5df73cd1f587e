import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { asciiJson, shellQuoted, waysToBuy } from './ways-to-buy.ts';

const HOSTILE = `'; echo owned >&2; '\n$(id) \`id\` \\ " \u202e\u0000é😀`;

test('what a seller wrote stays one word of the shell', () => {
  const words = execFileSync('sh', ['-c', `printf %s ${shellQuoted(asciiJson({ query: HOSTILE }))}`], {
    encoding: 'utf8',
  });
  expect(JSON.parse(words)).toEqual({ query: HOSTILE });
});

test('snippets hold nothing but what can be seen', () => {
  const { curl, mcp, sdk, x402 } = waysToBuy('https://a.example/api', {
    id: 'i',
    priceCents: 1,
    exampleQuery: { a: HOSTILE, b: { c: 1 } },
  });
  // The dots of a key that is left out are ours.
  for (const text of [curl, mcp, sdk, x402]) expect(text.replace('…', '')).toMatch(/^[\n -~]*$/);
  expect(JSON.parse(mcp).arguments.query.a).toBe(HOSTILE);
  expect(x402).not.toContain('c=');
});

test('without an example there is no query', () => {
  const { curl, mcp } = waysToBuy('https://a.example/api', { id: 'i', priceCents: 0, exampleQuery: null });
  expect(curl).toContain(`-d '{"max_price_cents":0}'`);
  expect(JSON.parse(mcp)).toEqual({ name: 'buy_data', arguments: { listing_id: 'i', max_price_cents: 0 } });
});
