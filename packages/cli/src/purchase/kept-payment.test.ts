import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSigningParty } from '@agent-marketplace/protocol/testing/signing-party.ts';
import { afterAll, expect, it } from 'vitest';
import { startStubMarketplace } from '../../../sdk/src/testing/stub-marketplace.ts';
import { challenge, LISTING, sold } from '../../../sdk/src/testing/x402-seller.ts';
import { createCliHome } from '../testing/run-cli.ts';

// The file of a payment goes only where an answer says what became of the money.

const party = await createSigningParty();
const stub = await startStubMarketplace(party);
const home = await createCliHome({ AGENT_MARKET_URL: stub.baseUrl, AGENT_MARKET_KEY: 'mkt_live_k' });
afterAll(async () => {
  await home.remove();
  await stub.close();
});

const PAYER = `0x${'aa'.repeat(20)}`;
const payment = {
  listingId: LISTING,
  query: {},
  header: { name: 'PAYMENT-SIGNATURE', value: 'e30=' },
  amountCents: 3,
  payer: PAYER,
  payTo: `0x${'fe'.repeat(20)}`,
  chainId: 8453,
  asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  nonce: `0x${'11'.repeat(32)}`,
  validBefore: 0,
};
const refusal = (status: number, code: string, more = {}) => ({
  status,
  body: { code, title: 'No.', detail: 'See this.', status, requestId: 'r', retryable: false, ...more },
});

async function resume(...more: string[]) {
  const file = join(home.folder, 'payment.json');
  await writeFile(file, JSON.stringify({ url: stub.baseUrl, payment }));
  const { exitCode, stderr } = await home.run(['resume', file, ...more]);
  const isKept = await access(file).then(
    () => true,
    () => false,
  );
  return { exitCode, stderr, file, isKept };
}

it.each([
  ['a key that was revoked', refusal(401, 'api_key_revoked')],
  ['a key, by a server that says more than it knows', refusal(401, 'api_key_revoked', { charged: false })],
  ['a scope', refusal(403, 'scope_missing')],
  ['a payment whose money goes back', refusal(409, 'payment_spent')],
  ['a listing, where the payment may be on chain', refusal(409, 'listing_not_active')],
])('stays after a refusal for %s', async (_of, answer) => {
  stub.answers(answer);
  const { exitCode, stderr, isKept, file } = await resume();
  expect([exitCode, isKept]).toEqual([12, true]);
  expect(stderr).toContain('See this.');
  expect(stderr).toContain(`agent-market resume '${file}'`);
  expect(stderr.includes('--no-key')).toBe(answer.status === 401 || answer.status === 403);
});

it('stays after an answer that is not what was paid for', async () => {
  stub.answers(await sold(party, PAYER, { amountCents: 2 }));
  const { exitCode, stderr, isKept, file } = await resume();
  expect([exitCode, isKept]).toEqual([12, true]);
  expect(stderr).toContain(file);
});

it.each([
  ['terms anew', challenge({}, { error: 'insufficient_funds' })],
  ['a problem that says so', refusal(409, 'sold_out', { charged: false })],
])('goes once it is said that nothing was charged, by %s', async (_by, answer) => {
  stub.answers(answer);
  const { exitCode, isKept } = await resume();
  expect([exitCode, isKept]).toEqual([10, false]);
});

it('is sent without the key where that is asked for', async () => {
  stub.answers(await sold(party, PAYER));
  const { exitCode, isKept, stderr } = await resume('--no-key');
  expect([exitCode, isKept], stderr).toEqual([0, false]);
  expect(stub.calls.at(-1)?.headers.authorization).toBeUndefined();
});

it('is said to be one of this program', async () => {
  const file = join(home.folder, 'of-the-sdk.json');
  await writeFile(file, JSON.stringify(payment));
  const { exitCode, stderr } = await home.run(['resume', file]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('resumePayment')]);
});
