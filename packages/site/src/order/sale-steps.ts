import type { Operations } from '@agent-marketplace/sdk';
import { instant } from '../format/figures.ts';
import { type Outline, outline } from '../format/outline.ts';

type Purchase = Operations['getPurchase']['output'];
type SaleFacts = Pick<Purchase, 'amountCents' | 'deliveredAt' | 'holdUntil'> & {
  /** `asking`: the seller has not answered yet. */
  readonly status: Purchase['status'] | 'asking';
};

/** Where a sale stands: how many steps are behind it. The money of a free one never moves. */
const PAST: Readonly<Record<SaleFacts['status'], number>> = {
  pending_payment: 0,
  asking: 1,
  authorized: 1,
  failed: 1,
  expired: 0,
  held: 3,
  refunded: 3,
  releasing: 4,
  released: 5,
};

const FAILED: Partial<Record<SaleFacts['status'], string>> = {
  failed: 'Not delivered',
  expired: 'Expired',
  refunded: 'Refunded',
};

/** The steps of a sale, with what is over, what is under way and what comes. */
export function saleSteps({ status, amountCents, deliveredAt, holdUntil }: SaleFacts): Outline {
  const isFree = amountCents === 0;
  const names = [
    ['Reserved', isFree ? '' : 'not charged yet'],
    ['Asked', status === 'asking' ? 'up to 30 s' : ''],
    ['Delivered', deliveredAt === null ? '' : instant(deliveredAt)],
    ['In escrow', holdUntil === null ? '' : `until ${instant(holdUntil)}`],
    ['Paid out', ''],
  ] as const;
  const past = isFree && PAST[status] >= 3 ? 5 : PAST[status];
  const steps = names.map(([name, detail], index) => {
    const isNow = index === past;
    const failure = isNow ? FAILED[status] : undefined;
    const state = failure ? 'failed' : index < past ? 'past' : isNow ? 'now' : 'next';
    const isDetailed = detail !== '' && (index < past || isNow);
    return outline(
      'li',
      { class: state, ...(state === 'now' ? { 'aria-current': 'step' } : {}) },
      outline('strong', {}, failure ?? name),
      isDetailed && outline('span', { class: 'fine' }, detail),
      state !== 'now' && outline('span', { class: 'visually-hidden' }, ` (${STANDINGS[state]})`),
    );
  });
  return outline(
    'ol',
    { class: 'sale-steps', 'aria-label': 'Steps of the sale' },
    ...(isFree ? steps.slice(1, 3) : steps),
  );
}

const STANDINGS = { past: 'done', failed: 'failed', next: 'still to come' } as const;
