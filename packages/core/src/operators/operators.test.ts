import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { OPERATOR_ROLES, type OperatorRole } from '../kernel/operation/operators/operator.ts';
import { asOperator, type NewOperator, newOperator } from '../testing/fixtures/new-operator.ts';
import { readSigned } from '../testing/marketplace/read-signed.ts';
import { TEST_ADMIN_SECRET } from '../testing/marketplace/test-bindings.ts';
import { testBindings } from '../testing/marketplace/workers-bindings.ts';
import { createTestMarketplace } from '../testing/marketplace/workers-harness.ts';

const market = createTestMarketplace();
/** Another Worker on the same database. */
const elsewhere = createTestMarketplace();
const deployment = asOperator(TEST_ADMIN_SECRET);

async function ask(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
  at = market,
) {
  const { status, ...response } = await at
    .request(method, path, { headers, ...(body ? { body } : {}) })
    .then(async (answer) => ({ status: answer.status, ...(await readSigned(answer)) }));
  return { status, code: response.body.code, body: response.body, text: response.text };
}

const revoke = (id: string, headers = deployment) =>
  ask('POST', `/admin/operators/${id}/revoke`, headers, { reason: 'Left.' });
const setRole = (id: string, role: OperatorRole, headers = deployment) =>
  ask('PATCH', `/admin/operators/${id}`, headers, { role, reason: 'Other work.' });
const rotate = (id: string, headers: Readonly<Record<string, string>>) =>
  ask('POST', `/admin/operators/${id}/secret`, headers, {});
const whoAmI = async (headers: Readonly<Record<string, string>>, at = market) =>
  (await ask('GET', '/admin/operators', headers, undefined, at)).body.you;

async function rolesInDatabase() {
  const { results } = await testBindings.DB.prepare(
    'SELECT id, role, revoked_at FROM operators ORDER BY id',
  ).all();
  return results;
}
const entries = async () =>
  (
    await testBindings.DB.prepare('SELECT statement FROM operator_actions ORDER BY sequence').all<{
      statement: string;
    }>()
  ).results.map(({ statement }) => JSON.parse(statement) as Record<string, unknown>);

/** Earlier tests leave no admin behind that would be another one's last. */
beforeEach(async () => {
  await testBindings.DB.prepare("UPDATE operators SET revoked_at = '2026-01-01T00:00:00.000Z'").run();
});

describe('an operator', () => {
  it('is made with the secret of the deployment, and acts under its own name and role', async () => {
    const ada = await newOperator(market, 'admin', 'Ada');
    expect(await whoAmI(ada.headers)).toEqual({ id: ada.id, name: 'Ada', role: 'admin' });
    expect(await whoAmI(deployment)).toEqual({ id: 'operator', name: 'Deployment secret', role: 'admin' });
    const grace = await ask('POST', '/admin/operators', ada.headers, {
      name: 'Grace',
      role: 'viewer',
      reason: 'Books.',
    });
    expect(grace.status).toBe(201);
    expect(grace.body).toMatchObject({ createdBy: ada.id, secretSetBy: ada.id, revokedAt: null });
    expect((await entries()).slice(-2)).toMatchObject([
      { operation: 'createOperator', operator: 'operator', role: 'admin' },
      { operation: 'createOperator', operator: ada.id, role: 'admin' },
    ]);
  });

  it('has a secret that is shown once, and kept as a hash only', async () => {
    const { secret, headers } = await newOperator(market, 'viewer');
    expect(secret).toMatch(/^mkt_op_[0-9a-f]{64}$/);
    const { results: tables } = await testBindings.DB.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
    ).all<{ name: string }>();
    for (const { name } of tables) {
      const { results } = await testBindings.DB.prepare(`SELECT * FROM "${name}"`).all();
      expect(JSON.stringify(results), name).not.toContain(secret);
    }
    expect((await ask('GET', '/admin/operators', headers)).text).not.toContain(secret);
    expect(JSON.stringify(market.log)).not.toContain(secret);
  });

  it('has a name that nobody else has at the time', async () => {
    const { id } = await newOperator(market, 'viewer', 'Mary');
    const again = () =>
      ask('POST', '/admin/operators', deployment, { name: 'mary', role: 'viewer', reason: 'x' });
    expect((await again()).code).toBe('operator_name_taken');
    await revoke(id);
    expect((await again()).status).toBe(201);
    for (const name of ['Deployment secret', 'deployment SECRET ']) {
      const own = await ask('POST', '/admin/operators', deployment, { name, role: 'viewer', reason: 'x' });
      expect(own.code).toBe('validation_failed');
    }
  });

  it('is looked up in the round trip that its read makes anyway', async () => {
    const { headers } = await newOperator(market, 'viewer');
    market.market.reset();
    await whoAmI(headers);
    expect(market.market.count).toBe(1);
  });
});

