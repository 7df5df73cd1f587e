import { createSigningParty } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { afterAll, expect, it } from 'vitest';
import { startStubMarketplace } from '../../../sdk/src/testing/stub-marketplace.ts';
import { EXIT_CODES } from '../frame/exit-codes.data.ts';
import { createCliHome } from '../testing/run-cli.ts';

const stub = await startStubMarketplace(await createSigningParty());
const home = await createCliHome({ AGENT_MARKET_URL: stub.baseUrl, AGENT_MARKET_KEY: 'mkt_live_k' });
afterAll(async () => {
  await home.remove();
  await stub.close();
});

const LISTING = {
  id: 'l-1',
  title: 'Tides',
  priceCents: 900,
  queryRequired: false,
  exampleQuery: null,
  inputSchema: null,
};
const refusal = (code: string, more = {}) => ({
  status: 403,
  body: { code, title: 'No.', detail: 'See.', status: 403, charged: false, requestId: 'r', ...more },
});
const APPROVAL = { approvalUrl: 'https://market.example/approvals/1', approvalBy: ['passkey'] };

it('waits for an approval with the very same request, and names its page once', async () => {
  stub.answers(
    { body: { listing: LISTING } },
    refusal('approval_required', APPROVAL),
    refusal('approval_required', APPROVAL),
    refusal('approval_declined'),
  );
  const { exitCode, stderr } = await home.run(['buy', 'l-1', '--yes', '--wait', '--pay', 'wallet']);
  expect(exitCode).toBe(EXIT_CODES.not_bought.code);
  expect(stderr.split(APPROVAL.approvalUrl)).toHaveLength(2);
  const [, first, ...others] = stub.calls.map(({ body, headers }) => [headers['idempotency-key'], body]);
  expect(others).toEqual([first, first]);
  expect(JSON.parse(first?.[1] as string)).toEqual({ payment_method: 'wallet', max_price_cents: 900 });
});
