import { sendMail } from '@agent-marketplace/core/mail/index.ts';
import { keysOf, type MadeKey, madeKey } from '@agent-marketplace/core/testing/fixtures/agent-keys.ts';
import { newAgentOf } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { createTestMarketplace } from '@agent-marketplace/core/testing/marketplace/workers-harness.ts';
import { describe, expect, it } from 'vitest';

// Who may get into an account changes as a whole or not at all, whichever call to the database breaks, and whoever asks
// again has it: keys that are made and revoked, an address that is verified, a recovery.

const market = createTestMarketplace();
const keys = keysOf(market);
const DAY = 86_400_000;
/** More than any of the changes makes; `break` says how many there were. */
const MOST_CALLS = 12;

type Answer = { status: number; body: Record<string, unknown> };

async function post(path: string, body: object): Promise<Answer> {
  const response = await market.request('POST', path, { body });
  return { status: response.status, body: (await readSigned(response)).body };
}

interface Schedule {
  readonly at: number;
  readonly fault: 'lose_request' | 'lose_reply';
  /** Nothing gets through after it: the process is dead. */
  readonly isDeath: boolean;
}

/** Does it once with one call broken; whether there was such a call. */
async function broken(work: () => Promise<unknown>, { at, fault, isDeath }: Schedule): Promise<boolean> {
  let calls = 0;
  market.market.fault = () => {
    const call = calls++;
    if (call === at) return fault;
    return isDeath && call > at ? 'lose_request' : undefined;
  };
  await work().catch(() => null);
  await market.background.settled();
  market.market.fault = () => undefined;
  return calls > at;
}

const FAULTS = (['lose_request', 'lose_reply'] as const).flatMap((fault) =>
  [false, true].map((isDeath) => ({ fault, isDeath })),
);

/** Every call of a change is broken in each way; the scenario says what must hold then. */
async function breakEverywhere(scenario: (schedule: Schedule) => Promise<boolean>): Promise<void> {
  for (const way of FAULTS) {
    let at = 0;
    while (await scenario({ at, ...way })) at += 1;
    expect(at).toBeGreaterThan(1);
    expect(at).toBeLessThan(MOST_CALLS);
  }
}

const rows = <Row>(sql: string, ...params: (string | number)[]): Promise<Row[]> =>
  market.newPorts().market.all<Row>({ sql, params });
const eventsOf = async (agentId: string, type: string) =>
  (await rows('SELECT id FROM agent_events WHERE agent_id = ? AND type = ?', agentId, type)).length;

let count = 0;
async function agent() {
  const email = `owner-${++count}@example.com`;
  const made = await newAgentOf(market, { name: 'Ada', email });
  return { ...made, email, keyId: await keys.idOf(made.apiKey) };
}

async function tokenTo(email: string): Promise<string> {
  await market.background.settled();
  market.mail.tried.length = 0;
  await sendMail(market.newPorts(), 1000);
  const texts = market.mail.tried.filter(({ to }) => to === email).map(({ text }) => text);
  return texts.flatMap((text) => /#token=(\S+)/.exec(text)?.[1] ?? []).at(-1) ?? 'none';
}

describe('whichever call breaks', () => {
  it('a key is made with its policy and its notice, or not at all', () =>
    breakEverywhere(async (schedule) => {
      const { id, apiKey } = await agent();
      const make = () => keys.create(apiKey, { policy: { totalCents: 100 } });
      const isBroken = await broken(make, schedule);
      const made = (await keys.rows(id)).length - 1;
      expect(made).toBeLessThanOrEqual(1);
      const policies = await rows('SELECT id FROM spend_policies WHERE agent_id = ?', id);
      expect([policies.length, await eventsOf(id, 'key.created')]).toEqual([made, made]);
      expect(madeKey(await make()).id).toBeTruthy();
      return isBroken;
    }));

  it('a key ends with all that were made with it, and is told of once', () =>
    breakEverywhere(async (schedule) => {
      const { id, apiKey } = await agent();
      const parent = await keys.make(apiKey, ['manage', 'read']);
      const child: MadeKey = await keys.make(parent.apiKey, ['read']);
      const isBroken = await broken(() => keys.revoke(apiKey, parent.id), schedule);
      const ended = async () =>
        (await keys.rows(id))
          .filter((one) => one.revoked_at !== null)
          .map((one) => one.id)
          .sort();
      expect([[], [parent.id, child.id].sort()]).toContainEqual(await ended());
      expect((await keys.revoke(apiKey, parent.id)).status).toBe(200);
      expect(await ended()).toEqual([parent.id, child.id].sort());
      expect(await eventsOf(id, 'key.revoked')).toBe(1);
      expect((await keys.own(child.apiKey)).body.code).toBe('api_key_revoked');
      return isBroken;
    }));

  it('an address is verified once, and its link is good until then', () =>
    breakEverywhere(async (schedule) => {
      const { id, apiKey, email } = await agent();
      await keys.ask('PATCH', '/agents/me', apiKey, { email });
      const token = await tokenTo(email);
      const verify = () => post('/agents/email/verify', { token });
      const isBroken = await broken(verify, schedule);
      const state = async () => ((await keys.own(apiKey)).body.email as { isVerified: boolean }).isVerified;
      const wasDone = await state();
      expect((await verify()).status).toBe(wasDone ? 404 : 200);
      expect([await state(), await eventsOf(id, 'account.email_verified')]).toEqual([true, 1]);
      return isBroken;
    }));

  it('a recovery gives one key and ends all others, or can be begun again', () =>
    breakEverywhere(async (schedule) => {
      const { id, apiKey, email } = await agent();
      await rows('UPDATE agents SET email_verified_at = created_at WHERE id = ? RETURNING id', id);
      await post('/agents/recovery', { email });
      const token = await tokenTo(email);
      const open = () => post('/agents/recovery/open', { token });
      const opened = await broken(open, schedule);
      expect((await open()).status).toBe(200);
      expect(await eventsOf(id, 'account.recovery_opened')).toBe(1);
      market.clock.advance(DAY);
      const complete = () => post('/agents/recovery/complete', { token });
      const completed = await broken(complete, schedule);
      const live = async () => (await keys.rows(id)).filter((one) => one.revoked_at === null);
      const wasDone = (await keys.own(apiKey)).status === 401;
      const answer = await complete();
      expect([answer.status, (await live()).length]).toEqual([wasDone ? 409 : 201, 1]);
      expect(await eventsOf(id, 'account.recovered')).toBe(1);
      expect((await keys.own(apiKey)).body.code).toBe('api_key_revoked');
      // The answer with the key was lost: its owner begins anew, and no key of before lives on.
      await post('/agents/recovery', { email });
      const next = { token: await tokenTo(email) };
      expect((await post('/agents/recovery/open', next)).status).toBe(200);
      market.clock.advance(DAY);
      const found = await post('/agents/recovery/complete', next);
      expect(found.status).toBe(201);
      expect((await live()).map((one) => one.id)).toEqual([found.body.keyId]);
      return opened || completed;
    }));
});
