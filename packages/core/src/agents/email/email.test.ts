import { describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../kernel/time.ts';
import { sendMail } from '../../mail/index.ts';
import { keysOf } from '../../testing/fixtures/agent-keys.ts';
import { newAgentOf } from '../../testing/fixtures/new-seller.ts';
import { readSigned } from '../../testing/marketplace/read-signed.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();
const keys = keysOf(market);
const { DB } = testBindings;

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown> & { code?: string };
  readonly text: string;
}

async function post(path: string, body: object, address = '192.0.2.1'): Promise<Answer> {
  const response = await market.request('POST', path, { body, headers: { 'cf-connecting-ip': address } });
  return { status: response.status, ...(await readSigned(response)) } as unknown as Answer;
}
const refused = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];
const setEmail = (apiKey: string, email: string) => keys.ask('PATCH', '/agents/me', apiKey, { email });
const emailOf = async (apiKey: string) => (await keys.own(apiKey)).body.email as Record<string, unknown>;

let count = 0;
const newAddress = () => `person-${++count}@example.com`;

/** What was mailed to an address since it was last looked at, oldest first. */
async function mailsTo(address: string): Promise<string[]> {
  await market.background.settled();
  market.mail.tried.length = 0;
  await sendMail(market.newPorts(), 1000);
  return market.mail.tried.filter(({ to }) => to === address).map(({ text }) => text);
}
const tokenIn = (text: string | undefined) => /#token=(\S+)/.exec(text ?? '')?.[1] ?? 'none';
const linkTo = async (address: string) =>
  tokenIn((await mailsTo(address)).find((text) => text.includes('token=')));
const verify = (token: string) => post('/agents/email/verify', { token });

async function verifiedAgent(more: object = {}) {
  const address = newAddress();
  const agent = await newAgentOf(market, { name: 'Ada', email: address, ...more });
  await setEmail(agent.apiKey, address);
  expect((await verify(await linkTo(address))).status).toBe(200);
  return { ...agent, address };
}

