import type { Operations } from '@agent-marketplace/sdk';
import { instant } from '../format/figures.ts';
import { type Outline, outline } from '../format/outline.ts';

type Purchase = Operations['getPurchase']['output'];

export type SaleStage = 'reserved' | 'asked' | 'delivered' | 'escrow' | 'paidOut';

export interface SaleStep {
  /** The step in a word: "Reserved". */
  readonly label: string;
  /** When it was or will be; null: not known. */
  readonly at: string | null;
  readonly standing: 'past' | 'now' | 'failed' | 'to come';
  /** What it means for the reader's money. */
  readonly note?: string;
}

/** What is known of a sale; what is left out is not known. */
export interface SaleFacts {
  /** `asking`: the seller has not answered yet. */
  readonly status: Purchase['status'] | 'asking';
  readonly amountCents: number;
  readonly rail?: Purchase['rail'];
  readonly createdAt?: string | null;
  readonly deliveredAt?: string | null;
  readonly holdUntil?: string | null;
  /** Of a physical order that is on its way, or is still to be sent. */
  readonly shippedAt?: string | null;
  readonly awaitsShipment?: boolean;
  readonly isDisputed?: boolean;
}

const STAGES: readonly (readonly [SaleStage, label: string])[] = [
  ['reserved', 'Reserved'],
  ['asked', 'Asked'],
  ['delivered', 'Delivered'],
  ['escrow', 'In escrow'],
  ['paidOut', 'Paid out'],
];

/** How many stages are over. */
const PAST: Readonly<Record<SaleFacts['status'], number>> = {
  pending_payment: 0,
  expired: 0,
  asking: 1,
  authorized: 1,
  failed: 2,
  held: 3,
  refunded: 3,
  releasing: 4,
  released: 5,
};

/** What stands in the place of the stage at which a sale ended. */
const ENDINGS: Partial<Record<SaleFacts['status'], readonly [label: string, note: string]>> = {
  expired: ['Expired', 'nothing was charged'],
  failed: ['Not delivered', 'nothing was charged'],
  refunded: ['Refunded', 'the whole price went back'],
};

/** The stages of a sale, up to the one at which it ended. A free one has none of money's. */
export function stepsOfSale(facts: SaleFacts): (SaleStep & { readonly stage: SaleStage })[] {
  const { status, amountCents, deliveredAt = null } = facts;
  const isFree = amountCents === 0;
  const isRefundedUndelivered = status === 'refunded' && deliveredAt === null;
  const past = isFree && PAST[status] >= 3 ? 5 : isRefundedUndelivered ? 2 : PAST[status];
  const ending = ENDINGS[status];
  const steps = STAGES.map(([stage, label], index): SaleStep & { stage: SaleStage } => {
    const isNow = index === past;
    if (isNow && ending) {
      const [word, note] = ending;
      return { stage, label: word, at: null, standing: 'failed', ...(isFree ? {} : { note }) };
    }
    const standing = index < past ? 'past' : isNow ? 'now' : 'to come';
    return { stage, label, standing, ...detailOf(stage, standing, facts) };
  });
  const reached = ending ? steps.slice(0, past + 1) : steps;
  return isFree ? reached.filter(({ stage }) => !OF_MONEY.includes(stage)) : reached;
}

const OF_MONEY: readonly SaleStage[] = ['reserved', 'escrow', 'paidOut'];

/** When a stage was or ends, and what is to be known of it. */
function detailOf(
  stage: SaleStage,
  standing: SaleStep['standing'],
  facts: SaleFacts,
): Pick<SaleStep, 'at' | 'note'> {
  const { status, rail, createdAt = null, deliveredAt = null, holdUntil = null } = facts;
  switch (stage) {
    case 'reserved':
      if (standing === 'now') return { at: null, note: 'not charged yet' };
      // On the checkout page a person pays later than the order is made.
      if (rail !== 'checkout' || createdAt === null) return { at: createdAt };
      return { at: null, note: `ordered ${instant(createdAt)}` };
    case 'asked':
      return { at: null, ...(status === 'asking' ? { note: 'up to 30 s' } : {}) };
    case 'delivered':
      if (facts.awaitsShipment) return { at: deliveredAt, note: 'the order is confirmed' };
      return { at: deliveredAt, ...(facts.shippedAt ? { note: `shipped ${instant(facts.shippedAt)}` } : {}) };
    case 'escrow':
      if (standing === 'now' && facts.awaitsShipment) return { at: null, note: 'begins when it is shipped' };
      if (standing === 'now' && facts.isDisputed) return { at: null, note: 'until the dispute is decided' };
      return { at: null, ...(holdUntil === null ? {} : { note: `until ${instant(holdUntil)}` }) };
    case 'paidOut':
      return { at: null, ...(status === 'releasing' ? { note: 'on its way to the seller' } : {}) };
  }
}

/** A sale from its reservation to the seller's payment, the same on buyers', sellers' and operators' pages. */
export function stepLine(steps: readonly SaleStep[]): Outline {
  return outline(
    'ol',
    { class: 'sale-steps', 'aria-label': 'Steps of the sale' },
    ...steps.map(({ label, at, standing, note = '' }) =>
      outline(
        'li',
        {
          ...(standing === 'to come' ? {} : { class: standing }),
          ...(standing === 'now' ? { 'aria-current': 'step' } : {}),
        },
        outline('strong', {}, label),
        at !== null && outline('time', { class: 'nowrap', datetime: at }, instant(at)),
        note !== '' && outline('span', {}, note),
        standing !== 'now' && outline('span', { class: 'visually-hidden' }, ` (${STANDINGS[standing]})`),
      ),
    ),
  );
}

const STANDINGS = { past: 'done', failed: 'failed', 'to come': 'still to come' } as const;

/** The steps of a sale as they are drawn. */
export const saleSteps = (facts: SaleFacts): Outline => stepLine(stepsOfSale(facts));
