import { forEachConcurrently } from '../../../kernel/for-each-concurrently.ts';
import { HOUR_MS, isoTime } from '../../../kernel/time.ts';
import { findAnswer } from '../../delivery/answers.store.ts';
import { decideByRule, isDecidedBefore, listUndecidedDisputes, postponeRule } from '../../disputes.store.ts';
import { isStatusConflict, requireSale } from '../../sales.store.ts';
import type { EscrowPorts } from '../escrow-ports.ts';
import { DISPUTE_REFUND_REASON, isRefundable, refundStatements } from '../refund-sale.ts';
import { decisionOn, groundOf } from './dispute.rules.ts';
import { disputeDecidedEvents } from './dispute-decided-events.ts';

const BATCH = 50;
const AT_ONCE = 5;

/** Disputes that nobody decided in time are decided by the rule. Their money moves with the next step of the clock. */
export async function endDisputes(ports: EscrowPorts): Promise<void> {
  const now = isoTime(ports.clock.now());
  const purchaseIds = await listUndecidedDisputes(ports.market, now, BATCH);
  await forEachConcurrently(purchaseIds, AT_ONCE, async (purchaseId) => {
    try {
      await endDispute(ports, purchaseId);
    } catch (error) {
      // The operator decided, or a bank took the money, at this moment.
      if (isDecidedBefore(error) || isStatusConflict(error)) return;
      ports.log.error('dispute_delayed', { purchaseId, message: String(error) });
    }
  });
}

async function endDispute(ports: EscrowPorts, purchaseId: string): Promise<void> {
  const { market, clock, log } = ports;
  const [sale, answer] = await Promise.all([requireSale(market, purchaseId), findAnswer(market, purchaseId)]);
  const at = isoTime(clock.now());
  const ground = groundOf(sale, answer);
  const decision = decisionOn(ground);
  if (decision === 'refund' && !isRefundable(sale, ports)) {
    log.error('refund_refused', { purchaseId, reason: 'not_configured' });
    await market.commit([postponeRule(purchaseId, isoTime(clock.now() + HOUR_MS))]);
    return;
  }
  log.info('dispute_decided', { purchaseId, decision, ground });
  await market.commit([
    ...decideByRule(sale, decision, at),
    ...(decision === 'refund' ? refundStatements(ports, sale, DISPUTE_REFUND_REASON, at) : []),
    ...disputeDecidedEvents(ports, sale, decision, ground, at),
  ]);
}
