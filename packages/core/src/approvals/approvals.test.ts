import { describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../budgets/policy.rules.ts';
import { runEveryMinute } from '../compose/jobs.ts';
import { HOUR_MS, MINUTE_MS } from '../kernel/time.ts';
import { createSoftwarePasskey } from '../testing/doubles/software-passkey.ts';
import { boundKey } from '../testing/fixtures/bound-key.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';

const sales = createSalesMarketplace();
const { market, buy, listing } = sales;
const ORIGIN = 'http://localhost';

type Answer = { status: number; body: Record<string, unknown> & { challenges: Record<string, string> } };
const request = (...args: Parameters<typeof sales.request>) =>
  sales.request(...args) as unknown as Promise<Answer>;

async function enrol(agent: RegisteredAgent, options: Parameters<typeof createSoftwarePasskey>[0] = {}) {
  const phone = await createSoftwarePasskey(options);
  const { body } = await request('POST', '/agents/me/passkeys/challenge', agent.apiKey, {});
  const passkey = await phone.enrol({ challenge: String(body.challenge), origin: ORIGIN });
  const answer = await request('POST', '/agents/me/passkeys', agent.apiKey, { label: 'A phone', passkey });
  return { phone, answer };
}

/** A buyer whose key needs approval above 500 cents, and the phone of its owner. */
async function watchedBuyer() {
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 20_000);
  const { phone } = await enrol(buyer);
  await boundKey(market.newPorts(), buyer, { ...NO_LIMITS, approvalAboveCents: 500 });
  return { buyer, phone };
}

type Phone = Awaited<ReturnType<typeof createSoftwarePasskey>>;

async function waiting(body: object = { payment_method: 'wallet' }, fields: object = {}) {
  const { buyer, phone } = await watchedBuyer();
  const seller = await sales.seller();
  const { id } = await listing({ priceCents: 501, ...fields }, seller);
  const ask = (more = {}, idempotencyKey = 'the-key') =>
    buy(id, buyer, { body: { ...body, ...more }, idempotencyKey });
  const refused = (await ask()) as unknown as Answer;
  expect([refused.status, refused.body.code, refused.body.charged]).toEqual([
    403,
    'approval_required',
    false,
  ]);
  const approvalId = String(refused.body.approvalUrl).split('/').at(-1) ?? '';
  return { buyer, seller, phone, id, ask, approvalId };
}

async function decide(
  phone: Phone,
  approvalId: string,
  decision = 'approve',
  signed = decision,
  origin = ORIGIN,
) {
  const { body } = await request('GET', `/approvals/${approvalId}`, null);
  const passkey = await phone.assert({ challenge: body.challenges[signed] ?? '', origin });
  const answer = await request('POST', `/approvals/${approvalId}/decision`, null, { decision, passkey });
  return { answer, passkey };
}

const codeOf = ({ status, body }: { status: number; body: object }) =>
  status === 200 ? 'bought' : (body as { code?: string }).code;

describe('what waits for a person', () => {
  it('is in a list of the agent, until it is bought, declined or over', async () => {
    const { buyer, phone, approvalId, ask, id } = await waiting();
    const other = await sales.newAgent();
    const listed = async (apiKey = buyer.apiKey) =>
      (await request('GET', '/agents/me/approvals', apiKey)).body.approvals as object[];
    expect(await listed(other.apiKey)).toEqual([]);
    expect(await listed()).toMatchObject([
      { id: approvalId, listingId: id, amountCents: 501, status: 'pending' },
    ]);
    market.clock.advance(MINUTE_MS);
    await ask({}, 'another-key');
    const [newest, first] = (await listed()) as { id: string; approvalUrl: string }[];
    expect([newest?.approvalUrl, first?.id]).toEqual([`${ORIGIN}/approvals/${newest?.id}`, approvalId]);
    await decide(phone, newest?.id ?? '', 'decline');
    await decide(phone, approvalId);
    expect(await listed()).toMatchObject([{ id: approvalId, status: 'approved' }]);
    await ask();
    expect(await listed()).toEqual([]);
    await ask({}, 'a-third-key');
    expect(await listed()).toHaveLength(1);
    market.clock.advance(HOUR_MS);
    expect(await listed()).toEqual([]);
  });
});

