import type { MailOutcome } from '../kernel/mail.ts';
import type { Ports } from '../kernel/ports.ts';
import { DAY_MS, isoTime } from '../kernel/time.ts';
import { MAX_TRIES, nextTries } from './mail.rules.ts';
import { deleteOldMail, type Outcomes, settleAndTake, type TakenMail } from './mail.store.ts';

type MailPorts = Pick<Ports, 'market' | 'mail' | 'clock' | 'log'>;

/** A Worker has six connections open at once. */
const AT_ONCE = 4;
/** Mails hold addresses and what was written to them: they are not kept for longer than it takes to ask. */
const KEPT_MS = 30 * DAY_MS;
const FORGET_AT_ONCE = 1000;

/**
 * Sends the mails that are due, at most so many, and returns how many were tried. Where no mail is configured
 * they wait. A mail may go out twice if the end of a try is lost; its reference is the same then.
 */
export async function sendMail(ports: MailPorts, limit = 100): Promise<number> {
  const { market, mail, clock } = ports;
  if (mail === null) return 0;
  let outcomes: Outcomes = { sent: [], failed: [], at: isoTime(clock.now()) };
  for (let tried = 0; ; ) {
    const now = clock.now();
    const wave = Math.min(AT_ONCE, limit - tried);
    const due = { now: isoTime(now), nextTries: nextTries(now), limit: wave };
    const taken = await settleAndTake(market, outcomes, due);
    if (taken.length === 0) return tried;
    tried += taken.length;
    const ended = await Promise.all(
      taken.map(async (one) => {
        const { purpose, reference, recipient: to, subject, text } = one;
        return { one, outcome: await mail.send({ to, subject, text, reference: `${purpose}:${reference}` }) };
      }),
    );
    outcomes = outcomesOf(ports, ended);
  }
}

function outcomesOf(
  { clock, log }: MailPorts,
  ended: readonly { one: TakenMail; outcome: MailOutcome }[],
): Outcomes {
  const sent = ended.filter(({ outcome }) => outcome === 'sent').map(({ one }) => one);
  const failed = ended
    .filter(
      ({ one, outcome }) => outcome === 'refused' || (outcome === 'unavailable' && one.attempts >= MAX_TRIES),
    )
    .map(({ one }) => one);
  for (const { purpose, reference } of failed) log.error('mail_given_up', { purpose, reference });
  return { sent, failed, at: isoTime(clock.now()) };
}

/** Forgets mails a month after they were written, however they went. */
export async function forgetMail({ market, clock }: Pick<Ports, 'market' | 'clock'>): Promise<void> {
  await deleteOldMail(market, isoTime(clock.now() - KEPT_MS), FORGET_AT_ONCE);
}
