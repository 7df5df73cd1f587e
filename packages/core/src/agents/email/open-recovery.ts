import * as z from 'zod';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../../kernel/operation/operation.ts';
import { DAY_MS, epochOf, isoTime } from '../../kernel/time.ts';
import { recordAccountNotice } from '../events/record-account-notice.ts';
import { recoveryOpenedMail } from './account-mail.rules.ts';
import { emailErrors } from './email.errors.ts';
import { openMailedLink } from './mailed-link.ts';
import {
  beginDelay,
  findOpenedRecovery,
  findRecovery,
  isRecoveryOver,
  type Recovery,
} from './recoveries.store.ts';
import { linkToken } from './verify-email.ts';

/** Whoever still has a key has so long to object. */
const DELAY_MS = DAY_MS;
const COMPLETED_WITHIN_MS = 7 * DAY_MS;

/** The recovery that a mailed link opens. */
export async function requireRecovery(
  { ports, now }: Pick<OperationContext, 'ports' | 'now'>,
  token: string,
): Promise<Recovery> {
  const id = await openMailedLink(ports, 'recovery_link', token);
  const recovery = id && (await findRecovery(ports.market, id));
  if (!recovery || endOf(recovery) <= isoTime(now)) throw new Refusal(emailErrors.recovery_not_found);
  if (recovery.cancelledAt !== null || recovery.completedAt !== null)
    throw new Refusal(emailErrors.recovery_over);
  return recovery;
}

/** Until when the link works: before it was opened, and after its delay. */
const endOf = ({ effectiveAt, linkExpiresAt }: Recovery) =>
  effectiveAt === null ? linkExpiresAt : isoTime(epochOf(effectiveAt) + COMPLETED_WITHIN_MS);

/** A person opens the mailed link: the delay begins, and every channel of the agent is told. */
export const openRecovery = defineOperation({
  name: 'openRecovery',
  summary: 'Open the link that recovers an account: a new key is given after 24 hours.',
  description:
    'Needs no key: whoever reads the mail may do it. The callbackUrl and the e-mail address are told, and any live key of the ' +
    'account can cancel it until then. Again: when the new key is given.',
  area: 'Agents',
  auth: 'none',
  input: z.object({ token: linkToken }),
  output: z.object({ effectiveAt: z.iso.datetime() }),
  errors: [emailErrors.recovery_not_found, emailErrors.recovery_over],
  http: { method: 'post', path: '/agents/recovery/open', status: 200 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { token }) {
    const recovery = await requireRecovery(ctx, token);
    if (recovery.effectiveAt !== null) return { effectiveAt: recovery.effectiveAt };
    // A second link opens the recovery that has begun: its delay is neither begun anew nor shortened.
    const since = isoTime(ctx.now - COMPLETED_WITHIN_MS);
    const begun = await findOpenedRecovery(ctx.ports.market, recovery.agentId, since);
    const answer = { effectiveAt: begun?.effectiveAt ?? isoTime(ctx.now + DELAY_MS) };
    try {
      await ctx.commit(
        [
          ...beginDelay(recovery.id, isoTime(ctx.now), answer.effectiveAt),
          ...recordAccountNotice(ctx, recovery.agentId, {
            type: 'account.recovery_opened',
            data: answer,
            mail: recoveryOpenedMail(answer.effectiveAt),
          }),
        ],
        answer,
      );
      return answer;
    } catch (error) {
      if (!isRecoveryOver(error)) throw error;
      // Opened twice at once, or cancelled meanwhile.
      const { effectiveAt } = await requireRecovery(ctx, token);
      if (effectiveAt === null) throw new Refusal(emailErrors.recovery_over);
      return { effectiveAt };
    }
  },
});
