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

const USDC = { AGENT_MARKET_PAYER_KEY: `0x${'11'.repeat(32)}` };
const IN_USDC = [
  ['buy', 'l-1', '--yes', '--pay', 'usdc'],
  ['tab', 'open', 'l-1', '--amount-cents', '100'],
] as const;

it.each(IN_USDC)('waits for the approval of a payment in USDC as well, by %s %s', async (...args) => {
  const listing = args[0] === 'buy' ? [{ body: { listing: LISTING } }] : [];
  const required = refusal('approval_required', APPROVAL);
  stub.answers(...listing, required, required, refusal('approval_declined'));
  const waited = await home.run([...args, '--wait'], { env: USDC });
  expect([waited.exitCode, stub.calls.length]).toEqual([EXIT_CODES.not_bought.code, listing.length + 3]);
  expect(waited.stderr.split(APPROVAL.approvalUrl)).toHaveLength(2);
  expect(waited.stderr).not.toMatch(/Asking the seller|Paying/);

  stub.answers(...listing, required);
  const silent = await home.run(args, { env: USDC });
  expect([silent.exitCode, silent.stderr]).toEqual([
    EXIT_CODES.approval.code,
    expect.stringContaining('run the same command again within an hour; or run it with --wait'),
  ]);

  const anew = { ...APPROVAL, approvalUrl: 'https://market.example/approvals/2' };
  stub.answers(...listing, required, refusal('approval_required', anew));
  const over = await home.run([...args, '--wait'], { env: USDC });
  expect([over.exitCode, over.stderr]).toEqual([
    EXIT_CODES.approval.code,
    expect.stringContaining('Nobody decided within the time for it.'),
  ]);
  expect(over.stderr).toContain(anew.approvalUrl);
});

it.each(IN_USDC)('goes on waiting where the connection breaks, by %s %s', async (...args) => {
  const listing = args[0] === 'buy' ? [{ body: { listing: LISTING } }] : [];
  const required = refusal('approval_required', APPROVAL);
  // A request and its repetitions.
  const broken = [null, null, null, null];
  stub.answers(...listing, required, ...broken, required, ...broken, refusal('approval_declined'));
  const waited = await home.run([...args, '--wait'], { env: USDC });
  expect([waited.exitCode, waited.stderr]).toEqual([
    EXIT_CODES.not_bought.code,
    expect.stringContaining('Still waiting'),
  ]);

  stub.answers(...listing, required, null);
  const over = await home.run([...args, '--wait'], { env: USDC });
  expect([over.exitCode, over.stderr]).toEqual([
    EXIT_CODES.approval.code,
    expect.stringContaining(
      `The marketplace cannot be reached; the approval stays open: ${APPROVAL.approvalUrl}`,
    ),
  ]);
  expect(over.stderr).toContain('run the same command again within an hour');
});

it('refuses to ask a tab for nothing', async () => {
  const { exitCode, stderr } = await home.run(['tab', 'ask', 't-1', '--max-price-micros', '0']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('It must be 1 at least')]);
});
