import { readConfiguration } from '@agent-marketplace/core/compose/configuration.ts';
import { TEST_VARIABLES } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { expect, it } from 'vitest';
import { clause } from './clause.ts';
import { createService, pathsOf } from './service.ts';

// Part "Limits" of the specification, where no other file here has it; test/conformance/clauses names them all.

clause('agents.callback-url', 'limits.callback-url');
it('callbackUrl: 2048 characters are taken, 2049 are not, at registration and at POST /sell/callback', async () => {
  const service = createService(createTestMarketplace({ settings: { sellerEndpoints: 'public' } }));
  const { apiKey: key } = await service.register('Seller', '/sell/register');
  const url = (length: number) => 'https://example.com/'.padEnd(length, 'x');
  const sent = (callbackUrl: string) => [
    service.post('/agents/register', { name: 'Ada', callbackUrl }),
    service.post('/sell/callback', { callbackUrl }, { key }),
  ];
  expect((await Promise.all(sent(url(2048)))).map(({ status }) => status)).toEqual([201, 200]);
  for (const reply of await Promise.all(sent(url(2049)))) {
    expect([reply.status, pathsOf(reply)]).toEqual([400, ['callbackUrl']]);
  }
});

clause('x402.rate');
it('pay-per-query is limited more tightly than reading, writing and buying', () => {
  const { RATE_LIMITS: _, ...variables } = TEST_VARIABLES as typeof TEST_VARIABLES & { RATE_LIMITS?: string };
  const { rates } = readConfiguration(variables);
  const perMinute = ({ limit, windowSeconds }: { limit: number; windowSeconds: number }) =>
    (limit * 60) / windowSeconds;
  // What writes to a person or makes an account is limited by its own measure.
  for (const area of ['read', 'write', 'purchase'] as const) {
    expect(perMinute(rates.x402), area).toBeLessThan(perMinute(rates[area]));
  }
});