describe('a wrong secret', () => {
  it('is charged to the address it comes from', async () => {
    const figures = { limit: 2, windowSeconds: 60 };
    const RATE_LIMITS = JSON.stringify({ read: figures, write: figures });
    const limited = createTestMarketplace({ variables: { RATE_LIMITS } });
    const { secret } = await newOperator(market, 'viewer');
    const from = (address: string) => ({ 'cf-connecting-ip': address });
    const guess = async (secret: string, address: string) =>
      (await ask('GET', '/admin/audit', { ...asOperator(secret), ...from(address) }, undefined, limited))
        .status;
    const guesses = [];
    for (const secret of ['mkt_op_a', 'mkt_op_b', 'mkt_op_c']) guesses.push(await guess(secret, '192.0.2.7'));
    expect(guesses).toEqual([403, 403, 429]);
    expect(await guess(secret, '192.0.2.8')).toBe(200);
  });

  it('learns nothing of what an operation takes', async () => {
    const { status, code, body } = await ask('POST', '/admin/operators', asOperator('mkt_op_x'), {
      nonsense: 1,
    });
    expect([status, code, body.errors]).toEqual([403, 'admin_required', undefined]);
  });
});

describe('revocation', () => {
  it('holds from the next request on, in every Worker, those that knew the secret included', async () => {
    const { id, headers } = await newOperator(market, 'admin');
    for (const at of [market, elsewhere]) expect(await whoAmI(headers, at)).toMatchObject({ id });
    expect((await revoke(id)).status).toBe(200);
    for (const at of [market, elsewhere]) {
      const refused = await ask('GET', '/admin/operators', headers, undefined, at);
      expect([refused.status, refused.code]).toEqual([403, 'admin_required']);
    }
  });

  it('stops what is under way: it changes nothing, and the chain has no entry of it', async () => {
    const { id, headers } = await newOperator(market, 'admin');
    const before = await entries();
    // The request has been let in, and waits before it writes.
    elsewhere.market.fault = async (sql) => {
      if (!sql.some((one) => /insert into "operator_actions"/i.test(one))) return undefined;
      elsewhere.market.fault = () => undefined;
      await revoke(id);
      return undefined;
    };
    const late = await ask(
      'PATCH',
      '/admin/designations',
      headers,
      { configured: true, reason: 'Too late.' },
      elsewhere,
    );
    expect([late.status, late.code]).toEqual([403, 'admin_required']);
    expect((await entries()).slice(before.length).map(({ operation }) => operation)).toEqual([
      'revokeOperator',
    ]);
  });

  it('is for good, and is answered as it was where it is asked for again', async () => {
    const { id, headers } = await newOperator(market, 'viewer');
    const first = await revoke(id);
    const again = await revoke(id);
    expect([again.status, again.body.revokedAt]).toEqual([200, first.body.revokedAt]);
    expect((await setRole(id, 'admin')).code).toBe('operator_revoked');
    expect((await rotate(id, deployment)).code).toBe('operator_revoked');
    expect((await rotate(id, headers)).code).toBe('admin_required');
  });
});

describe('a secret that is set anew', () => {
  it('takes the place of the one before at once, and says who has seen it', async () => {
    const { id, headers } = await newOperator(market, 'viewer');
    const rotated = await rotate(id, headers);
    expect([rotated.status, rotated.body.secretSetBy]).toEqual([201, id]);
    expect((await ask('GET', '/admin/operators', headers, undefined, elsewhere)).status).toBe(403);
    expect(await whoAmI(asOperator(String(rotated.body.secret)), elsewhere)).toMatchObject({ id });
  });

  it('is set for another by admins only', async () => {
    const viewer = await newOperator(market, 'viewer');
    const admin = await newOperator(market, 'admin');
    for (const role of ['viewer', 'support', 'finance'] as const) {
      const { headers } = await newOperator(market, role);
      expect((await rotate(viewer.id, headers)).code).toBe('role_missing');
    }
    expect((await rotate(viewer.id, admin.headers)).status).toBe(201);
  });
});

