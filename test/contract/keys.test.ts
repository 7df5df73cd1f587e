import { takesApiKey } from '@agent-marketplace/core/kernel/operation/find-caller.ts';
import { neededScopes, OPERATION_SCOPES } from '@agent-marketplace/core/kernel/operation/key-scopes.ts';
import { isPublicRead } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { ingressOperations } from '@agent-marketplace/core/operations/ingress.ts';
import { x402Operations } from '@agent-marketplace/core/operations/x402.ts';
import { addKeyBeside } from '@agent-marketplace/core/testing/fixtures/new-key.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectNothingWritten, goodRequest, tryOperation } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// What every operation that takes a key asks of it.

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const LONG_AGO = '2026-01-01T00:00:00.000Z';

it('whoever takes a key says what the key must be for, and nobody else does', () => {
  const everything = [...apiOperations, ...x402Operations, ...ingressOperations];
  const wrong = everything.filter((operation) => takesApiKey(operation) !== (operation.scope !== undefined));
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

describe('a key that ended, or is for something else, is refused and changes nothing', () => {
  const keyed = apiOperations.filter((operation) => takesApiKey(operation) && !isPublicRead(operation));
  it.each(keyed.map((operation) => [operation.name, operation] as const))('%s', async (_, operation) => {
    const good = await goodRequest(world, operation);
    const needed = neededScopes(operation.scope ?? []);
    const scopes = OPERATION_SCOPES.filter((scope) => !needed.includes(scope));
    const keyWith = (fields: Parameters<typeof addKeyBeside>[2]) =>
      addKeyBeside(world.market, good.apiKey ?? world.seller.apiKey, fields);
    const [revoked, expired, narrow] = [
      await keyWith({ revokedAt: LONG_AGO }),
      await keyWith({ expiresAt: LONG_AGO }),
      // Where any scope will do, every key is for it.
      scopes.length > 0 ? await keyWith({ scopes }) : null,
    ];
    await expectNothingWritten(world, async () => {
      for (const [key, ...expected] of [
        [revoked, 401, 'api_key_revoked'],
        [expired, 401, 'api_key_expired'],
        [narrow, 403, 'scope_missing'],
      ] as const) {
        if (key === null) continue;
        const tried = await tryOperation(world, operation, { ...good, apiKey: key.apiKey });
        expect([tried.status, tried.code]).toEqual(expected);
        expect(tried.body.charged).toBe(operation.movesMoney ? false : undefined);
        if (key !== narrow) continue;
        for (const scope of needed) expect(tried.body.detail).toContain(`\`${scope}\``);
      }
    });
  });
});