describe('what a person approved', () => {
  it('is bought by the same request, once', async () => {
    const { phone, approvalId, ask, id } = await waiting();
    expect((await decide(phone, approvalId)).answer).toMatchObject({
      status: 200,
      body: { status: 'approved' },
    });
    expect(codeOf(await ask())).toBe('bought');
    // The same request again is the same purchase.
    expect(codeOf(await ask())).toBe('bought');
    expect(await sales.purchases(id)).toHaveLength(1);
    expect((await request('GET', `/approvals/${approvalId}`, null)).body.status).toBe('used');
    expect(codeOf(await ask({}, 'another-key'))).toBe('approval_required');
    await sales.audit();
  });

  it('is bought with a key that was rotated twice since', async () => {
    const { buyer, phone, approvalId, id } = await waiting();
    await decide(phone, approvalId);
    let { apiKey } = buyer;
    for (let times = 0; times < 2; times += 1) {
      const { callerKeyId } = (await request('GET', '/agents/me/keys', apiKey)).body;
      const rotated = await request('POST', `/agents/me/keys/${callerKeyId}/rotate`, apiKey, {});
      expect([rotated.status, rotated.body.code]).toEqual([201, undefined]);
      apiKey = String(rotated.body.apiKey);
    }
    const body = { payment_method: 'wallet' };
    expect(codeOf(await buy(id, { ...buyer, apiKey }, { body, idempotencyKey: 'the-key' }))).toBe('bought');
  });

  it('is bought once, by however many at once', async () => {
    const { buyer, phone, approvalId, id } = await waiting({ payment_method: 'wallet' });
    await decide(phone, approvalId);
    const ask = () => buy(id, buyer, { body: { payment_method: 'wallet' }, idempotencyKey: 'the-key' });
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await sales.purchases(id)).toHaveLength(1);
  });

  it.each([
    ['an edited query', { query: { city: 'Cork' } }, 'the-edited-key'],
    ['another Idempotency-Key', {}, 'another-key'],
    ['another rail', { payment_method: 'checkout' }, 'the-rail-key'],
  ])('is nothing else: %s', async (_, more, key) => {
    const { phone, approvalId, ask } = await waiting();
    await decide(phone, approvalId);
    expect(codeOf(await ask(more, key))).toBe('approval_required');
    expect(codeOf(await ask())).toBe('bought');
  });

  it('is nothing at another price, or of a changed listing', async () => {
    const { seller, phone, approvalId, ask, id } = await waiting();
    await decide(phone, approvalId);
    const path = `/marketplace/listings/${id}`;
    expect((await request('PATCH', path, seller.apiKey, { priceCents: 502, reason: 'More.' })).status).toBe(
      200,
    );
    expect(codeOf(await ask())).toBe('approval_required');
    expect((await request('GET', `/approvals/${approvalId}`, null)).body).toMatchObject({
      listingChanged: true,
    });
  });

  it('is over after an hour, whether it was decided or not', async () => {
    const decided = await waiting();
    await decide(decided.phone, decided.approvalId);
    const undecided = await waiting();
    market.clock.advance(HOUR_MS);
    expect(codeOf(await decided.ask())).toBe('approval_required');
    const late = await decide(undecided.phone, undecided.approvalId);
    expect(late.answer).toMatchObject({ status: 409, body: { code: 'approval_not_open' } });
  });

  it('is not asked again once it was declined', async () => {
    const { phone, approvalId, ask } = await waiting();
    expect((await decide(phone, approvalId, 'decline')).answer.body).toMatchObject({ status: 'declined' });
    expect(codeOf(await ask())).toBe('approval_declined');
    expect((await decide(phone, approvalId)).answer.body.code).toBe('approval_not_open');
  });

  it('is an offer as well, and nothing in bulk', async () => {
    const { buyer, phone } = await watchedBuyer();
    const { id } = await listing({ priceCents: 5000, listingType: 'exclusive' });
    const offer = () =>
      request('POST', `/marketplace/listings/${id}/offers`, buyer.apiKey, { amountCents: 900 });
    const refused = await offer();
    expect(refused.body.code).toBe('approval_required');
    await decide(phone, String(refused.body.approvalUrl).split('/').at(-1) ?? '');
    expect((await offer()).status).toBe(201);
    const dear = await listing({ priceCents: 600 });
    const bulk = await request('POST', '/marketplace/purchases/bulk', buyer.apiKey, {
      listing_ids: [dear.id],
    });
    expect(bulk.body.items).toMatchObject([{ code: 'approval_required' }]);
  });

  it('comes after the limits: nobody is asked for what is not allowed anyway', async () => {
    const { buyer } = await watchedBuyer();
    const limits = { ...NO_LIMITS, approvalAboveCents: 500, perPurchaseCents: 600 };
    await boundKey(market.newPorts(), buyer, limits);
    const { id } = await listing({ priceCents: 700 });
    expect(codeOf(await buy(id, buyer, { body: { payment_method: 'wallet' } }))).toBe('budget_exceeded');
  });
});

