import { Refusal } from '../../../kernel/errors.ts';
import type { Ports } from '../../../kernel/ports/ports.ts';
import { requireSale } from '../../sales.store.ts';
import { findTab } from '../../tabs/tabs.store.ts';
import { escrowErrors } from '../escrow.errors.ts';
import { placeOfMoney } from './place-of-money.rules.ts';

/** Names the side that the operator, or a rule, decided for. */
const WINNERS = { refund: 'its buyer', release: 'its seller' } as const;

type ReadPorts = Pick<Ports, 'market' | 'clock'>;

const read = ({ market }: ReadPorts, purchaseId: string) =>
  Promise.all([requireSale(market, purchaseId), findTab(market, purchaseId)]);

function refusalOf({ clock }: ReadPorts, [sale, tab]: Awaited<ReturnType<typeof read>>): Refusal {
  const [code, detail] = placeOfMoney(sale, tab, clock.now());
  return new Refusal(escrowErrors[code], { detail });
}

/** Refuses what only money in escrow allows, and says where the money of the sale is. */
export async function notInEscrow(ports: ReadPorts, purchaseId: string) {
  return refusalOf(ports, await read(ports, purchaseId));
}

/** The same for a dispute, which is opened once. */
export async function notDisputable(ports: ReadPorts, purchaseId: string) {
  const found = await read(ports, purchaseId);
  const [{ dispute }] = found;
  if (dispute === null) return refusalOf(ports, found);
  const { decision, decidedAt, openedAt, decideBy } = dispute;
  if (decision !== null)
    return new Refusal(escrowErrors.dispute_decided, {
      detail: `It was decided for ${WINNERS[decision]} at ${decidedAt}, and a purchase is disputed once. See GET /marketplace/purchases/${purchaseId}/dispute.`,
    });
  const end = decideBy === null ? '' : `, and is decided by ${decideBy}`;
  return new Refusal(escrowErrors.dispute_open, {
    detail: `It was opened at ${openedAt}${end}. See GET /marketplace/purchases/${purchaseId}/dispute, and say more with POST to its /statements.`,
  });
}
