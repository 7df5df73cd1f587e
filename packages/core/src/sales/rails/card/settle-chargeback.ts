import type { CardDispute, CardProcessor } from '../../../kernel/ports/card-processor.ts';
import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import { isoTime } from '../../../kernel/time.ts';
import { isOverCap, isOverdrawn } from '../../../ledger/index.ts';
import { recordChargedBack } from '../../escrow/refund-sale.ts';
import type { Sale } from '../../sale.ts';
import { sellerEvent } from '../../sale-events.ts';
import { findSale, isStatusConflict } from '../../sales.store.ts';
import {
  type Chargeback,
  isNews,
  lossCents,
  NEXT_CHECK_MS,
  nextCheckAt,
  type OwnDispute,
  type SaleVerdict,
  SETTLE_CHECK_MS,
  verdictOnSale,
  withNews,
} from './chargeback.rules.ts';
import { chargebackOfTopUp } from './chargeback-of-top-up.ts';
import {
  chargebackPostings,
  claimDueChargebacks,
  findChargeback,
  isRevisionConflict,
  saveChargeback,
} from './chargebacks.store.ts';

type ChargebackPorts = Pick<Ports, 'market' | 'cards' | 'clock' | 'ids' | 'log'>;
type AskingPorts = ChargebackPorts & { readonly cards: CardProcessor };

const TRIES = 4;
const BATCH = 20;

/**
 * Brings a cardholder's dispute to where the processor's object says it is, however often and in whatever
 * order this is called: the clock of a sale in escrow stops and goes on, money that the processor took is in the
 * ledger. False: it is about nothing of ours. Throws where the outcome is not known; calling again is always safe.
 */
export async function settleChargeback(ports: ChargebackPorts, disputeId: string): Promise<boolean> {
  const { cards, market } = ports;
  if (cards === null) return false;
  for (let tries = 1; ; tries += 1) {
    // Read before the processor is asked: a later write over what was read here knows at least as much.
    const known = await findChargeback(market, disputeId);
    const dispute = await cards.getDispute(disputeId);
    const next = await nextOf({ ...ports, cards }, known, dispute);
    if (next === null) {
      ports.log.error('chargeback_unknown', { disputeId });
      return false;
    }
    const { chargeback, statements } = next;
    if (!isNews(known, chargeback)) return true;
    report(ports, known, chargeback);
    const checkAt = nextCheckAt(chargeback, ports.clock.now());
    try {
      await market.commit([...saveChargeback(known, { ...chargeback, checkAt }), ...statements]);
      return true;
    } catch (error) {
      const isAnothers = isRevisionConflict(error) || isStatusConflict(error);
      if (tries >= TRIES || !(isAnothers || isOverdrawn(error) || isOverCap(error))) throw error;
    }
  }
}

/** Asks about those whose reports may be lost, and about those that waited for a payout to end. */
export async function sweepChargebacks(ports: ChargebackPorts): Promise<void> {
  const { market, cards, clock, log } = ports;
  if (cards === null) return;
  const now = clock.now();
  const next = { ofLost: isoTime(now + SETTLE_CHECK_MS), ofOthers: isoTime(now + NEXT_CHECK_MS) };
  for (const disputeId of await claimDueChargebacks(market, isoTime(now), next, BATCH)) {
    await settleChargeback(ports, disputeId).catch((error: unknown) =>
      log.error('chargeback_delayed', { disputeId, message: String(error) }),
    );
  }
}

interface Next {
  readonly chargeback: Chargeback;
  /** What has to be true together with it. */
  readonly statements: readonly Statement[];
}

function nextOf(ports: AskingPorts, known: Chargeback | null, dispute: CardDispute): Promise<Next | null> {
  const { reference, paymentId } = dispute;
  if (reference === null || paymentId === null) return Promise.resolve(null);
  switch (reference.kind) {
    case 'purchase':
      return ofSale(ports, known, { ...dispute, paymentId }, reference.id);
    case 'top_up':
      return chargebackOfTopUp(ports, known, { ...dispute, paymentId }, reference.id);
    case 'setup':
      return Promise.resolve(null);
  }
}

async function ofSale(
  ports: AskingPorts,
  known: Chargeback | null,
  dispute: OwnDispute,
  purchaseId: string,
): Promise<Next | null> {
  const sale = await findSale(ports.market, purchaseId);
  if (sale === null) return null;
  const at = isoTime(ports.clock.now());
  const news = withNews(known, dispute, { purchaseId, topUpId: null, agentId: null }, at);
  const isInEscrow = sale.status === 'held' || sale.status === 'releasing';
  const notifiesSeller = news.settledAt === null && news.sellerNotifiedAt === null && isInEscrow;
  const verdict = news.settledAt === null ? await judge(ports, news, sale) : null;
  const chargeback: Chargeback = {
    ...news,
    ...(notifiesSeller && { sellerNotifiedAt: at }),
    ...((verdict === 'settle' || verdict === 'take_back') && { settledAt: at }),
    ...(verdict === 'take_back' && { coveredCents: news.withdrawnCents }),
  };
  const event = (status: 'open' | 'won') =>
    sellerEvent(ports, sale, 'sale.chargeback', at, { chargeback: status });
  const statements = [
    ...chargebackPostings(ports, known, chargeback, at),
    ...(notifiesSeller ? event('open') : []),
    ...(verdict === 'settle' && news.status === 'won' && isInEscrow ? event('won') : []),
    ...(verdict === 'take_back' ? recordChargedBack(ports, sale, at) : []),
  ];
  return { chargeback, statements };
}

/** A refund that was made before, and whose answer was lost, stays: then the processor took the money twice. */
async function judge(ports: AskingPorts, news: Chargeback, sale: Sale): Promise<SaleVerdict> {
  const { capturedCents, refundRequestedAt } = sale.payment;
  const verdict = verdictOnSale(news, { status: sale.status, capturedCents });
  if (verdict !== 'take_back' || refundRequestedAt === null) return verdict;
  const { refundedCents } = await ports.cards.getPayment(news.paymentId);
  return refundedCents > 0 ? 'settle' : 'take_back';
}

/** For the operator, who answers the cardholder's bank in the processor's dashboard. */
function report({ log }: ChargebackPorts, known: Chargeback | null, next: Chargeback): void {
  const { disputeId, purchaseId, topUpId, amountCents, status } = next;
  const about = { disputeId, purchaseId, topUpId, amountCents };
  if (known === null) log.error('chargeback_opened', about);
  if (known?.status === status || status === 'open') return;
  if (status === 'won') log.info('chargeback_won', about);
  else log.error('chargeback_lost', { ...about, lossCents: lossCents(next) });
}