describe('the secret of the deployment, when it is replaced', () => {
  const ADMIN_SECRET = 'another-admin-secret-0123456789abcdef';
  const replaced = createTestMarketplace({ variables: { ADMIN_SECRET } });
  const withoutOne = createTestMarketplace({ variables: { ADMIN_SECRET: '' } });

  it('is refused from the next request on, for reading and for changing, and nothing is changed', async () => {
    expect(await whoAmI(deployment)).toMatchObject({ id: 'operator' });
    const before = await entries();
    for (const place of [replaced, withoutOne]) {
      const body = { name: 'Mallory', role: 'admin', reason: 'It was stolen.' };
      const refusal = await ask('POST', '/admin/operators', deployment, body, place);
      expect([refusal.status, refusal.code]).toEqual([403, 'admin_required']);
      expect((await ask('GET', '/admin/audit', deployment, undefined, place)).code).toBe('admin_required');
    }
    expect(await entries()).toEqual(before);
  });

  it('leaves operators with secrets of their own as they are, and the audit chain names what was done with it', async () => {
    const ada = await newOperator(market, 'admin', 'Ada');
    for (const place of [replaced, withoutOne])
      expect(await whoAmI(ada.headers, place)).toMatchObject({ id: ada.id, name: 'Ada' });
    const anew = asOperator(ADMIN_SECRET);
    expect(await whoAmI(anew, replaced)).toMatchObject({ id: 'operator' });
    const body = { reason: 'Made with the secret that was stolen.' };
    expect((await ask('POST', `/admin/operators/${ada.id}/revoke`, anew, body, replaced)).status).toBe(200);
    const { actions } = (
      await ask('GET', '/admin/audit?operator=operator&limit=2', anew, undefined, replaced)
    ).body;
    const named = [
      {
        operatorName: 'Deployment secret',
        statement: { operation: 'revokeOperator', subject: { id: ada.id } },
      },
      {
        operatorName: 'Deployment secret',
        statement: { operation: 'createOperator', subject: { id: ada.id } },
      },
    ];
    expect(actions).toMatchObject(named);
  });
});

describe('roles', () => {
  it('cannot be changed by any sequence of what those without the role admin do', async () => {
    const others = await Promise.all(
      OPERATOR_ROLES.filter((role) => role !== 'admin').map((role) => newOperator(market, role)),
    );
    const admin = await newOperator(market, 'admin');
    const targets = [...others, admin];
    const before = await rolesInDatabase();
    const attempt = fc.record({
      by: fc.constantFrom(...others),
      to: fc.constantFrom(...targets),
      role: fc.constantFrom(...OPERATOR_ROLES),
      does: fc.constantFrom('setRole', 'revoke', 'create', 'rotate'),
    });
    const secrets = new Map(others.map(({ id, headers }) => [id, headers]));
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { minLength: 1, maxLength: 6 }), async (attempts) => {
        for (const { by, to, role, does } of attempts) {
          const headers = secrets.get(by.id) ?? {};
          if (does === 'setRole') await setRole(to.id, role, headers);
          if (does === 'revoke') await revoke(to.id, headers);
          if (does === 'create')
            await ask('POST', '/admin/operators', headers, { name: 'Mallory', role, reason: 'x' });
          if (does === 'rotate') {
            const { status, body } = await rotate(to.id, headers);
            expect(status === 201, `${by.role} for ${to.role}`).toBe(by.id === to.id);
            if (status === 201) secrets.set(by.id, asOperator(String(body.secret)));
          }
          expect(await rolesInDatabase()).toEqual(before);
        }
      }),
      { numRuns: 25, seed: 20_261_123 },
    );
  });

  it('hold from the next request on', async () => {
    const { id, headers } = await newOperator(market, 'viewer');
    const configure = () =>
      ask('PATCH', '/admin/designations', headers, { configured: true, reason: 'x' }, elsewhere);
    expect((await configure()).code).toBe('role_missing');
    await setRole(id, 'admin');
    expect((await configure()).status).toBe(200);
    await setRole(id, 'support');
    expect((await configure()).body.detail).toBe('This needs the role admin; yours is support.');
  });

  it('leave one admin, whom only the secret of the deployment takes away', async () => {
    const [one, two] = [await newOperator(market, 'admin'), await newOperator(market, 'admin')];
    // Each at the same time as the other.
    const codes = await Promise.all([revoke(one.id, two.headers), revoke(two.id, one.headers)]);
    expect(codes.map(({ status }) => status).sort()).toEqual([200, 403]);
    const left = codes[0]?.status === 200 ? two : one;
    expect((await revoke(left.id, left.headers)).code).toBe('last_admin');
    expect((await setRole(left.id, 'viewer', left.headers)).code).toBe('last_admin');
    expect((await setRole(left.id, 'viewer')).status).toBe(200);
    expect((await setRole(left.id, 'admin', left.headers)).code).toBe('role_missing');
  });

  it('may be given up by whoever has them', async () => {
    const [one] = [await newOperator(market, 'admin'), await newOperator(market, 'admin')];
    expect((await setRole(one.id, 'viewer', one.headers)).status).toBe(200);
    expect((await setRole(one.id, 'admin', one.headers)).code).toBe('role_missing');
  });
});

it('the Idempotency-Key of one operator brings nobody else its answer', async () => {
  const [one, two]: NewOperator[] = [await newOperator(market, 'admin'), await newOperator(market, 'admin')];
  const key = { 'idempotency-key': 'the same' };
  const configure = (headers: Readonly<Record<string, string>>) =>
    ask('PATCH', '/admin/designations', { ...headers, ...key }, { configured: true, reason: 'x' });
  const before = (await entries()).length;
  for (const operator of [one, two, one]) expect((await configure(operator?.headers ?? {})).status).toBe(200);
  expect((await entries()).slice(before).map(({ operator }) => operator)).toEqual([one?.id, two?.id]);
});
