import type { KeyScope } from '../kernel/operation/key-scopes.ts';
import { readSigned } from './read-signed.ts';
import { testBindings } from './workers-bindings.ts';
import type { TestMarketplace } from './workers-harness.ts';

export interface KeyRow {
  readonly id: string;
  readonly agent_id: string;
  readonly parent_key_id: string | null;
  readonly replaces_key_id: string | null;
  readonly scopes: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly policy_id: string | null;
  readonly last_used_at: string | null;
}

export interface MadeKey {
  readonly apiKey: string;
  readonly id: string;
}

/** What an agent does with its keys, by REST. */
export function keysOf(market: TestMarketplace) {
  const ask = async (method: string, path: string, apiKey: string, body?: object) => {
    const response = await market.request(method, path, { apiKey, ...(body ? { body } : {}) });
    const { body: answer } = await readSigned(response);
    return { status: response.status, body: answer as Record<string, unknown> & { code?: string } };
  };
  const create = (apiKey: string, body: object = {}) =>
    ask('POST', '/agents/me/keys', apiKey, { label: 'worker', scopes: ['read'], ...body });
  return {
    ask,
    create,
    rotate: (apiKey: string, id: string, body: object = {}) =>
      ask('POST', `/agents/me/keys/${id}/rotate`, apiKey, body),
    revoke: (apiKey: string, id: string) => ask('POST', `/agents/me/keys/${id}/revoke`, apiKey, {}),
    list: (apiKey: string) => ask('GET', '/agents/me/keys', apiKey),
    own: (apiKey: string) => ask('GET', '/agents/me', apiKey),

    /** A key that must be made. */
    async make(apiKey: string, scopes: readonly KeyScope[], more: object = {}): Promise<MadeKey> {
      return madeKey(await create(apiKey, { scopes, ...more }));
    },
    async idOf(apiKey: string): Promise<string> {
      const { body } = await ask('GET', '/agents/me/keys', apiKey);
      return String(body.callerKeyId);
    },
    async rows(agentId: string): Promise<KeyRow[]> {
      const sql = 'SELECT * FROM agent_keys WHERE agent_id = ? ORDER BY created_at, id';
      return (await testBindings.DB.prepare(sql).bind(agentId).all<KeyRow>()).results;
    },
  };
}

export function madeKey({ status, body }: { status: number; body: Record<string, unknown> }): MadeKey {
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { apiKey: String(body.apiKey), id: (body.key as { id: string }).id };
}
