import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { eraseAuditTexts } from '../db/audit-trail.ts';
import { toStatement } from '../db/query.ts';
import { newOperator } from '../testing/fixtures/new-operator.ts';
import { newAgentOf } from '../testing/fixtures/new-seller.ts';
import { createSalesMarketplace } from '../testing/marketplace/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';

const { market, request, rows } = createSalesMarketplace();
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

interface Action extends JsonObject {
  readonly digest: string;
  readonly keyId: string;
  readonly isErased: boolean;
  readonly operatorName: string;
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
      { limited: true, rule: 'payment_fraud', reason },
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
    expect(
      (
        await request(
          'POST',
          unknown,
          null,
          { limited: true, rule: 'payment_fraud', reason: 'Cards.' },
          admin,
        )
      ).status,
    ).toBe(404);
    expect(await count()).toBe(before + 1);
  });

  it('is written together with what was done, or neither is', async () => {
    const before = await rows('SELECT digest FROM operator_actions');
    const agent = await newAgentOf(market);
    market.market.fault = (sql) =>
      sql.some((one) => /insert into "?operator_actions/i.test(one)) ? 'lose_request' : undefined;
    const lost = await request(
      'POST',
      `/admin/agents/${agent.id}/purchases`,
      null,
      { limited: true, rule: 'payment_fraud', reason: 'Cards.' },
      admin,
    );
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

  it('cannot be changed; only its texts can be erased, and it stays valid', async () => {
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
    await run('DELETE FROM audit_texts');
    const { actions, chainValid } = await audit();
    expect(chainValid).toBe(true);
    expect(actions.every(({ reason, salt }) => reason === null && salt === null)).toBe(true);
  });
});

describe('an entry of a version before', () => {
  it('verifies as it did, with its reason, and the chain goes on from it', async () => {
    const { signer } = market.newPorts();
    const last = (await audit()).actions[0];
    const sequence = (last?.statement.sequence ?? 0) + 1;
    const [reason, salt, at] = ['As it was done then.', 'ab'.repeat(16), '2026-06-01T12:00:00.000Z'];
    const statement = {
      ...{ at, operation: 'liftHold', operator: 'operator', previousDigest: last?.digest ?? null },
      reasonDigest: await canonicalDigest({ reason, salt }),
      ...{ requestDigest: `sha256:${'0'.repeat(64)}`, sequence, subject: { id: 'x', type: 'purchase' } },
      type: 'operator_action',
    };
    const { digest, keyId, signature } = await signer.signDigest(await canonicalDigest(statement), at);
    await testBindings.DB.prepare(
      `INSERT INTO operator_actions (sequence, previous_digest, digest, key_id, signature, statement, reason, salt)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    )
      .bind(
        sequence,
        statement.previousDigest,
        digest,
        keyId,
        signature,
        JSON.stringify(statement),
        reason,
        salt,
      )
      .run();
    await configure('Today.');
    const { actions, chainValid } = await audit('?limit=3');
    expect(chainValid).toBe(true);
    expect(actions[1]).toMatchObject({ statement, reason, salt, before: null, after: null, isErased: false });
    expect(actions[1]?.operatorName).toBe('Deployment secret');
    // The text is where it can be erased, whoever wrote it.
    expect(await rows('SELECT 1 FROM operator_actions WHERE reason IS NOT NULL OR salt IS NOT NULL')).toEqual(
      [],
    );
  });
});

describe('what an entry says', () => {
  const asked = (method: string, path: string, body?: object) => request(method, path, null, body, admin);

  it('is who, what, why, and what was before and after', async () => {
    const ada = await newOperator(market, 'support', 'Ada');
    const agent = await newAgentOf(market);
    const path = `/admin/agents/${agent.id}/purchases`;
    await request(
      'POST',
      path,
      null,
      { limited: true, rule: 'payment_fraud', reason: 'A chargeback.' },
      ada.headers,
    );
    await request('POST', path, null, { limited: false, reason: 'Paid.' }, ada.headers);
    const { actions } = await audit(`?subjectType=agent&subjectId=${agent.id}`);
    const others = { party: null, suspendedAt: null, suspendedRule: null };
    expect(actions.map(({ reason, before, after }) => ({ reason, before, after }))).toEqual([
      {
        reason: 'Paid.',
        before: { limitedReason: 'operator', limitedSince: expect.any(String), ...others },
        after: { agentId: agent.id, limited: false },
      },
      {
        reason: 'A chargeback.',
        before: { limitedReason: null, limitedSince: null, ...others },
        after: { agentId: agent.id, limited: true },
      },
    ]);
    for (const { statement, salt, before, after, operatorName } of actions) {
      expect([operatorName, statement.operator, statement.role]).toEqual(['Ada', ada.id, 'support']);
      expect(statement.beforeDigest).toBe(await canonicalDigest({ before, salt } as JsonObject));
      expect(statement.afterDigest).toBe(await canonicalDigest({ after, salt } as JsonObject));
    }
  });

  it('is found by operator, by subject and by time, page by page', async () => {
    const ada = await newOperator(market, 'admin');
    const write = () =>
      request('PATCH', '/admin/designations', null, { configured: true, reason: 'x' }, ada.headers);
    for (let n = 0; n < 3; n += 1) {
      market.clock.advance(1000);
      await write();
    }
    await configure('By another.');
    const all = (await audit(`?operator=${ada.id}`)).actions;
    expect(all).toHaveLength(3);
    const first = await audit(`?operator=${ada.id}&limit=2`);
    const second = await audit(`?operator=${ada.id}&limit=2&before=${first.nextBefore}`);
    expect([...first.actions, ...second.actions]).toEqual(all);
    expect([first.chainValid, second.chainValid, second.nextBefore]).toEqual([true, true, null]);
    const [last, middle] = all.map(({ statement }) => String(statement.at));
    const between = await audit(`?operator=${ada.id}&from=${middle}&until=${last}`);
    expect(between.actions).toEqual(all.slice(1, 2));
    expect((await audit('?subjectType=designations&limit=100')).actions.length).toBeGreaterThanOrEqual(4);
    expect((await audit('?subjectType=nothing')).actions).toEqual([]);
  });

  it('is there of a read that opens what a person wrote, before it is answered', async () => {
    const { body } = await request('POST', '/inquiries', null, { subject: 'Tides', message: 'When?' });
    const path = `/admin/inquiries/${String(body.id)}`;
    expect((await asked('GET', path)).status).toBe(200);
    const [read] = (await audit()).actions;
    expect(read).toMatchObject({
      statement: { operation: 'getInquiry', subject: { type: 'inquiry', id: body.id } },
      ...{ before: null, after: null, reason: null },
    });
    market.market.fault = (sql) =>
      sql.some((one) => /insert into "operator_actions"/i.test(one)) ? 'lose_request' : undefined;
    const unrecorded = await asked('GET', path);
    market.market.fault = () => undefined;
    expect([unrecorded.status, JSON.stringify(unrecorded.body)]).toEqual([
      503,
      expect.not.stringContaining('When?'),
    ]);
  });
});

describe('what was altered in the database', () => {
  const withoutTriggers = async (alter: () => Promise<unknown>) => {
    const { results } = await testBindings.DB.prepare(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name IN ('operator_actions', 'audit_texts')",
    ).all<{ name: string; sql: string }>();
    for (const { name } of results) await testBindings.DB.prepare(`DROP TRIGGER ${name}`).run();
    await alter();
    for (const { sql } of results) await testBindings.DB.prepare(sql).run();
  };
  const run = (sql: string) => testBindings.DB.prepare(sql).run();
  const at = '(SELECT MAX(sequence) - 1 FROM operator_actions)';
  const replaced = (path: string, value: string) =>
    `UPDATE operator_actions SET statement = json_set(statement, '${path}', ${value}) WHERE sequence = ${at}`;
  const text = (path: string, value: string) =>
    `UPDATE audit_texts SET texts = json_set(texts, '${path}', ${value}) WHERE sequence = ${at}`;

  it.each([
    ['the operator', replaced('$.operator', "'somebody'")],
    ['the role', replaced('$.role', "'viewer'")],
    ['the operation', replaced('$.operation', "'liftHold'")],
    ['the subject', replaced('$.subject.id', "'another'")],
    ['the time', replaced('$.at', "'2026-06-01T00:00:00.000Z'")],
    ['a digest of a text', replaced('$.afterDigest', "'sha256:0'")],
    ['the sequence', replaced('$.sequence', '1')],
    ['the entry before', replaced('$.previousDigest', "'sha256:0'")],
    [
      'the signature',
      `UPDATE operator_actions SET signature = 'A' || substr(signature, 2) WHERE sequence = ${at}`,
    ],
    ['the digest', `UPDATE operator_actions SET digest = 'sha256:0' WHERE sequence = ${at}`],
    ['the key', `UPDATE operator_actions SET key_id = 'another' WHERE sequence = ${at}`],
    ['the reason', text('$.reason', "'Another.'")],
    ['what was before', text('$.before', "json('{}')")],
    ['what became of it', text('$.after', "json('{}')")],
    ['the salt', `UPDATE audit_texts SET salt = '${'0'.repeat(32)}' WHERE sequence = ${at}`],
  ])('%s: is noticed, with a filter and without', async (_, sql) => {
    const agent = await newAgentOf(market);
    const path = `/admin/agents/${agent.id}/purchases`;
    for (const limited of [true, false, true]) {
      await request(
        'POST',
        path,
        null,
        { limited, reason: 'A test.', ...(limited ? { rule: 'payment_fraud' } : {}) },
        admin,
      );
    }
    expect((await audit('?limit=3')).chainValid).toBe(true);
    const row = `SELECT * FROM operator_actions WHERE sequence = ${at}`;
    const kept = await testBindings.DB.prepare(row).first();
    const texts = await testBindings.DB.prepare(`SELECT * FROM audit_texts WHERE sequence = ${at}`).first();
    await withoutTriggers(() => run(sql));
    const found = [await audit('?limit=3'), await audit('?until=2030-01-01T00:00:00Z&limit=3')];
    await withoutTriggers(async () => {
      const { digest, key_id, signature, statement } = kept as Record<string, string>;
      await testBindings.DB.prepare(
        `UPDATE operator_actions SET digest = ?, key_id = ?, signature = ?, statement = ? WHERE sequence = ${at}`,
      )
        .bind(digest, key_id, signature, statement)
        .run();
      await testBindings.DB.prepare(`UPDATE audit_texts SET salt = ?, texts = ? WHERE sequence = ${at}`)
        .bind(texts?.salt, texts?.texts)
        .run();
    });
    expect(found.map(({ chainValid }) => chainValid)).toEqual([false, false]);
    expect((await audit('?limit=3')).chainValid).toBe(true);
  });

  it('an entry that was taken away is noticed, but where a filter leaves others out anyway', async () => {
    for (let n = 0; n < 4; n += 1) await configure(`Reason ${n}`);
    const { results } = await testBindings.DB.prepare(
      `SELECT * FROM operator_actions WHERE sequence = ${at}`,
    ).all();
    const texts = await testBindings.DB.prepare(`SELECT * FROM audit_texts WHERE sequence = ${at}`).first();
    const {
      reason: _r,
      salt: _s,
      operator: _o,
      subject_type: _t,
      subject_id: _i,
      at: _a,
      ...row
    } = results[0] as Record<string, unknown>;
    const insert = (table: string, values: Record<string, unknown>) =>
      testBindings.DB.prepare(
        `INSERT INTO ${table} (${Object.keys(values)}) VALUES (${Object.keys(values).map(() => '?')})`,
      )
        .bind(...Object.values(values))
        .run();
    await withoutTriggers(async () => {
      await run(`DELETE FROM audit_texts WHERE sequence = ${at}`);
      await run(`DELETE FROM operator_actions WHERE sequence = ${Number(row.sequence)}`);
    });
    expect((await audit('?limit=3')).chainValid).toBe(false);
    await withoutTriggers(async () => {
      await insert('operator_actions', row);
      await insert('audit_texts', texts as Record<string, unknown>);
    });
    expect((await audit('?limit=3')).chainValid).toBe(true);
  });

  it('is refused where the database still has its triggers', async () => {
    await configure('A reason.');
    await expect(run(text('$.reason', "'Another.'"))).rejects.toThrow('audit_texts_fixed');
    await expect(run(replaced('$.role', "'viewer'"))).rejects.toThrow('operator_actions_fixed');
  });
});

describe('erasing', () => {
  it('deletes every text and salt about a subject, and leaves the chain valid', async () => {
    const marker = 'Mrs Example of 1 Harbour Street';
    const [one, other] = [await newAgentOf(market), await newAgentOf(market)];
    for (const { id } of [one, other]) {
      const path = `/admin/agents/${id}/purchases`;
      await request(
        'POST',
        path,
        null,
        { limited: true, rule: 'payment_fraud', reason: `${marker}, ${id}` },
        admin,
      );
    }
    const stored = async () =>
      JSON.stringify([
        await rows('SELECT statement FROM operator_actions'),
        await rows('SELECT * FROM audit_texts'),
      ]);
    expect(await stored()).toContain(`${marker}, ${one.id}`);
    const held = (await rows('SELECT 1 FROM audit_texts')).length;
    const ids = sql`SELECT ${one.id}`;
    await market.newPorts().market.commit([toStatement(eraseAuditTexts('agent', ids))]);
    expect(await stored()).not.toContain(`${marker}, ${one.id}`);
    expect(await stored()).toContain(`${marker}, ${other.id}`);
    const { actions, chainValid } = await audit('?limit=100');
    expect(chainValid).toBe(true);
    const erased = actions.filter(({ statement }) => statement.subject.id === one.id);
    expect(erased).toMatchObject([{ reason: null, salt: null, before: null, after: null, isErased: true }]);
    expect(await rows('SELECT 1 FROM audit_texts')).toHaveLength(held - 1);
    await configure('The chain goes on.');
    expect((await audit('?limit=100')).chainValid).toBe(true);
  });
});
