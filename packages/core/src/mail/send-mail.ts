import { type Due, drainOutbox, MAX_TRIES } from '../kernel/outbox.ts';
import type { Mail, MailOutcome } from '../kernel/ports/mail.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { DAY_MS, isoTime } from '../kernel/time.ts';
import { type ClaimedMail, deleteOldMail, type Outcomes, recordAndClaimBatch } from './mail.store.ts';

type MailPorts = Pick<Ports, 'market' | 'mail' | 'clock' | 'log'>;

/** Mails hold addresses and private text. A month is enough for the operator to look into a complaint. */
const KEPT_MS = 30 * DAY_MS;
const FORGET_AT_ONCE = 1000;

/**
 * Sends the mails that are due, at most so many, and returns how many were tried. Where no mail is configured
 * they wait. A mail may go out twice if the end of a try is lost; its reference is the same then.
 */
export async function sendMail(ports: MailPorts, limit = 100): Promise<number> {
  const { market, mail, clock } = ports;
  if (mail === null) return 0;
  const outbox = {
    recordAndClaimBatch: (outcomes: Outcomes | null, due: Due) => recordAndClaimBatch(market, outcomes, due),
    sendAll: async (claimed: readonly ClaimedMail[]) =>
      outcomesOf(ports, await Promise.all(claimed.map((one) => sendOne(mail, one)))),
  };
  return drainOutbox(outbox, limit, clock);
}

async function sendOne(mail: Mail, one: ClaimedMail): Promise<{ one: ClaimedMail; outcome: MailOutcome }> {
  const { purpose, reference, recipient: to, subject, text } = one;
  return { one, outcome: await mail.send({ to, subject, text, reference: `${purpose}:${reference}` }) };
}

function outcomesOf(
  { clock, log }: MailPorts,
  tries: readonly { one: ClaimedMail; outcome: MailOutcome }[],
): Outcomes {
  const sent = tries.filter(({ outcome }) => outcome === 'sent').map(({ one }) => one);
  const failed = tries
    .filter(
      ({ one, outcome }) => outcome === 'refused' || (outcome === 'unavailable' && one.attempts >= MAX_TRIES),
    )
    .map(({ one }) => one);
  for (const { purpose, reference } of failed) log.error('mail_given_up', { purpose, reference });
  return { sent, failed, at: isoTime(clock.now()) };
}

/** Deletes mails a month after they were queued, whether sent or not. */
export async function forgetMail({ market, clock }: Pick<Ports, 'market' | 'clock'>): Promise<void> {
  await deleteOldMail(market, isoTime(clock.now() - KEPT_MS), FORGET_AT_ONCE);
}
