import type { Statement } from '../../../kernel/ports/database.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import type { IsoTime } from '../../../kernel/time.ts';
import { post, takeFromEscrow } from '../../../ledger/index.ts';
import { takePart } from '../../escrow/escrow.store.ts';
import { recordChargedBack } from '../../escrow/refund-sale.ts';
import { leftCents } from '../../ledger-sale.rules.ts';
import type { Sale } from '../../sale.ts';
import { sellerEvent } from '../../sale-events.ts';
import { requireSale } from '../../sales.store.ts';
import { type Chargeback, movementOf, partOfSale } from './chargeback.rules.ts';
import { listShares, saveShare } from './chargeback-shares.store.ts';

type SharePorts = Pick<Ports, 'market' | 'ids'>;

export interface SharedChargeback {
  readonly takenCents: number;
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
  const known = new Map(
    (await listShares(ports.market, disputeId)).map((share) => [share.purchaseId, share] as const),
  );
  if (status === 'won') return tellGivenUp(ports, news, [...known.keys()], at);
  const statements: Statement[] = [];
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
  return { takenCents, isWaiting, statements };
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
  const { takenNetCents, takenFeeCents } = sale.payment;
  const part = partOfSale({ ...sale, takenNetCents, takenFeeCents }, cents);
  const posting = takeFromEscrow({
    reference: `${movementOf({ ...news, purchaseId: sale.id })}:escrow`,
    sellerId: sale.sellerId,
    ...part,
  });
  return [...takePart(sale, part), ...(posting ? [post(posting, ports.ids.uuid(), at)] : [])];
}

/** The bank left it: the claims are over with the dispute. */
async function tellGivenUp(
  ports: SharePorts,
  { settledAt }: Chargeback,
  purchaseIds: readonly string[],
  at: IsoTime,
): Promise<SharedChargeback> {
  const sales = settledAt === null ? purchaseIds : [];
  const claimed = await Promise.all(sales.map((id) => requireSale(ports.market, id)));
  const statements = claimed
    .filter(({ status }) => status === 'held')
    .flatMap((sale) => sellerEvent(ports, sale, 'sale.chargeback', at, { chargeback: 'won' }));
  return { takenCents: 0, isWaiting: false, statements };
}
