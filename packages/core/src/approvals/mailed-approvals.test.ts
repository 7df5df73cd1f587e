import { describe, expect, it } from 'vitest';
import { NO_LIMITS } from '../budgets/policy.rules.ts';
import type { Settings } from '../kernel/operation/operation.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../kernel/time.ts';
import { sendMail } from '../mail/index.ts';
import { createSoftwarePasskey } from '../testing/doubles/software-passkey.ts';
import { boundKey } from '../testing/fixtures/bound-key.ts';
import type { RegisteredAgent } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { offerWays } from './approval-ways.ts';

const sales = createSalesMarketplace();
const { market, buy, listing } = sales;
const ORIGIN = 'http://localhost';

type Answer = { status: number; body: Record<string, unknown> };
const request = (...args: Parameters<typeof sales.request>) =>
  sales.request(...args) as unknown as Promise<Answer>;
const codeOf = ({ status, body }: Answer) => (status < 300 ? status : body.code);

let count = 0;

async function verify(agent: RegisteredAgent, address: string): Promise<void> {
  const sql = 'UPDATE agents SET email = ?, email_verified_at = ? WHERE id = ?';
  const params = [address, isoTime(market.clock.now()), agent.id];
  await market.newPorts().market.commit([{ sql, params }]);
}

/** What was mailed to an address since it was last looked at, oldest first. */
async function mailsTo(address: string): Promise<string[]> {
  await market.background.settled();
  market.mail.tried.length = 0;
  await sendMail(market.newPorts(), 1000);
  return market.mail.tried.filter(({ to }) => to === address).map(({ text }) => text);
}
const tokenIn = (text: string | undefined) => /#token=(\S+)/.exec(text ?? '')?.[1] ?? 'none';

/** A buyer whose key needs approval above 500 cents, and what it asks for. */
async function watched({ isVerified = true } = {}) {
  const buyer = await sales.newAgent();
  await sales.fund(buyer, 20_000);
  const address = `owner-${++count}@example.com`;
  if (isVerified) await verify(buyer, address);
  await boundKey(market.newPorts(), buyer, { ...NO_LIMITS, approvalAboveCents: 500 });
  const { id } = await listing({ priceCents: 501 });
  const ask = async (idempotencyKey = 'the-key', more = {}) =>
    (await buy(id, buyer, {
      body: { payment_method: 'wallet', ...more },
      idempotencyKey,
    })) as unknown as Answer;
  return { buyer, address, ask, id };
}

const idIn = ({ body }: Answer) => String(body.approvalUrl).split('/').at(-1) ?? '';
const decide = (approvalId: string, token: string, apiKey: string | null = null) =>
  request('POST', `/approvals/${approvalId}/decision`, apiKey, { decision: 'approve', token });

