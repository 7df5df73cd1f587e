import { raiseAlarms, recordDeadMessage, recordJobRun } from '../admin/index.ts';
import { deleteOldAgentEvents, deliverAgentEvents, weighBuyers } from '../agents/index.ts';
import { deleteApprovals, deletePasskeyEnrolments, endApprovals } from '../approvals/index.ts';
import { backUp } from '../backups/index.ts';
import { returnExpiredOffers } from '../budgets/index.ts';
import { deletePastQuotas } from '../db/daily-quotas.ts';
import { deleteExpiredIdempotencyKeys } from '../db/idempotency-records.ts';
import { probeEndpoints } from '../delivery/index.ts';
import { signSettlements } from '../demand/index.ts';
import { eraseExpiredConsents } from '../health/index.ts';
import { publishDoorKeys } from '../ingress/index.ts';
import { closeQuietInquiries, sweepAttachments } from '../inquiries/index.ts';
import type { Settings } from '../kernel/operation/operation.ts';
import { type JobMessage, jobMessage } from '../kernel/ports/job-queue.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { DAY_MS, isoTime } from '../kernel/time.ts';
import {
  bookGasCosts,
  bookProcessorEntries,
  carryForward,
  compareLedgerEntries,
  endPeriods,
  readChainTransfers,
  watchUpcoming,
} from '../ledger/index.ts';
import { fetchListingImages, matchAlerts, sweepSearchOutbox, watchX402 } from '../listings/index.ts';
import { forgetMail, sendMail } from '../mail/index.ts';
import { announcePayoutChanges, deleteEndedChallenges } from '../payouts/index.ts';
import { publishPlatformListings } from '../platform/index.ts';
import { carryOutErasures, DEFAULT_RECORDS_YEARS, deleteExpired, endRecords } from '../privacy/index.ts';
import { publishActiveKey } from '../provenance/index.ts';
import { writeReceiptMails } from '../purchases/index.ts';
import { measureListings } from '../quality/index.ts';
import { attestRatings, numberRatings } from '../ratings/index.ts';
import {
  advanceDueSales,
  bookEarlyCaptures,
  checkPayoutAccounts,
  collectDueSale,
  forgetCopyHolds,
  forgetQueries,
  readCardEvents,
  recoverClaims,
  refundLateSettlements,
  returnRests,
  returnTransfers,
  runEscrowClock,
  sweepChargebacks,
} from '../sales/index.ts';
import { sweepReputations } from '../search/index.ts';
import { writeNoticeMails } from '../selling/index.ts';
import { sweepTopUps } from '../wallet/index.ts';

/** Where links for people lead (null: links in mail have no host), and for how long records are kept. */
type Terms = Pick<Settings, 'siteUrl' | 'recordsYears' | 'sendsMail'>;
const DEFAULT_TERMS: Terms = { siteUrl: null, recordsYears: DEFAULT_RECORDS_YEARS, sendsMail: true };

type Job = (ports: Ports, terms: Terms) => Promise<unknown>;