describe('what approves nothing', () => {
  it('the address, an API key, and nothing at all', async () => {
    const { buyer, approvalId, ask } = await waiting();
    for (const apiKey of [null, buyer.apiKey]) {
      const { status, body } = await request('POST', `/approvals/${approvalId}/decision`, apiKey, {
        decision: 'approve',
      });
      expect([status, body.code]).toEqual([403, 'not_the_owner']);
    }
    const token = { decision: 'approve', token: '0'.repeat(32) };
    expect((await request('POST', `/approvals/${approvalId}/decision`, buyer.apiKey, token)).status).toBe(
      403,
    );
    expect(codeOf(await ask())).toBe('approval_required');
  });

  it('another person, another page, another decision, and a device that asked nobody', async () => {
    const { approvalId, phone, ask } = await waiting();
    const stranger = await watchedBuyer();
    expect((await decide(stranger.phone, approvalId)).answer.body.code).toBe('not_the_owner');
    const elsewhere = await decide(phone, approvalId, 'approve', 'approve', 'https://evil.example');
    expect(elsewhere.answer.body.code).toBe('not_the_owner');
    expect((await decide(phone, approvalId, 'approve', 'decline')).answer.body.code).toBe('not_the_owner');
    expect(codeOf(await ask())).toBe('approval_required');
    const careless = await enrol(await sales.newAgent(), { verifiesUser: false });
    expect(careless.answer.body.code).toBe('passkey_not_accepted');
  });

  it('an answer that was given to another purchase, or before', async () => {
    const first = await waiting();
    const { passkey } = await decide(first.phone, first.approvalId);
    const { id } = await listing({ priceCents: 700 });
    const again = (await buy(id, first.buyer, { body: { payment_method: 'wallet' } })) as unknown as Answer;
    const other = String(again.body.approvalUrl).split('/').at(-1);
    for (const approvalId of [other, first.approvalId]) {
      const { status } = await request('POST', `/approvals/${approvalId}/decision`, null, {
        decision: 'approve',
        passkey,
      });
      expect([403, 409]).toContain(status);
    }
    expect((await request('GET', `/approvals/${other}`, null)).body.status).toBe('pending');
  });
});

describe('a wallet that is too small', () => {
  const shortOf = async (approvalId: string) =>
    (await request('GET', `/approvals/${approvalId}`, null)).body.walletShort;

  it('is told before the person decides, and not of a purchase that needs no wallet', async () => {
    const { ask, approvalId } = await waiting({ payment_method: 'wallet' }, { priceCents: 20_301 });
    expect(await shortOf(approvalId)).toEqual({ balanceCents: 20_000, missingCents: 301 });
    const byCheckout = (await ask({ payment_method: 'checkout' }, 'another-key')) as unknown as Answer;
    expect(await shortOf(String(byCheckout.body.approvalUrl).split('/').at(-1) ?? '')).toBe(null);
  });

  it('is told of what waits only', async () => {
    const { phone, approvalId } = await waiting({}, { priceCents: 20_001 });
    expect(await shortOf(approvalId)).toEqual({ balanceCents: 20_000, missingCents: 1 });
    await decide(phone, approvalId, 'decline');
    expect(await shortOf(approvalId)).toBe(null);
  });
});

