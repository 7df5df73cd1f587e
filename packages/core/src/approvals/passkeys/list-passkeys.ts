import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { passkeyView } from './enrol-passkey.ts';
import { listPasskeysOf } from './passkeys.store.ts';

export const listPasskeys = defineOperation({
  name: 'listPasskeys',
  summary: 'The passkeys with which a person approves purchases of the agent.',
  area: 'Agents',
  auth: 'agent',
  scope: 'read',
  input: z.object({}),
  output: z.object({ passkeys: z.array(passkeyView) }),
  errors: [],
  http: { method: 'get', path: '/agents/me/passkeys', status: 200 },
  rate: 'read',
  async handle({ ports, caller }) {
    const passkeys = await listPasskeysOf(ports.market, caller.agentId);
    return {
      passkeys: passkeys.map(({ createdAt, enrolledBy, id, label }) => ({
        createdAt,
        enrolledBy,
        id,
        label,
      })),
    };
  },
});