/** Sets up a fresh deployment, does the work of lost messages, and deletes what has expired. */
const EVERY_MINUTE: Readonly<Record<string, Job>> = {
  publish_signing_key: async ({ market, signer, clock }) =>
    publishActiveKey(market, await signer.activeKey(), isoTime(clock.now())),
  publish_door_keys: publishDoorKeys,
  publish_platform_listings: publishPlatformListings,
  watch_x402: watchX402,
  weigh_buyers: (ports) => weighBuyers(ports),
  attest_ratings: attestRatings,
  number_ratings: numberRatings,
  measure_quality: measureListings,
  sweep_reputations: (ports) => sweepReputations(ports),
  sweep_search_outbox: sweepSearchOutbox,
  match_alerts: matchAlerts,
  sweep_top_ups: sweepTopUps,
  finish_purchases: advanceDueSales,
  return_late_payments: refundLateSettlements,
  return_tab_rests: returnRests,
  sweep_chargebacks: sweepChargebacks,
  recover_claims: recoverClaims,
  announce_payout_changes: announcePayoutChanges,
  check_payout_accounts: checkPayoutAccounts,
  run_escrow_clock: runEscrowClock,
  book_processor_entries: bookProcessorEntries,
  read_card_events: readCardEvents,
  book_gas_costs: bookGasCosts,
  book_early_captures: bookEarlyCaptures,
  return_transfers: returnTransfers,
  read_chain_transfers: readChainTransfers,
  compare_ledger_entries: compareLedgerEntries,
  watch_upcoming: watchUpcoming,
  end_ledger_periods: endPeriods,
  carry_ledger_forward: carryForward,
  // After what changes rows of the demand ledger.
  sign_settlements: signSettlements,
  write_receipt_mails: writeReceiptMails,
  write_notice_mails: writeNoticeMails,
  send_mail: (ports) => sendMail(ports),
  deliver_agent_events: (ports) => deliverAgentEvents(ports),
  forget_agent_events: deleteOldAgentEvents,
  forget_mail: forgetMail,
  close_quiet_inquiries: closeQuietInquiries,
  sweep_attachments: sweepAttachments,
  erase_health_consents: eraseExpiredConsents,
  forget_payout_challenges: async ({ market, clock }) =>
    market.commit([deleteEndedChallenges(isoTime(clock.now() - DAY_MS))]),
  forget_queries: forgetQueries,
  carry_out_erasures: carryOutErasures,
  delete_expired: ({ market, clock }) => deleteExpired(market, clock.now()),
  end_records: endRecords,
  return_expired_budgets: async ({ market, clock }) =>
    market.commit([returnExpiredOffers(isoTime(clock.now()))]),
  forget_approvals: async ({ market, clock }) => {
    const until = isoTime(clock.now() - 30 * DAY_MS);
    await market.commit([
      endApprovals(isoTime(clock.now())),
      deleteApprovals(until),
      deletePasskeyEnrolments(until),
    ]);
  },
  forget_copy_holds: forgetCopyHolds,
  forget_daily_quotas: ({ market, clock }) => deletePastQuotas(market, clock.now()),
  forget_idempotency_keys: ({ market, clock }) => deleteExpiredIdempotencyKeys(market, clock.now()),
  back_up: (ports) => backUp(ports),
  // Last: who does not answer keeps nothing else waiting.
  fetch_listing_images: (ports) => fetchListingImages(ports),
  probe_endpoints: (ports) => probeEndpoints(ports),
};

/** Runs every job; one that fails does not stop the others. */
export async function runEveryMinute(ports: Ports, terms = DEFAULT_TERMS): Promise<void> {
  const failed: string[] = [];
  const attempt = async (job: string, run: Job) => {
    try {
      await run(ports, terms);
    } catch (error) {
      failed.push(job);
      ports.log.error('job_failed', { job, message: String(error) });
    }
  };
  for (const [job, run] of Object.entries(EVERY_MINUTE)) await attempt(job, run);
  await attempt('record_run', ({ market, clock }) =>
    market.commit(recordJobRun(isoTime(clock.now()), failed)),
  );
  // Last: it reads what the others left.
  await attempt('raise_alarms', raiseAlarms);
}

/** One that fails does not bring the others back: its sale is due again, and the clock looks at it. */
export async function runMessage(ports: Ports, message: JobMessage): Promise<void> {
  try {
    if (message.kind === 'collect') await collectDueSale(ports, message.purchaseId);
    else await runWakeUp(ports);
  } catch (error) {
    ports.log.error('job_failed', { job: message.kind, message: String(error) });
  }
}

/** Messages that failed so often that the queue gave them up: the operator sees them among what is overdue. */
export async function keepDeadMessages(
  { market, clock, log }: Ports,
  messages: readonly { readonly id: string; readonly body: unknown }[],
): Promise<void> {
  const diedAt = isoTime(clock.now());
  const dead = messages.map(({ id, body }) => ({ id, message: readMessage(body) }));
  for (const { id, message } of dead)
    log.error('message_given_up', { messageId: id, kind: message?.kind ?? 'unreadable' });
  // What nobody can read is a wake-up when it is sent again.
  await market.commit(
    dead.map(({ id, message }) => recordDeadMessage({ id, message: message ?? { kind: 'outbox' }, diedAt })),
  );
}

/** Null: of another version, or nothing of ours. */
export function readMessage(body: unknown): JobMessage | null {
  const { data = null } = jobMessage.safeParse(body);
  return data;
}

/** A message is only a wake-up. The work is recorded in the database, so one run does it for all that waits. */
export async function runWakeUp(ports: Ports): Promise<void> {
  await advanceDueSales(ports);
  await sweepSearchOutbox(ports);
  // Mail first: callbacks run on other people's machines and may be slow.
  await sendMail(ports);
  await deliverAgentEvents(ports);
}
