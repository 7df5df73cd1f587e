const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface Subject {
  readonly id: string;
  readonly since: string;
  /** Null: of no one payment. */
  readonly amountCents: number | null;
  readonly rail: string | null;
}

/** What the stores say of something that should have ended by now. */
export type OverdueFacts = Subject &
  (
    | {
        readonly of: 'escrow';
        readonly status: string;
        readonly refusals: number | null;
        readonly isOnHold: boolean;
        readonly canBePaid: boolean;
      }
    | { readonly of: 'refund'; readonly failures: number }
    | { readonly of: 'failed_refund' }
    | { readonly of: 'dispute' }
    | { readonly of: 'payment_return' }
    | { readonly of: 'outcome'; readonly outcome: string | null }
    | { readonly of: 'payout'; readonly attempts: number }
    | { readonly of: 'top_up' }
    | { readonly of: 'top_up_return' }
    | { readonly of: 'card_event' }
    | { readonly of: 'message' }
    | { readonly of: 'claim'; readonly isOwedToSeller: boolean }
  );

export const OVERDUE_KINDS = [
  'sale_held',
  'sale_on_hold',
  'sale_releasing',
  'payout_refused',
  'account_unable',
  'refund_pending',
  'refund_failed',
  'dispute_undecided',
  'outcome_undone',
  'payment_return_owed',
  'payout_sending',
  'top_up_undecided',
  'top_up_return_owed',
  'webhook_missed',
  'message_given_up',
  'seller_debt',
  'seller_owed',
] as const;
export type OverdueKind = (typeof OVERDUE_KINDS)[number];

export interface OverdueRow {
  readonly amountCents: number | null;
  readonly kind: OverdueKind;
  /** The operations that mend it, the first of them first. */
  readonly mendWith: string[];
  readonly rail: string | null;
  readonly reason: string;
  readonly since: string;
  readonly subjectId: string;
  readonly subjectType: SubjectType;
}

export const SUBJECT_TYPES = ['purchase', 'payout', 'top_up', 'card_event', 'message', 'chargeback'] as const;
type SubjectType = (typeof SUBJECT_TYPES)[number];

const SUBJECT_TYPE: Readonly<Record<OverdueFacts['of'], SubjectType>> = {
  escrow: 'purchase',
  refund: 'purchase',
  failed_refund: 'purchase',
  dispute: 'purchase',
  outcome: 'purchase',
  payment_return: 'purchase',
  payout: 'payout',
  top_up: 'top_up',
  top_up_return: 'top_up',
  card_event: 'card_event',
  message: 'message',
  claim: 'chargeback',
};

const KINDS: Readonly<
  Record<OverdueKind, { readonly reason: string; readonly mendWith: readonly string[] }>
