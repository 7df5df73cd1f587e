import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import { post, takeFromEscrow } from '../../../ledger/index.ts';
import { takePart } from '../../escrow/escrow.store.ts';
import { recordChargedBack, recordGivenBack } from '../../escrow/refund-sale.ts';
import {
  borneForOthers,
  listClaimsOf,
  requireClaims,
  saveClaim,
} from '../../escrow/reserve/seller-claims.store.ts';
import { leftCents } from '../../ledger-sale.rules.ts';
import type { Sale } from '../../sale.ts';
import { sellerEvent } from '../../sale-events.ts';
import { requireSale } from '../../sales.store.ts';
import { type Chargeback, claimOfShare, movementOf, partOfSale } from './chargeback.rules.ts';
import { type ChargebackShare, listShares, readTakenOf, saveShare } from './chargeback-shares.store.ts';
import { findChargeback, listOtherChargebacks, saveChargeback } from './chargebacks.store.ts';

type SharePorts = Pick<Ports, 'market' | 'ids'>;

export interface SharedChargeback {
  /** Negative: sales have it back. */
  readonly takenCents: number;
  /** Of what was taken of sales before, their buyer's now. */
  readonly owedToBuyerCents: number;
  /** A sale is just being paid out, or still reserved: how that ends decides. */
  readonly isWaiting: boolean;
  readonly statements: readonly Statement[];
}

/**
 * What a wallet is short of is claimed of the sales in escrow that the disputed top-up paid for, the latest first: their
 * clock stands still while the bank decides, and once it is lost the claims are taken.
 */
export async function claimFromSales(
  ports: SharePorts,
  news: Chargeback,
  paid: ReadonlyMap<string, ReadonlyMap<string, number>>,
  shortCents: number,
  at: IsoTime,
): Promise<SharedChargeback> {
  const { disputeId, status, topUpId } = news;
  const shares = await listShares(ports.market, disputeId);
  if (status === 'won') return giveBackToSales(ports, news, shares, at);
  const known = new Map(shares.map((share) => [share.purchaseId, share] as const));
  const statements: Statement[] = [];
  for (const share of shares)
    if (status === 'lost' && (await isGivenBack(ports, share)))
      statements.push(...(await correctPayout(ports, news, share, at)));
  let openCents = shortCents;
  let takenCents = 0;
  let isWaiting = false;
  for (const [purchaseId, parts] of [...paid].reverse()) {
    const before = known.get(purchaseId);
    const paidCents = (parts.get(topUpId ?? '') ?? 0) - (before?.takenCents ?? 0);
    if (openCents <= 0) break;
    if (paidCents <= 0) continue;
    const sale = await requireSale(ports.market, purchaseId);
    const claimedCents = Math.min(paidCents, leftCents(sale), openCents);
    const isReserved = sale.status === 'pending_payment' || sale.status === 'authorized';
    isWaiting ||= isReserved || sale.status === 'releasing';
    if (sale.status !== 'held' && sale.status !== 'releasing') continue;
    openCents -= claimedCents;
    const isTaken = status === 'lost' && sale.status === 'held';
    if (isTaken) {
      takenCents += claimedCents;
      statements.push(...takeFromSale(ports, news, sale, claimedCents, at));
    }
    if (!isTaken && before?.claimedCents === claimedCents) continue;
    statements.push(
      saveShare({
        disputeId,
        purchaseId,
        claimedCents,
        takenCents: (before?.takenCents ?? 0) + (isTaken ? claimedCents : 0),
      }),
      ...(isTaken || !before
        ? sellerEvent(ports, sale, 'sale.chargeback', at, { chargeback: isTaken ? 'lost' : 'open' })
        : []),
    );
  }
  return { takenCents, owedToBuyerCents: 0, isWaiting, statements };
}

/** All that is left of a sale ends it; a part leaves it with less. */
export function takeFromSale(
  ports: SharePorts,
  news: Chargeback,
  sale: Sale,
  cents: number,
  at: IsoTime,
): Statement[] {
  if (cents === leftCents(sale)) return recordChargedBack(ports, sale, at);
  return takePartOfSale(ports, news, sale, cents, at);
}

/** Negative: the sale has it back. */
function takePartOfSale(
  ports: SharePorts,
  news: Chargeback,
  sale: Sale,
  cents: number,
  at: IsoTime,
): Statement[] {
  if (cents === 0) return [];
  const { takenNetCents, takenFeeCents } = sale.payment;
  const part = partOfSale({ ...sale, takenNetCents, takenFeeCents }, cents);
  const posting = takeFromEscrow({
    reference: `${movementOf({ ...news, purchaseId: sale.id })}:escrow`,
    sellerId: sale.sellerId,
    ...part,
  });
  return [...takePart(sale, part), ...(posting ? [post(posting, ports.ids.uuid(), at)] : [])];
}

