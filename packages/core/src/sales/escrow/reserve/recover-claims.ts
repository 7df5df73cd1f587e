import type { CardProcessor } from '../../../kernel/ports/card-processor.ts';
import { DAY_MS, isoTime } from '../../../kernel/time.ts';
import { post, recoverClaim } from '../../../ledger/index.ts';
import { sellerEvent } from '../../sale-events.ts';
import { requireSale } from '../../sales.store.ts';
import type { EscrowPorts } from '../escrow-ports.ts';
import {
  awaitRecovery,
  beginRecovery,
  endRecovery,
  isRecoveryConflict,
  listDueClaims,
  listRecoveriesUnderWay,
  type Recoverable,
} from './claim-recoveries.store.ts';

const BATCH = 20;
/** What the account could not give back is asked for again a day later: until then a payout may bear it. */
const RETRY_MS = DAY_MS;
const MOST_TRIES = 30;

type AskingPorts = EscrowPorts & { readonly cards: CardProcessor };

/**
 * Takes what sellers bear of sales that they were paid for back from their accounts at the processor: so much of that very
 * transfer, and no cent twice, since a recovery counts as borne from when it begins. What the account has not, stays open:
 * later payouts bear it.
 */
export async function recoverClaims(ports: EscrowPorts): Promise<void> {
  const { cards, market, clock } = ports;
  if (cards === null) return;
  const now = clock.now();
  const asking = { ...ports, cards };
  for (const begun of await listRecoveriesUnderWay(market, BATCH)) await tryRecover(asking, begun);
  for (const { transferId, ...due } of await listDueClaims(market, isoTime(now), BATCH)) {
    if (transferId === null || due.number > MOST_TRIES || due.cents <= 0) {
      // Another claim may have used up what is left of this transfer: it is tried again tomorrow.
      const isOver = transferId === null || due.number > MOST_TRIES;
      await market.commit([awaitRecovery(due.disputeId, isOver ? null : isoTime(now + RETRY_MS))]);
      continue;
    }
    const claim = { ...due, transferId };
    try {
      await market.commit([beginRecovery(claim, isoTime(now))]);
    } catch (error) {
      if (isRecoveryConflict(error)) continue;
      throw error;
    }
    await tryRecover(asking, claim);
  }
}

async function tryRecover(ports: AskingPorts, claim: Recoverable): Promise<void> {
  try {
    await recover(ports, claim);
  } catch (error) {
    if (isRecoveryConflict(error)) return;
    ports.log.error('claim_recovery_delayed', { disputeId: claim.disputeId, message: String(error) });
  }
}

async function recover(ports: AskingPorts, claim: Recoverable): Promise<void> {
  const { market, cards, clock, ids, log } = ports;
  const { disputeId, number, transferId, cents, purchaseId } = claim;
  const reference = `${disputeId}:${number}`;
  const outcome = await cards.reverseTransfer(`claim:${reference}`, { transferId, amountCents: cents });
  const sale = await requireSale(market, purchaseId);
  const at = isoTime(clock.now());
  const tell = (more: { reversedCents: number } | { owedCents: number }) =>
    sellerEvent(ports, sale, 'sale.chargeback', at, { chargeback: 'lost', ...more });
  if (outcome.kind === 'reversed') {
    const { reversalId } = outcome;
    await market.commit([
      ...endRecovery(claim, { reversalId, refusedCode: null }, at),
      ...recoverClaim(reference, sale.sellerId, cents).map((one) => post(one, ids.uuid(), at)),
      ...tell({ reversedCents: cents }),
    ]);
    return;
  }
  const { code: refusedCode } = outcome;
  await market.commit([
    ...endRecovery(claim, { reversalId: null, refusedCode }, at),
    awaitRecovery(disputeId, isoTime(clock.now() + RETRY_MS)),
    // The seller is told of the first refusal only.
    ...(number === 1 ? tell({ owedCents: cents }) : []),
  ]);
  log.error('claim_recovery_refused', { disputeId, purchaseId, cents, code: refusedCode });
}