describe('an e-mail address', () => {
  it('is confirmed by the link that is mailed to it, and shown in no answer', async () => {
    const address = newAddress();
    const { apiKey } = await newAgentOf(market, { name: 'Ada', email: address });
    expect(await emailOf(apiKey)).toEqual({ changedAt: null, isVerified: false, pendingUntil: null });
    const asked = await setEmail(apiKey, address);
    expect(asked.status).toBe(200);
    expect(asked.body.email).toMatchObject({ isVerified: false, pendingUntil: expect.any(String) });
    const token = await linkTo(address);
    const confirmed = await verify(token);
    expect(confirmed.body).toMatchObject({ isChange: false, verifiedAt: expect.any(String) });
    expect(await emailOf(apiKey)).toEqual({ changedAt: null, isVerified: true, pendingUntil: null });
    for (const text of [JSON.stringify(asked), confirmed.text, JSON.stringify(await keys.own(apiKey))])
      expect(text).not.toContain(address);
    expect(refused(await verify(token))).toEqual([404, 'email_link_not_found']);
  });

  it('that is the first to be confirmed is no change, also after another was given at the registration', async () => {
    for (const registered of [undefined, newAddress()]) {
      const { apiKey } = await newAgentOf(market, { name: 'Ada', ...(registered && { email: registered }) });
      const address = newAddress();
      await setEmail(apiKey, address);
      expect((await verify(await linkTo(address))).body.isChange).toBe(false);
      expect(await emailOf(apiKey)).toMatchObject({ changedAt: null, isVerified: true });
      await post('/agents/recovery', { email: address });
      expect((await mailsTo(address)).join()).toContain('/recover/link#token=');
    }
  });

  it('changes when the new one is confirmed, and the old one is told', async () => {
    const { apiKey, address, id } = await verifiedAgent({ callbackUrl: 'https://agent.example.com/events' });
    const next = newAddress();
    await setEmail(apiKey, next);
    const token = await linkTo(next);
    expect(await mailsTo(address)).toEqual([]);
    expect(await DB.prepare('SELECT email FROM agents WHERE id = ?').bind(id).first('email')).toBe(address);
    await verify(token);
    expect(await DB.prepare('SELECT email FROM agents WHERE id = ?').bind(id).first('email')).toBe(next);
    expect((await mailsTo(address)).join()).toContain('takes the place of this one');
    expect(await emailOf(apiKey)).toMatchObject({ changedAt: expect.any(String), isVerified: true });
    const events = await DB.prepare(
      "SELECT data FROM agent_events WHERE agent_id = ? AND type = 'account.email_verified'",
    )
      .bind(id)
      .all<{ data: string }>();
    expect(events.results.map(({ data }) => JSON.parse(data).isChange).sort()).toEqual([false, true]);
  });

  it('takes a key that may do everything: one that may manage cannot move it', async () => {
    const { apiKey } = await newAgentOf(market);
    const manager = await keys.make(apiKey, ['read', 'buy', 'sell', 'manage']);
    const address = newAddress();
    expect(refused(await setEmail(manager.apiKey, address))).toEqual([403, 'scope_missing']);
    expect(await mailsTo(address)).toEqual([]);
    expect((await setEmail(apiKey, address)).status).toBe(200);
  });

  it('has one open link at a time, for a day', async () => {
    const { apiKey } = await newAgentOf(market);
    const [one, other] = [newAddress(), newAddress()];
    await setEmail(apiKey, one);
    const first = await linkTo(one);
    await setEmail(apiKey, other);
    const second = await linkTo(other);
    expect(refused(await verify(first))).toEqual([404, 'email_link_not_found']);
    market.clock.advance(DAY_MS);
    expect(refused(await verify(second))).toEqual([404, 'email_link_not_found']);
  });

  it('is confirmed once by two who open the link at once', async () => {
    const { apiKey } = await newAgentOf(market);
    const address = newAddress();
    await setEmail(apiKey, address);
    const token = await linkTo(address);
    const answers = await Promise.all([verify(token), verify(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  });

  it.each(['', 'x', `${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}.${'0'.repeat(32)}`])(
    'opens nothing with the token %j',
    async (token) => {
      expect(refused(await verify(token))).toEqual([404, 'email_link_not_found']);
      for (const path of ['open', 'complete'])
        expect(refused(await post(`/agents/recovery/${path}`, { token }))).toEqual([
          404,
          'recovery_not_found',
        ]);
    },
  );

  it('is mailed five links a day because of one network, whoever asks and however it is written', async () => {
    for (const email of ['reader@gmail.com', 'r.eader@gmail.com', 'reader+2@googlemail.com']) {
      for (let n = 0; n < 5; n += 1) {
        const { apiKey } = await newAgentOf(market);
        await setEmail(apiKey, email);
      }
    }
    const sent =
      "SELECT COUNT(*) AS n FROM mail_outbox WHERE person = 'reader@gmail.com' AND purpose = 'email_link'";
    expect(await DB.prepare(sent).first('n')).toBe(5);
  });

  it('makes one party of the agents that confirmed it, however they wrote it, and of no others', async () => {
    const marks = async (email: string, isConfirmed: boolean) => {
      const { apiKey, id } = await newAgentOf(market, { name: 'Ada', email });
      if (isConfirmed) {
        await setEmail(apiKey, email);
        await verify(await linkTo(email));
      }
      const { results } = await DB.prepare(
        "SELECT mark FROM party_marks WHERE holder = ? AND mark LIKE 'email:%'",
      )
        .bind(id)
        .all<{ mark: string }>();
      return results.map(({ mark }) => mark);
    };
    const one = await marks('twin.one@gmail.com', true);
    expect(one).toHaveLength(1);
    expect(one[0]).toMatch(/^email:[0-9a-f]{64}$/);
    expect(await marks('TwinOne+shop@googlemail.com', true)).toEqual(one);
    expect(await marks('twin.one@gmail.com', false)).toEqual([]);
    expect(await marks(newAddress(), true)).not.toEqual(one);
  });
});

describe('recovering an account', () => {
  const ask = (body: object) => post('/agents/recovery', body);
  const open = (token: string) => post('/agents/recovery/open', { token });
  const complete = (token: string) => post('/agents/recovery/complete', { token });

  it('gives a new key 24 hours after the mailed link was opened, and ends all others', async () => {
    const { apiKey, id, address } = await verifiedAgent({ callbackUrl: 'https://agent.example.com/events' });
    const worker = await keys.make(apiKey, ['buy']);
    await mailsTo(address);
    await ask({ email: address.toUpperCase() });
    const token = await linkTo(address);
    expect(refused(await complete(token))).toEqual([409, 'recovery_delayed']);
    const opened = await open(token);
    expect(opened.body.effectiveAt).toBe(new Date(market.clock.now() + DAY_MS).toISOString());
    expect((await mailsTo(address)).join()).toContain('gives a new API key');
    expect((await open(token)).body.effectiveAt).toBe(opened.body.effectiveAt);
    market.clock.advance(DAY_MS - 1);
    const early = await complete(token);
    expect(refused(early)).toEqual([409, 'recovery_delayed']);
    expect((await keys.own(apiKey)).status).toBe(200);
    market.clock.advance(1);
    const done = await complete(token);
    expect([done.status, (await keys.own(String(done.body.apiKey))).body.id]).toEqual([201, id]);
    for (const key of [apiKey, worker.apiKey])
      expect(refused(await keys.own(key))).toEqual([401, 'api_key_revoked']);
    expect(refused(await complete(token))).toEqual([409, 'recovery_over']);
    const { results } = await DB.prepare('SELECT type FROM agent_events WHERE agent_id = ?').bind(id).all();
    expect(JSON.stringify(results)).toContain('account.recovery_opened');
    expect(JSON.stringify(results)).toContain('account.recovered');
    expect((await keys.list(String(done.body.apiKey))).body.keys).toMatchObject([
      { scopes: ['all'], state: 'live' },
      {},
      {},
    ]);
  });

  it('is cancelled by any live key, also by one for reading only', async () => {
    const { apiKey, address } = await verifiedAgent();
    const reader = await keys.make(apiKey, ['read']);
    await mailsTo(address);
    await ask({ email: address });
    const token = await linkTo(address);
    await open(token);
    const cancelled = await keys.ask('POST', '/agents/me/recovery/cancel', reader.apiKey, {});
    expect(cancelled.body.wasOpen).toBe(true);
    market.clock.advance(2 * DAY_MS);
    for (const answer of [await open(token), await complete(token)])
      expect(refused(answer)).toEqual([409, 'recovery_over']);
    expect((await keys.own(apiKey)).status).toBe(200);
  });

  it('answers the same to everybody, and mails only a verified address that was not changed for 7 days', async () => {
    const { apiKey, address, connect } = await verifiedAgent();
    const unverified = newAddress();
    await newAgentOf(market, { name: 'Unverified', email: unverified });
    await mailsTo(address);
    const byEmail = await ask({ email: address });
    const byHandle = await ask({ handle: connect.handle });
    const strangers = [
      await ask({ email: unverified }),
      await ask({ email: newAddress() }),
      await ask({ handle: 'agent-00000000' }),
    ];
    for (const { status, body } of [byEmail, byHandle, ...strangers]) {
      expect([status, body.notice]).toEqual([202, byEmail.body.notice]);
    }
    expect(await mailsTo(address)).toHaveLength(2);
    expect(await mailsTo(unverified)).toEqual([]);
    const next = newAddress();
    await setEmail(apiKey, next);
    await verify(await linkTo(next));
    for (const [waitMs, mails] of [
      [0, 0],
      [7 * DAY_MS - 1, 0],
      [1, 1],
    ] as const) {
      market.clock.advance(waitMs);
      await ask({ email: next });
      expect(await mailsTo(next)).toHaveLength(mails);
    }
  });

  it('ends when the address changes meanwhile', async () => {
    const { apiKey, address } = await verifiedAgent();
    await mailsTo(address);
    await ask({ email: address });
    const token = await linkTo(address);
    await open(token);
    const next = newAddress();
    await setEmail(apiKey, next);
    await verify(await linkTo(next));
    market.clock.advance(2 * DAY_MS);
    expect(refused(await complete(token))).toEqual([409, 'recovery_over']);
  });

  it('has a link that works for a day, and a key that is given within 7 days', async () => {
    const { address } = await verifiedAgent();
    await mailsTo(address);
    await ask({ email: address });
    const unopened = await linkTo(address);
    market.clock.advance(DAY_MS);
    expect(refused(await open(unopened))).toEqual([404, 'recovery_not_found']);
    await ask({ email: address });
    const token = await linkTo(address);
    await open(token);
    market.clock.advance(8 * DAY_MS);
    expect(refused(await complete(token))).toEqual([404, 'recovery_not_found']);
  });

  it('gives one key to 10 who complete it at once', async () => {
    const { address } = await verifiedAgent();
    await mailsTo(address);
    await ask({ email: address });
    const token = await linkTo(address);
    await Promise.all([open(token), open(token)]);
    market.clock.advance(25 * HOUR_MS);
    const answers = await Promise.all(Array.from({ length: 10 }, () => complete(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 409),
    ]);
  });

  it('mails a person five links a day because of one network, and the first of each however many others asked', async () => {
    const { address } = await verifiedAgent();
    await mailsTo(address);
    const asks = async (from: string, times: number) => {
      for (let n = 0; n < times; n += 1) await post('/agents/recovery', { email: address }, from);
      return (await mailsTo(address)).length;
    };
    expect(await asks('192.0.2.1', 7)).toBe(5);
    expect(await asks('198.51.100.1', 7)).toBe(5);
    // Strangers have used up what all have together.
    expect(await asks('203.0.113.9', 3)).toBe(1);
    let sent = 11;
    for (let n = 10; n < 60; n += 1) sent += await asks(`203.0.113.${n}`, 1);
    expect(sent).toBe(50);
    market.clock.advance(DAY_MS);
    expect(await asks('203.0.113.9', 1)).toBe(1);
  });

  it('stands as it was begun when a second link is opened, and gives one key', async () => {
    const { address } = await verifiedAgent();
    await mailsTo(address);
    const tokens: string[] = [];
    for (let n = 0; n < 2; n += 1) {
      await ask({ email: address });
      tokens.push(await linkTo(address));
    }
    const [first = '', second = ''] = tokens;
    const { effectiveAt } = (await open(first)).body;
    market.clock.advance(20 * HOUR_MS);
    expect((await open(second)).body.effectiveAt).toBe(effectiveAt);
    market.clock.advance(4 * HOUR_MS);
    expect((await complete(second)).status).toBe(201);
    expect(refused(await complete(first))).toEqual([409, 'recovery_over']);
  });

  it.each([{}, { email: 'a@example.com', handle: 'agent-00000000' }, { email: 'nobody' }])(
    'refuses %j',
    async (body) => {
      expect(refused(await ask(body))).toEqual([400, 'validation_failed']);
    },
  );
});
