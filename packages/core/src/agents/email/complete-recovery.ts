import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { epochOf, isoTime, SECOND_MS } from '../../kernel/time.ts';
import { apiKeyFrom } from '../api-key.rules.ts';
import { recordAccountNotice } from '../events/record-account-notice.ts';
import { insertKey } from '../keys/agent-keys.store.ts';
import { revokeAllKeys } from '../keys/key-changes.store.ts';
import { recoveredMail } from './account-mail.rules.ts';
import { emailErrors } from './email.errors.ts';
import { requireRecovery } from './open-recovery.ts';
import { cancelRecoveries, endRecovery, isRecoveryOver } from './recoveries.store.ts';
import { linkToken } from './verify-email.ts';

/** The end of a recovery: a new key that may do everything, and the end of all others. */
export const completeRecovery = defineOperation({
  name: 'completeRecovery',
  summary: 'Get the new API key of a recovered account, once its delay is over.',
  description:
    'Needs no key: whoever has the mailed link may do it, once, within 7 days of the end of the delay. Every key that the account had before ends: one of them was ' +
    'lost, and may be in somebody’s hands.',
  area: 'Agents',
  auth: 'none',
  input: z.object({ token: linkToken }),
  output: z.object({ apiKey: z.string().describe('Shown once. Pattern ^mkt_live_'), keyId: z.uuid() }),
  errors: [emailErrors.recovery_not_found, emailErrors.recovery_over, emailErrors.recovery_delayed],
  http: { method: 'post', path: '/agents/recovery/complete', status: 201 },
  rate: 'write',
  replay: 'refused',
  async handle(ctx, { token }) {
    const { ports, now } = ctx;
    const { id, agentId, effectiveAt } = await requireRecovery(ctx, token);
    if (effectiveAt === null) throw new Refusal(emailErrors.recovery_delayed);
    const waitMs = epochOf(effectiveAt) - now;
    if (waitMs > 0)
      throw new Refusal(emailErrors.recovery_delayed, { retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) });
    const [at, apiKey, keyId] = [isoTime(now), apiKeyFrom(ports.ids.randomBytes(32)), ports.ids.uuid()];
    const key = { id: keyId, agentId, label: 'recovery', scopes: ['all'] as const, createdAt: at };
    try {
      await ctx.commit(
        [
          ...endRecovery(id, at),
          // Another link of the account must not give a second key.
          cancelRecoveries(agentId, at),
          revokeAllKeys(agentId, at),
          insertKey({ ...key, keyHash: await sha256Hex(apiKey) }),
          ...recordAccountNotice(ctx, agentId, {
            type: 'account.recovered',
            data: { keyId },
            mail: recoveredMail(),
          }),
        ],
        null,
      );
    } catch (error) {
      if (isRecoveryOver(error)) throw new Refusal(emailErrors.recovery_over);
      throw error;
    }
    return { apiKey, keyId };
  },
});