/**
 * The bank left it, or gave it back: the claims are over with the dispute, and sales in escrow, or that it had ended, have
 * back what was taken of them. Of a sale that was refunded otherwise meanwhile, its buyer has it.
 */
async function giveBackToSales(
  ports: SharePorts,
  news: Chargeback,
  shares: readonly ChargebackShare[],
  at: IsoTime,
): Promise<SharedChargeback> {
  const statements: Statement[] = [];
  let [givenBackCents, owedToBuyerCents, isWaiting] = [0, 0, false];
  for (const share of shares) {
    const { takenCents } = share;
    if (takenCents === 0 && news.settledAt !== null) continue;
    if (await isGivenBack(ports, share)) continue;
    const sale = await requireSale(ports.market, share.purchaseId);
    if (takenCents > 0 && sale.status === 'released')
      statements.push(...(await correctPayout(ports, news, share, at)));
    if (takenCents > 0 && sale.status === 'releasing') isWaiting = true;
    if (takenCents > 0 && sale.status === 'refunded' && !isEndedByBank(sale)) owedToBuyerCents += takenCents;
    if (sale.status !== 'held' && !isEndedByBank(sale)) continue;
    if (takenCents > 0) {
      givenBackCents += takenCents;
      statements.push(
        ...(await giveBack(ports, news, sale, takenCents, at)),
        saveShare({ ...share, takenCents: 0 }),
      );
    }
    statements.push(...sellerEvent(ports, sale, 'sale.chargeback', at, { chargeback: 'won' }));
  }
  return { takenCents: 0 - givenBackCents, owedToBuyerCents, isWaiting, statements };
}

/** As if the sale had been disputed itself, so that it has a claim of its own. */
const disputeIdOf = ({ disputeId, purchaseId }: ChargebackShare): string =>
  `share:${disputeId}:${purchaseId}`;

/** Whether a sale has back with other payouts what its own was paid less. */
async function isGivenBack({ market }: SharePorts, share: ChargebackShare): Promise<boolean> {
  return (await findChargeback(market, disputeIdOf(share)))?.status === 'won';
}

/**
 * What was taken of a sale that was paid out since came back, or is taken after all: the share of the seller comes with its
 * next payouts, or is withheld of them. The books have it as taken of the sale as before.
 */
async function correctPayout(
  ports: SharePorts,
  { paymentId, status }: Chargeback,
  share: ChargebackShare,
  at: IsoTime,
): Promise<Statement[]> {
  const { takenCents, purchaseId } = share;
  const disputeId = disputeIdOf(share);
  const known = await findChargeback(ports.market, disputeId);
  const sale = await requireSale(ports.market, purchaseId);
  const claims = await listClaimsOf(ports.market, purchaseId);
  const others = await listOtherChargebacks(ports.market, purchaseId, disputeId);
  const claim = claimOfShare(
    { ...sale, ...sale.payment },
    { takenCents, isLost: status === 'lost' },
    {
      // Each is of what was taken by one share, as this one is.
      givenBackCents: others.reduce((sum, one) => sum + (one.status === 'won' ? one.amountCents : 0), 0),
      claimedCents: borneForOthers(claims, disputeId),
    },
  );
  const ofSale: Chargeback = {
    disputeId,
    paymentId,
    purchaseId,
    topUpId: null,
    agentId: null,
    amountCents: takenCents,
    status,
    withdrawnCents: 0,
    coveredCents: 0,
    openedAt: known?.openedAt ?? at,
    settledAt: at,
    sellerNotifiedAt: at,
    revision: (known?.revision ?? 0) + 1,
    checkAt: null,
    escrowCents: 0,
  };
  return [
    ...saveChargeback(known, ofSale),
    requireClaims(purchaseId, disputeId, claims),
    saveClaim({ disputeId, purchaseId, sellerId: sale.sellerId, ...claim }),
    ...sellerEvent(ports, sale, 'sale.chargeback', at, {
      chargeback: status,
      claimCents: claim.claimCents,
    }),
  ];
}

const isEndedByBank = ({ status, payment }: Sale): boolean =>
  status === 'refunded' && payment.failure === 'chargeback';

/** Where it had ended the sale, what other chargebacks took stays taken. */
async function giveBack(
  ports: SharePorts,
  news: Chargeback,
  sale: Sale,
  cents: number,
  at: IsoTime,
): Promise<Statement[]> {
  if (sale.status === 'held') return takePartOfSale(ports, news, sale, -cents, at);
  const { takenNetCents, takenFeeCents } = sale.payment;
  const byOthersCents = (await readTakenOf(ports.market, sale.id)) - cents;
  const held: Sale = { ...sale, status: 'held' };
  return [
    ...recordGivenBack(ports, sale, at),
    ...takePartOfSale(ports, news, held, byOthersCents - takenNetCents - takenFeeCents, at),
  ];
}