describe('the link that is mailed to the owner', () => {
  it('is mailed once, and approves that purchase alone, once', async () => {
    const { address, ask, id } = await watched();
    const refused = await ask();
    expect([codeOf(refused), refused.body.charged]).toEqual(['approval_required', false]);
    expect(refused.body.approvalBy).toEqual(['mail']);
    await ask();
    await Promise.all([ask(), ask()]);
    const mails = await mailsTo(address);
    expect(mails).toHaveLength(1);
    const url = String(refused.body.approvalUrl);
    expect(mails[0]).toContain(`${url}#token=`);
    expect(mails[0]).toContain('$5.01');
    const token = tokenIn(mails[0]);

    const other = await ask('another-key');
    expect(codeOf(await decide(idIn(other), token))).toBe('not_the_owner');
    expect(codeOf(await decide(idIn(refused), `${token.slice(0, -1)}x`))).toBe('not_the_owner');
    expect((await decide(idIn(refused), token)).body).toMatchObject({ status: 'approved' });
    expect(codeOf(await decide(idIn(refused), token))).toBe('approval_not_open');
    expect(codeOf(await ask())).toBe(200);
    expect(codeOf(await ask())).toBe(200);
    expect(await sales.purchases(id)).toHaveLength(1);
    expect(codeOf(await ask('another-key'))).toBe('approval_required');
    await sales.audit();
  });

  it('approves no purchase whose receipt goes to another address', async () => {
    const { address, ask } = await watched();
    const refused = await ask('one', { email: address });
    const token = tokenIn((await mailsTo(address))[0]);
    expect((await decide(idIn(refused), token)).body).toMatchObject({ status: 'approved' });
    for (const email of [`someone-${address}`, undefined])
      expect(codeOf(await ask('one', { email }))).toBe('approval_required');
    expect(codeOf(await ask('one', { email: address }))).toBe(200);
  });

  it('is read by no key of the agent', async () => {
    const { buyer, address, ask } = await watched();
    const refused = await ask();
    const texts = await Promise.all(
      ['/agents/me', '/agents/me/events', '/agents/me/export', '/agents/me/inbox', '/purchases'].map(
        async (path) => JSON.stringify(await request('GET', path, buyer.apiKey)),
      ),
    );
    const page = await request('GET', `/approvals/${idIn(refused)}`, buyer.apiKey);
    const token = tokenIn((await mailsTo(address))[0]);
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    for (const text of [...texts, JSON.stringify(page), JSON.stringify(refused)]) {
      expect(text).not.toContain(token);
    }
    expect(page.body.approvalBy).toEqual(['mail']);
    const listed = JSON.stringify(await sales.rows('SELECT * FROM mail_outbox'));
    expect(listed).not.toContain(token);
  });

  it('is over after an hour, and when another address is verified', async () => {
    const { buyer, address, ask } = await watched();
    const first = await ask();
    const token = tokenIn((await mailsTo(address))[0]);
    market.clock.advance(1000);
    await verify(buyer, `new-${address}`);
    expect(codeOf(await decide(idIn(first), token))).toBe('not_the_owner');
    const second = await ask('second');
    const next = tokenIn((await mailsTo(`new-${address}`))[0]);
    market.clock.advance(HOUR_MS);
    expect(codeOf(await decide(idIn(second), next))).toBe('approval_not_open');
  });

  it('is mailed to a person ten times a day at most', async () => {
    const { address, ask } = await watched();
    for (let at = 0; at < 10; at += 1) expect((await ask(`ask-${at}`)).body.approvalBy).toEqual(['mail']);
    market.clock.advance(HOUR_MS);
    const more = await ask('one-more');
    expect([codeOf(more), more.body.approvalBy]).toEqual(['approval_required', []]);
    expect(more.body.detail).toMatch(/tomorrow|day/);
    expect(await mailsTo(address)).toHaveLength(10);
    market.clock.advance(DAY_MS);
    expect((await ask('the-next-day')).body.approvalBy).toEqual(['mail']);
  });

  it('goes to no address that nobody verified: the agent is told what is missing', async () => {
    const { buyer, address, ask } = await watched({ isVerified: false });
    const refused = await ask();
    expect([codeOf(refused), refused.body.approvalBy]).toEqual(['approval_required', []]);
    expect(refused.body.detail).toMatch(/no passkey.*e-mail/i);
    await verify(buyer, address);
    expect((await ask()).body.approvalBy).toEqual(['mail']);
    expect(await mailsTo(address)).toHaveLength(1);
  });

  it('is not sent by a marketplace without mail, which says so of a verified address too', async () => {
    const ctx = { ports: market.newPorts(), now: market.clock.now(), baseUrl: ORIGIN };
    const settings = { siteUrl: null, sendsMail: false } as Settings;
    const { buyer, address } = await watched();
    const approval = { id: market.newPorts().ids.uuid(), agentId: buyer.id, amountCents: 1, expiresAt: '' };
    expect(await offerWays({ ...ctx, settings }, approval)).toEqual({ by: [], obstacle: 'sends_no_mail' });
    expect(await mailsTo(address)).toHaveLength(0);
  });
});

