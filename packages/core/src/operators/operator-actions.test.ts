import { describe, expect, it } from 'vitest';
import { canonicalDigest } from '../kernel/crypto/digest.ts';
import type { JsonObject } from '../kernel/json/json.ts';
import { newAgentOf } from '../testing/new-seller.ts';
import { createSalesMarketplace } from '../testing/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/test-bindings.ts';
import { testBindings } from '../testing/workers-bindings.ts';

const { market, request, rows } = createSalesMarketplace();
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

interface Action extends JsonObject {
  readonly digest: string;
  readonly keyId: string;
  readonly reason: string | null;
  readonly salt: string | null;
  readonly signature: string;
  readonly signedAt: string;
  readonly statement: JsonObject & { readonly sequence: number; readonly subject: JsonObject };
}

async function audit(query = '') {
  const { status, body } = await request('GET', `/admin/audit${query}`, null, undefined, admin);
  expect(status).toBe(200);
  return body as unknown as { actions: Action[]; chainValid: boolean; nextBefore: number | null };
}

const configure = (reason: string | undefined, headers: Record<string, string> = {}) =>
  request('PATCH', '/admin/designations', null, { configured: true, reason }, { ...admin, ...headers });

describe('the audit chain', () => {
  it('has what an operator did, to what and why, in statements that verify', async () => {
    const agent = await newAgentOf(market);
    const reason = 'A payment was disputed.';
    const limited = await request(
      'POST',
      `/admin/agents/${agent.id}/purchases`,
      null,
      { limited: true, reason },
      admin,
    );
    expect(limited.status).toBe(200);
    const { actions, chainValid } = await audit();
    expect(chainValid).toBe(true);
    const [action] = actions;
    expect(action).toMatchObject({
      reason,
      statement: {
        operation: 'limitPurchases',
        operator: 'operator',
        subject: { id: agent.id, type: 'agent' },
        type: 'operator_action',
      },
    });
    if (!action) throw new Error('No action was recorded.');
    expect(JSON.stringify(action.statement)).not.toContain(reason);
    expect(action.statement.reasonDigest).toBe(await canonicalDigest({ reason, salt: action.salt }));
    const { digest, keyId, signature, signedAt, statement } = action;
    const verified = await request('POST', '/verify-receipt', null, {
      receipt: { digest, keyId, signature, signedAt },
      payload: statement,
    });
    expect(verified.body).toMatchObject({ valid: true, digestValid: true });
  });

  it('does not fork when operators act at the same moment, and each gets its entry', async () => {
    const before = (await audit()).actions[0]?.statement.sequence ?? 0;
    const reasons = Array.from({ length: 12 }, (_, n) => `Reason ${n}`);
    const answers = await Promise.all(reasons.map((reason) => configure(reason)));
    expect(answers.map(({ status }) => status)).toEqual(reasons.map(() => 200));
    const { actions, chainValid } = await audit('?limit=12');
    expect(chainValid).toBe(true);
    expect(actions.map(({ statement }) => statement.sequence)).toEqual(
      reasons.map((_, n) => before + reasons.length - n),
    );
    expect(new Set(actions.map(({ reason }) => reason))).toEqual(new Set(reasons));
  });

  it('has one entry for a request that is repeated, and none for one that is refused', async () => {
    const count = async () => (await rows('SELECT 1 FROM operator_actions')).length;
    const before = await count();
    const key = { 'idempotency-key': 'once' };
    await configure('Complete.', key);
    await configure('Complete.', key);
    expect(await count()).toBe(before + 1);
    const unknown = `/admin/agents/00000000-0000-4000-8000-00000000abcd/purchases`;
    expect((await request('POST', unknown, null, { limited: true }, admin)).status).toBe(404);
    expect(await count()).toBe(before + 1);
  });

  it('is written together with what was done, or neither is', async () => {
    const before = await rows('SELECT digest FROM operator_actions');
    const agent = await newAgentOf(market);
    market.market.fault = (sql) =>
      sql.some((one) => /insert into "?operator_actions/i.test(one)) ? 'lose_request' : undefined;
    const lost = await request('POST', `/admin/agents/${agent.id}/purchases`, null, { limited: true }, admin);
    market.market.fault = () => undefined;
    expect(lost.status).toBe(503);
    expect(await rows('SELECT digest FROM operator_actions')).toEqual(before);
    expect(await rows('SELECT 1 FROM agents WHERE id = ? AND limited_since IS NOT NULL', agent.id)).toEqual(
      [],
    );
  });

  it('pages without end, each page valid with the one before', async () => {
    const seen: number[] = [];
    let before: number | null = null;
    do {
      const page = await audit(`?limit=5${before === null ? '' : `&before=${before}`}`);
      expect(page.chainValid).toBe(true);
      seen.push(...page.actions.map(({ statement }) => statement.sequence));
      before = page.nextBefore;
    } while (before !== null);
    expect(seen).toEqual(seen.map((_, n) => seen.length - n));
  });

  it('cannot be changed; only the text of a reason can be erased, and it stays valid', async () => {
    const run = (sql: string) => testBindings.DB.prepare(sql).run();
    for (const change of [
      `UPDATE operator_actions SET statement = json_set(statement, '$.operator', 'else')`,
      `UPDATE operator_actions SET reason = 'Another reason.'`,
      'DELETE FROM operator_actions',
      `INSERT INTO operator_actions SELECT sequence + 100, 'sha256:x', 'sha256:y', key_id, signature, statement, null, null
        FROM operator_actions WHERE sequence = 1`,
    ]) {
      await expect(run(change), change).rejects.toThrow('guard operator_actions');
    }
    await run('UPDATE operator_actions SET reason = NULL, salt = NULL');
    const { actions, chainValid } = await audit();
    expect(chainValid).toBe(true);
    expect(actions.every(({ reason, salt }) => reason === null && salt === null)).toBe(true);
  });
});
