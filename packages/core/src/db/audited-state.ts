import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { eq, sql } from 'drizzle-orm';
import type { AuditSubject } from '../kernel/operation/audit-trail.ts';
import type { Database } from '../kernel/ports/database.ts';
import { build } from './build.ts';
import { type Params, query } from './query.ts';
import { agents } from './tables/agents.ts';
import { inquiries, moderationCases } from './tables/inquiries.ts';
import { ledgerPeriods } from './tables/ledger.ts';
import { healthDeclarations, listings } from './tables/listings.ts';
import { operators } from './tables/operator-actions.ts';
import { payoutBatches } from './tables/payouts.ts';
import { purchases } from './tables/purchases.ts';
import { cardEvents, deadMessages } from './tables/reports.ts';
import { disputes, operatorHolds, sellerClaims } from './tables/sales.ts';
import { designationState, partyDesignations } from './tables/statistics.ts';
import { walletTopUps } from './tables/wallet.ts';

type Id = { readonly id: string };

/** What an operator may change of each kind of subject, as it stands: the `before` of an entry of the audit chain. */
const STATES = {
  agent: query((p: Params<Id>) =>
    build
      .select({
        limitedReason: agents.limitedReason,
        limitedSince: agents.limitedSince,
        party: partyDesignations.party,
        suspendedAt: agents.suspendedAt,
        suspendedRule: agents.suspendedRule,
      })
      .from(agents)
      .leftJoin(partyDesignations, eq(partyDesignations.agentId, agents.id))
      .where(eq(agents.id, p.id)),
  ),
  card_event: query((p: Params<Id>) =>
    build.select({ takenAt: cardEvents.takenAt }).from(cardEvents).where(eq(cardEvents.eventId, p.id)),
  ),
  chargeback: query((p: Params<Id>) =>
    build
      .select({ claimCents: sellerClaims.claimCents, withheldCents: sellerClaims.withheldCents })
      .from(sellerClaims)
      .where(eq(sellerClaims.disputeId, p.id)),
  ),
  designations: query((p: Params<Id>) =>
    build
      .select({ configuredAt: designationState.configuredAt })
      .from(designationState)
      .where(eq(sql`''`, p.id)),
  ),
  health_declaration: query((p: Params<Id>) =>
    build
      .select({
        reason: healthDeclarations.reason,
        reviewedAt: healthDeclarations.reviewedAt,
        status: healthDeclarations.status,
      })
      .from(healthDeclarations)
      .where(eq(healthDeclarations.id, p.id)),
  ),
  inquiry: query((p: Params<Id>) =>
    build
      .select({
        closesAt: inquiries.closesAt,
        messageCount: inquiries.messageCount,
        status: inquiries.status,
      })
      .from(inquiries)
      .where(eq(inquiries.id, p.id)),
  ),
  ledger_period: query((p: Params<Id>) =>
    build
      .select({ closedAt: ledgerPeriods.closedAt })
      .from(ledgerPeriods)
      .where(eq(ledgerPeriods.month, p.id)),
  ),
  listing: query((p: Params<Id>) =>
    build
      .select({
        blockedAt: listings.blockedAt,
        blockedReason: listings.blockedReason,
        blockedRule: listings.blockedRule,
        status: listings.status,
        version: listings.version,
      })
      .from(listings)
      .where(eq(listings.id, p.id)),
  ),
  message: query((p: Params<Id>) =>
    build.select({ diedAt: deadMessages.diedAt }).from(deadMessages).where(eq(deadMessages.id, p.id)),
  ),
  moderation_case: query((p: Params<Id>) =>
    build
      .select({
        action: moderationCases.action,
        outcome: moderationCases.outcome,
        rule: moderationCases.rule,
        state: moderationCases.state,
      })
      .from(moderationCases)
      .where(eq(moderationCases.id, p.id)),
  ),
  operator: query((p: Params<Id>) =>
    build
      .select({
        name: operators.name,
        revokedAt: operators.revokedAt,
        role: operators.role,
        secretSetAt: operators.secretSetAt,
        secretSetBy: operators.secretSetBy,
      })
      .from(operators)
      .where(eq(operators.id, p.id)),
  ),
  payout: query((p: Params<Id>) =>
    build
      .select({
        attempts: payoutBatches.attempts,
        dueAt: payoutBatches.dueAt,
        status: payoutBatches.status,
      })
      .from(payoutBatches)
      .where(eq(payoutBatches.id, p.id)),
  ),
  purchase: query((p: Params<Id>) =>
    build
      .select({
        decision: disputes.decision,
        disputedAt: disputes.openedAt,
        holdLiftedAt: operatorHolds.liftedAt,
        onHoldSince: operatorHolds.heldAt,
        status: purchases.status,
      })
      .from(purchases)
      .leftJoin(disputes, eq(disputes.purchaseId, purchases.id))
      .leftJoin(operatorHolds, eq(operatorHolds.purchaseId, purchases.id))
      .where(eq(purchases.id, p.id)),
  ),
  top_up: query((p: Params<Id>) =>
    build
      .select({
        lookAt: walletTopUps.lookAt,
        returnOwedSince: walletTopUps.returnOwedSince,
        status: walletTopUps.status,
      })
      .from(walletTopUps)
      .where(eq(walletTopUps.id, p.id)),
  ),
};

/** Null: there is nothing yet, or nothing of this kind has a state that operators change. */
export async function auditedState(
  db: Database,
  { type, id }: AuditSubject['subject'],
): Promise<JsonObject | null> {
  if (!Object.hasOwn(STATES, type)) return null;
  return ((await STATES[type as keyof typeof STATES].first(db, { id: id ?? '' })) ??
    null) as JsonObject | null;
}