async function challengeOf(proof: { apiKey?: string; token?: string }) {
  const { apiKey = null, token } = proof;
  const body = token === undefined ? {} : { token };
  return request('POST', '/agents/me/passkeys/challenge', apiKey, body);
}

async function enrol(challenge: unknown, proof: { apiKey?: string; token?: string }) {
  const { apiKey = null, token } = proof;
  const passkey = await (await createSoftwarePasskey()).enrol({
    challenge: String(challenge),
    origin: ORIGIN,
  });
  return request('POST', '/agents/me/passkeys', apiKey, {
    label: 'A phone',
    passkey,
    ...(token === undefined ? {} : { token }),
  });
}

describe('enrolling a passkey', () => {
  it('takes one challenge for each: nothing is enrolled with it twice, nor at once', async () => {
    const { apiKey } = await sales.newAgent();
    const { body } = await challengeOf({ apiKey });
    const answers = await Promise.all([1, 2, 3].map(() => enrol(body.challenge, { apiKey })));
    // Whoever comes second finds the challenge used, or, a moment later, that a passkey is there.
    const refusals = answers.map(codeOf).filter((code) => code !== 201);
    expect(refusals).toHaveLength(2);
    for (const code of refusals) expect(['passkey_not_accepted', 'enrolment_not_allowed']).toContain(code);
    expect(codeOf(await enrol(body.challenge, { apiKey }))).not.toBe(201);
    const { passkeys } = (await request('GET', '/agents/me/passkeys', apiKey)).body;
    expect(passkeys).toHaveLength(1);
  });

  it('takes the mailed link after the first one, or after the first hour, once for each', async () => {
    const agent = await sales.newAgent();
    const { apiKey } = agent;
    const mailLink = () => request('POST', '/agents/me/passkeys/link', apiKey, {});
    expect(codeOf(await mailLink())).toBe('email_not_verified');
    const address = `owner-${++count}@example.com`;
    await verify(agent, address);
    expect(codeOf(await enrol((await challengeOf({ apiKey })).body.challenge, { apiKey }))).toBe(201);
    // Within the hour: a key enrols the first one only.
    expect(codeOf(await challengeOf({ apiKey }))).toBe('enrolment_not_allowed');
    await mailsTo(address);

    const mailed = await mailLink();
    expect(codeOf(mailed)).toBe(202);
    const token = tokenIn((await mailsTo(address))[0]);
    expect(JSON.stringify(mailed)).not.toContain(token);
    const { body } = await challengeOf({ token });
    expect(body.passkeyIds).toHaveLength(1);
    // The link's challenge is nothing to a key.
    expect(codeOf(await enrol(body.challenge, { apiKey }))).toBe('enrolment_not_allowed');
    const answers = await Promise.all([1, 2].map(() => enrol(body.challenge, { token })));
    expect(answers.map(codeOf).sort()).toEqual([201, 'enrolment_link_over']);
    expect(answers.find(({ status }) => status === 201)?.body.enrolledBy).toBe('mail');
    expect(codeOf(await challengeOf({ token }))).toBe('enrolment_link_over');
    expect((await mailsTo(address)).join()).toContain('Whoever has the passkey approves');

    await mailLink();
    const late = tokenIn((await mailsTo(address))[0]);
    market.clock.advance(HOUR_MS);
    expect(codeOf(await challengeOf({ token: late }))).toBe('enrolment_link_over');
  });

  it('is asked for by no key with a budget, and by mail ten times a day at most', async () => {
    const agent = await sales.newAgent();
    await verify(agent, `owner-${++count}@example.com`);
    const mailLink = () => request('POST', '/agents/me/passkeys/link', agent.apiKey, {});
    for (let at = 0; at < 10; at += 1) expect(codeOf(await mailLink())).toBe(202);
    expect(codeOf(await mailLink())).toBe('too_many_links');
    await boundKey(market.newPorts(), agent, NO_LIMITS);
    expect(codeOf(await mailLink())).toBe('enrolment_not_allowed');
  });
});
