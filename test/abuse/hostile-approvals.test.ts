import { NO_LIMITS } from '@agent-marketplace/core/budgets/policy.rules.ts';
import { HOUR_MS } from '@agent-marketplace/core/kernel/time.ts';
import { createSoftwarePasskey } from '@agent-marketplace/core/testing/doubles/software-passkey.ts';
import { boundKey } from '@agent-marketplace/core/testing/fixtures/bound-key.ts';
import { createSalesMarketplace } from '@agent-marketplace/core/testing/marketplace/sales-marketplace.ts';
import { expect, it } from 'vitest';

// A limited agent, or whoever has its keys, tries to make more of an approval than what a person approved.

const sales = createSalesMarketplace();
const { market, buy, listing } = sales;
const ORIGIN = 'http://localhost';
const ABOVE_500 = { ...NO_LIMITS, approvalAboveCents: 500 };
const WALLET = { payment_method: 'wallet', query: { city: 'Brest' } };

type Answer = { status: number; body: Record<string, unknown> & { challenges: Record<string, string> } };
const request = (...args: Parameters<typeof sales.request>) =>
  sales.request(...args) as unknown as Promise<Answer>;
const codeOf = ({ status, body }: { status: number; body: object }) =>
  status < 300 ? 'done' : (body as { code?: string }).code;

/** A buyer with two limited keys, the phone of its owner, and a purchase with the first that waits. */
async function waiting() {
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 20_000);
  const phone = await createSoftwarePasskey();
  const { body } = await request('POST', '/agents/me/passkeys/challenge', buyer.apiKey, {});
  const passkey = await phone.enrol({ challenge: String(body.challenge), origin: ORIGIN });
  await request('POST', '/agents/me/passkeys', buyer.apiKey, { label: 'A phone', passkey });
  const other = await request('POST', '/agents/me/keys', buyer.apiKey, { label: 'B', scopes: ['all'] });
  await boundKey(market.newPorts(), buyer, ABOVE_500);
  const seller = await sales.seller();
  const { id } = await listing({ priceCents: 501 }, seller);
  const ask = (apiKey = buyer.apiKey, more: object = {}, idempotencyKey = 'one') =>
    buy(
      id,
      { ...buyer, apiKey },
      { body: { ...WALLET, ...more }, idempotencyKey },
    ) as unknown as Promise<Answer>;
  const approvalId = String((await ask()).body.approvalUrl)
    .split('/')
    .at(-1);
  const path = `/approvals/${approvalId}`;
  const challenges = (await request('GET', path, null)).body.challenges;
  const decide = (passkey: object, decision = 'approve') =>
    request('POST', `${path}/decision`, null, { decision, passkey });
  const sign = (more: object = {}) =>
    phone.assert({ challenge: challenges.approve ?? '', origin: ORIGIN, ...more });
  return { ask, buyer, decide, id, otherKey: String(other.body.apiKey), path, seller, sign };
}

it.each([
  ['of another page', { origin: 'https://evil.example', relyingParty: 'localhost' }],
  ['of another host', { relyingParty: 'evil.example' }],
  ['of the same host over another port', { origin: 'http://localhost:1' }],
])('takes no signature %s', async (_, more) => {
  const { ask, decide, sign } = await waiting();
  expect(codeOf(await decide(await sign(more)))).toBe('not_the_owner');
  expect(codeOf(await ask())).toBe('approval_required');
});

it('takes a signature once, for its decision alone, and none after an hour', async () => {
  const { decide, sign } = await waiting();
  const signed = await sign();
  expect(codeOf(await decide(signed, 'decline'))).toBe('not_the_owner');
  const answers = await Promise.all([1, 2, 3].map(() => decide(signed)));
  expect(answers.map(codeOf).sort()).toEqual(['approval_not_open', 'approval_not_open', 'done']);
  // Each passkey counts what it signs: what was signed before is not taken again.
  expect(codeOf(await decide(signed))).toMatch(/^(approval_not_open|not_the_owner)$/);
  const late = await waiting();
  const kept = await late.sign();
  market.clock.advance(HOUR_MS);
  expect(codeOf(await late.decide(kept))).toBe('approval_not_open');
});

it('buys what was approved and nothing else, with that key, once', async () => {
  const { ask, buyer, decide, id, otherKey, seller, sign } = await waiting();
  expect(codeOf(await decide(await sign()))).toBe('done');
  const stranger = await sales.newAgent();
  await sales.fund(stranger, 1000);
  await boundKey(market.newPorts(), stranger, ABOVE_500);
  const dearer = (await listing({ priceCents: 502 }, seller)).id;
  const tries = [
    ask(otherKey),
    ask(stranger.apiKey),
    ask(buyer.apiKey, { query: { city: 'Cork' } }, 'two'),
    ask(buyer.apiKey, { payment_method: 'checkout' }, 'three'),
    ask(buyer.apiKey, {}, 'four'),
    buy(dearer, buyer, { body: WALLET, idempotencyKey: 'five' }),
  ];
  for (const answer of await Promise.all(tries)) expect(codeOf(answer)).toBe('approval_required');
  expect(await sales.purchases(id)).toHaveLength(0);
  expect((await Promise.all([1, 2, 3].map(() => ask()))).map(codeOf)).toContain('done');
  expect(codeOf(await ask(buyer.apiKey, {}, 'six'))).toBe('approval_required');
  expect(await sales.purchases(id)).toHaveLength(1);
  await sales.audit();
});