> = {
  sale_held: {
    reason:
      'Its time in escrow or for its shipment is over, or no clock looks at it, and its money went neither way.',
    mendWith: ['retryPurchase', 'refundPurchase'],
  },
  sale_on_hold: {
    reason: 'The operator holds it, and its time in escrow or for its shipment is over.',
    mendWith: ['liftHold', 'refundPurchase'],
  },
  sale_releasing: {
    reason: 'The transfer to the seller was asked for, and nobody knows what became of it.',
    mendWith: ['retryPurchase'],
  },
  payout_refused: {
    reason: 'The transfer to the seller was refused, and will be asked for again.',
    mendWith: ['retryPurchase', 'markPaidElsewhere', 'refundPurchase'],
  },
  account_unable: {
    reason: 'The seller has no account that can be paid, and no wallet.',
    mendWith: ['retryPurchase', 'markPaidElsewhere', 'refundPurchase'],
  },
  refund_pending: {
    reason: 'The refund was asked for, and is not confirmed.',
    mendWith: ['retryPurchase'],
  },
  refund_failed: {
    reason: 'The refund failed: the money is in escrow until it is decided anew.',
    mendWith: ['refundPurchase', 'markPaidElsewhere', 'decideDispute'],
  },
  dispute_undecided: {
    reason:
      'A dispute waits for the operator: its transfer was taken back, or its 14 days are over and the sale is on hold.',
    mendWith: ['decideDispute', 'refundPurchase', 'liftHold'],
  },
  outcome_undone: {
    reason: 'It is to end uncharged, and its money is not back.',
    mendWith: ['retryPurchase'],
  },
  payment_return_owed: {
    reason:
      'A payment in USDC settled after its purchase had ended, and goes back to its payer, which was not done: look for ' +
      '`refund_refused` and `relayer_low_gas` in the log.',
    mendWith: ['retryPurchase'],
  },
  payout_sending: {
    reason:
      'A payout in USDC is not on the chain: look for `payout_refused` and `relayer_low_gas` in the log.',
    mendWith: ['retryPayout'],
  },
  top_up_undecided: {
    reason: 'The processor has not said what became of a top-up: look for `wallet_sweep_failed` in the log.',
    mendWith: ['retryTopUp'],
  },
  top_up_return_owed: {
    reason:
      'A payment that came too late for its top-up, or what is left of one whose owner leaves, goes back to its payer, and ' +
      'its refund was not made.',
    mendWith: ['retryTopUp'],
  },
  webhook_missed: {
    reason:
      'A report of the card processor never came, or a dispute could not be worked off: what it is about could not be ' +
      'looked at since. See `webhook_failed` and `chargeback_delayed` in the log.',
    mendWith: ['retryCardEvent'],
  },
  message_given_up: {
    reason: 'A message of the queue failed eight times: look for `job_failed` in the log.',
    mendWith: ['retryMessage'],
  },
  seller_debt: {
    reason:
      'A bank took back what its seller had been paid, and the account of the seller had not as much left: its next payouts ' +
      'bear it, and its account at the processor is asked again every day.',
    mendWith: ['settleClaim'],
  },
  seller_owed: {
    reason:
      'A bank gave back what its seller had borne: its next payout brings it, so that a seller who sells no more never gets it.',
    mendWith: ['settleClaim'],
  },
};

/** The operations that mend what is of a kind. */
export const operationsThatMend = (kind: OverdueKind): readonly string[] => KINDS[kind].mendWith;

function kindOf(facts: OverdueFacts): OverdueKind {
  switch (facts.of) {
    case 'escrow':
      if (facts.isOnHold) return 'sale_on_hold';
      if (facts.status === 'releasing') return 'sale_releasing';
      if (!facts.canBePaid) return 'account_unable';
      return (facts.refusals ?? 0) > 0 ? 'payout_refused' : 'sale_held';
    case 'refund':
      return 'refund_pending';
    case 'failed_refund':
      return 'refund_failed';
    case 'dispute':
      return 'dispute_undecided';
    case 'outcome':
      return 'outcome_undone';
    case 'payment_return':
      return 'payment_return_owed';
    case 'payout':
      return 'payout_sending';
    case 'top_up':
      return 'top_up_undecided';
    case 'top_up_return':
      return 'top_up_return_owed';
    case 'card_event':
      return 'webhook_missed';
    case 'message':
      return 'message_given_up';
    case 'claim':
      return facts.isOwedToSeller ? 'seller_owed' : 'seller_debt';
  }
}

/** The longest waiting first. */
export function overdueRows(facts: readonly OverdueFacts[]): OverdueRow[] {
  return facts
    .map((row) => {
      const kind = kindOf(row);
      const { id: subjectId, amountCents, rail, since } = row;
      return {
        amountCents,
        kind,
        ...KINDS[kind],
        mendWith: [...KINDS[kind].mendWith],
        rail,
        since,
        subjectId,
        subjectType: SUBJECT_TYPE[row.of],
      };
    })
    .toSorted((a, b) => compareText(a.since, b.since) || compareText(a.subjectId, b.subjectId));
}
