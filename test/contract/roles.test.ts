import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import {
  OPERATOR_ROLES,
  type OperatorRole,
} from '@agent-marketplace/core/kernel/operation/operators/operator.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { type NewOperator, newOperator } from '@agent-marketplace/core/testing/fixtures/new-operator.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { pathFields } from './requests.ts';
import { expectNothingWritten, goodRequest, tryOperation } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// Every operation of operators, tried by every role: by its own definition, so that a new one is covered by having one.

const operations = apiOperations.filter(({ auth }) => auth === 'operator');
const rank = (role: OperatorRole | undefined) => OPERATOR_ROLES.indexOf(role as OperatorRole);

let world: World;
let operators: ReadonlyMap<OperatorRole, NewOperator>;
beforeAll(async () => {
  world = await createWorld();
  // One more: an admin who ends its own role is not the last.
  await newOperator(world.market, 'admin');
  const made = [];
  for (const role of OPERATOR_ROLES) made.push([role, await newOperator(world.market, role)] as const);
  operators = new Map(made);
});

const by = (role: OperatorRole): NewOperator => {
  const operator = operators.get(role);
  if (!operator) throw new Error(`There is no operator with the role ${role}.`);
  return operator;
};

/** What an operator asks for itself, where others' need another role. */
async function requestBy({ id, headers }: NewOperator, operation: AnyOperation) {
  const good = await goodRequest(world, operation);
  const own = operation.name === 'rotateOperatorSecret';
  const input: Record<string, unknown> = own ? { ...good.input, operatorId: id } : good.input;
  return { ...good, input, headers: { ...good.headers, ...headers } };
}

async function lastEntry(): Promise<unknown> {
  const row = await testBindings.DB.prepare(
    'SELECT statement FROM operator_actions ORDER BY sequence DESC LIMIT 1',
  ).first<{ statement: string }>();
  return JSON.parse(row?.statement ?? '{}');
}

describe.each(OPERATOR_ROLES)('whoever is %s', (role) => {
  const allowed = operations.filter(({ leastRole }) => rank(role) >= rank(leastRole));
  const refused = operations.filter(({ leastRole }) => rank(role) < rank(leastRole));

  it.each(allowed.map((operation) => [operation.name, operation] as const))(
    'may %s',
    async (_, operation) => {
      // It sets its own secret, and goes on with another.
      const operator =
        operation.name === 'rotateOperatorSecret' ? await newOperator(world.market, role) : by(role);
      const { status, text } = await tryOperation(world, operation, await requestBy(operator, operation));
      expect(status, text).toBe(operation.http.status);
      if (operation.replay === undefined) return;
      expect(await lastEntry()).toMatchObject({ operation: operation.name, operator: operator.id, role });
    },
  );

  it.each(refused.map((operation) => [operation.name, operation] as const))(
    'may not %s, whatever is sent, and is told who may',
    async (_, operation) => {
      const good = await requestBy(by(role), operation);
      const inPath = Object.fromEntries(pathFields(operation).map((field) => [field, good.input[field]]));
      await expectNothingWritten(world, async () => {
        for (const sent of [good, { ...good, input: inPath, extra: { not_a_field: 'x' } }]) {
          const { status, code, body } = await tryOperation(world, operation, sent);
          expect([status, code]).toEqual([403, 'role_missing']);
          expect(body.detail).toBe(`This needs the role ${operation.leastRole}; yours is ${role}.`);
        }
      });
    },
  );
});

it('the table of roles in docs/operate.md names each operation beside its least role', async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/operate.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$/gm)];
  const documented = new Map(
    rows.map(([, role, names = '']) => [
      role,
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name).sort(),
    ]),
  );
  for (const role of OPERATOR_ROLES) {
    const declared = apiOperations.filter(({ leastRole, auth }) => auth === 'operator' && leastRole === role);
    expect(documented.get(role), role).toEqual(declared.map(({ name }) => name).sort());
  }
});