describe('what the agent asks the seller', () => {
  const query = { note: 'a private note' };
  const held = async (id: string) =>
    (await sales.rows<{ query: string | null }>('SELECT query FROM approvals WHERE id = ?', id)).map(
      (row) => row.query,
    );

  it('is read with the credential of the person only, which decides nothing by that', async () => {
    const { buyer, phone, approvalId } = await waiting({ payment_method: 'wallet', query });
    const read = (body: object, apiKey: string | null = null) =>
      request('POST', `/approvals/${approvalId}/query`, apiKey, body);
    for (const apiKey of [null, buyer.apiKey]) {
      const { body } = await request('GET', `/approvals/${approvalId}`, apiKey);
      expect(body).toMatchObject({ hasQuery: true, amountCents: 501, rails: 'wallet' });
      expect(JSON.stringify(body)).not.toContain(query.note);
      for (const proof of [{}, { token: '0'.repeat(32) }])
        expect(codeOf(await read(proof, apiKey))).toBe('not_the_owner');
    }
    const { challenges } = (await request('GET', `/approvals/${approvalId}`, null)).body;
    const answerTo = (challenge = '') => phone.assert({ challenge, origin: ORIGIN });
    expect(codeOf(await read({ passkey: await answerTo(challenges.approve) }))).toBe('not_the_owner');
    const passkey = await answerTo(challenges.read);
    expect((await read({ passkey })).body).toEqual({ query });
    const decision = { decision: 'approve', passkey };
    const decided = await request('POST', `/approvals/${approvalId}/decision`, null, decision);
    expect(codeOf(decided)).toBe('not_the_owner');
  });

  it.each(['used', 'declined', 'expired'])('is held no longer than the approval: %s', async (end) => {
    const { phone, ask, approvalId } = await waiting({ payment_method: 'wallet', query });
    expect(JSON.stringify(await held(approvalId))).toContain(query.note);
    if (end !== 'expired') await decide(phone, approvalId, end === 'used' ? 'approve' : 'decline');
    if (end === 'used') await ask();
    if (end === 'expired') {
      market.clock.advance(HOUR_MS);
      await runEveryMinute(market.newPorts());
    }
    expect(await held(approvalId)).toEqual([null]);
    const { body } = await request('GET', `/approvals/${approvalId}`, null);
    expect(body).toMatchObject({ hasQuery: false, status: end });
    const passkey = await phone.assert({ challenge: body.challenges.read ?? '', origin: ORIGIN });
    const answer = await request('POST', `/approvals/${approvalId}/query`, null, { passkey });
    expect(codeOf(answer)).toBe('approval_not_open');
  });
});

describe('a passkey', () => {
  it('is enrolled with a key in the first hour of the agent, and never with one that is bounded', async () => {
    const late = await sales.newAgent();
    market.clock.advance(HOUR_MS);
    const refused = await request('POST', '/agents/me/passkeys/challenge', late.apiKey, {});
    expect([refused.status, refused.body.code]).toEqual([403, 'enrolment_not_allowed']);
    const bounded = await sales.newAgent();
    await boundKey(market.newPorts(), bounded, NO_LIMITS);
    expect((await request('POST', '/agents/me/passkeys/challenge', bounded.apiKey, {})).body.code).toBe(
      'enrolment_not_allowed',
    );
    expect((await request('POST', '/agents/me/passkeys/challenge', null, {})).status).toBe(403);
    const token = { token: `${late.id}.9999999999999.${'0'.repeat(32)}` };
    expect((await request('POST', '/agents/me/passkeys/challenge', null, token)).body.code).toBe(
      'enrolment_link_over',
    );
  });

  it('answers the challenge of its agent, for some minutes, once', async () => {
    const [agent, other] = [await sales.newAgent(), await sales.newAgent()];
    const phone = await createSoftwarePasskey();
    const { body } = await request('POST', '/agents/me/passkeys/challenge', agent.apiKey, {});
    const passkey = await phone.enrol({ challenge: String(body.challenge), origin: ORIGIN });
    const send = (key: string) => request('POST', '/agents/me/passkeys', key, { label: 'A phone', passkey });
    expect((await send(other.apiKey)).body.code).toBe('passkey_not_accepted');
    expect((await send(agent.apiKey)).status).toBe(201);
    expect((await send(agent.apiKey)).body.code).toBe('enrolment_not_allowed');
    const listed = await request('GET', '/agents/me/passkeys', agent.apiKey);
    expect(listed.body.passkeys).toMatchObject([{ id: phone.id, enrolledBy: 'key', label: 'A phone' }]);
    expect((await request('DELETE', `/agents/me/passkeys/${phone.id}`, other.apiKey)).status).toBe(404);
    expect((await request('DELETE', `/agents/me/passkeys/${phone.id}`, agent.apiKey)).status).toBe(200);
    const late = await request('POST', '/agents/me/passkeys/challenge', agent.apiKey, {});
    market.clock.advance(10 * MINUTE_MS);
    const answer = await phone.enrol({ challenge: String(late.body.challenge), origin: ORIGIN });
    const sent = { label: 'A phone', passkey: answer };
    expect((await request('POST', '/agents/me/passkeys', agent.apiKey, sent)).body.code).toBe(
      'passkey_not_accepted',
    );
  });
});
