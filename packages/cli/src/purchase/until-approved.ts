import { MarketplaceError } from '@agent-marketplace/sdk';
import { CliFailure } from '../frame/cli-failure.ts';
import type { Shell } from '../frame/shell.ts';

const PAUSE_MS = 5000;

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
 * @throws CliFailure `approval` without `wait`, and when nobody decided in time; whatever `buy` throws, such as
 *   `approval_declined`.
 */
export async function untilApproved<T>(
  shell: Shell,
  { wait, next }: ApprovalTerms,
  buy: () => Promise<T>,
): Promise<T> {
  let waitsFor: unknown = null;
  for (;;) {
    try {
      return await buy();
    } catch (error) {
      if (!(error instanceof MarketplaceError) || error.code !== 'approval_required') throw error;
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

const nextStep = (next: ApprovalTerms['next']): string =>
  next === null
    ? 'Once it is approved, run the same command again within an hour; or run it with --wait.'
    : `Once it is approved, add to the same command: --idempotency-key ${next.idempotencyKey} --max-price-cents ${next.maxPriceCents}`;
