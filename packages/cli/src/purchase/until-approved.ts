import { MarketplaceError } from '@agent-marketplace/sdk';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Shell } from '../frame/shell.ts';

const PAUSE_MS = 5000;
/** How many requests in a row may find no marketplace, each with the client's own repetitions. */
const MAX_BROKEN = 5;

interface ApprovalTerms {
  /** Whether to wait for the person, who has an hour. */
  readonly wait: boolean;
  /** What the same command needs besides once it is approved; null: nothing. */
  readonly next: { readonly idempotencyKey: string; readonly maxPriceCents: number } | null;
}

/**
 * Asks again and again for what a person must approve first, until that is decided or its time is over. Nothing is charged or
 * signed meanwhile.
 *
 * @throws CliFailure `approval` without `wait`, when nobody decided in time, and while the marketplace cannot be reached; whatever `buy` throws, such as
 *   `approval_declined`.
 */
export async function untilApproved<T>(
  shell: Shell,
  { wait, next }: ApprovalTerms,
  buy: () => Promise<T>,
): Promise<T> {
  let waitsFor: unknown = null;
  let brokenInRow = 0;
  for (;;) {
    try {
      return await buy();
    } catch (error) {
      if (!(error instanceof MarketplaceError)) throw error;
      if (waitsFor !== null && typeof error.problem.code !== 'string') {
        // Nothing is signed or charged before it is approved: the approval outlives a broken connection.
        if (++brokenInRow >= MAX_BROKEN) throw cannotBeReached(error, waitsFor, next);
        shell.note('The connection broke. Still waiting.');
        await shell.terminal.sleep(PAUSE_MS, shell.terminal.interrupt);
        continue;
      }
      if (error.code !== 'approval_required') throw error;
      brokenInRow = 0;
      const { approvalUrl, approvalBy } = error.problem;
      const facts = { code: error.code, charged: false, approvalUrl, approvalBy, problem: error.problem };
      // Each request for an approval has a page of its own: another one was opened since.
      if (waitsFor !== null && waitsFor !== approvalUrl)
        throw new CliFailure('approval', 'Nobody decided within the time for it.', {
          hint: `Nothing was charged. It was asked for anew: ${approvalUrl}\n${nextStep(next)}`,
          facts: { ...facts, ...next },
        });
      const ways =
        Array.isArray(approvalBy) && approvalBy.length > 0
          ? `by ${approvalBy.join(' or ')}`
          : 'once its e-mail address is verified';
      const text = `A person must approve this, ${ways}: ${approvalUrl}`;
      if (!wait)
        throw new CliFailure('approval', text, {
          hint: `Nothing was charged. ${nextStep(next)}`,
          facts: { ...facts, ...next },
        });
      if (waitsFor === null) shell.note(text);
      waitsFor = approvalUrl;
      await shell.terminal.sleep(PAUSE_MS, shell.terminal.interrupt);
    }
  }
}

const cannotBeReached = ({ code }: MarketplaceError, approvalUrl: unknown, next: ApprovalTerms['next']) =>
  new CliFailure('approval', `The marketplace cannot be reached; the approval stays open: ${approvalUrl}`, {
    hint: `Nothing was charged. ${nextStep(next)}`,
    facts: { code, charged: false, approvalUrl, ...next },
  });

const nextStep = (next: ApprovalTerms['next']): string =>
  next === null
    ? 'Once it is approved, run the same command again within an hour; or run it with --wait.'
    : `Once it is approved, add to the same command: --idempotency-key ${next.idempotencyKey} --max-price-cents ${next.maxPriceCents}`;
