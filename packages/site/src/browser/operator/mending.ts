import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { money } from '../../format/figures.ts';
import { actionForm, type Field } from '../parts/forms.ts';
import { DECISION_FIELD } from './decision-field.ts';

type Values = Readonly<Record<string, string>>;

interface Mending {
  readonly label: string;
  /** On its button, where the amount that moves is known. */
  readonly button?: (amount: string) => string;
  readonly fields: readonly Field[];
  /** Answers what became of it. */
  run(api: MarketplaceClient, subjectId: string, values: Values): Promise<string>;
}

const REASON: Field = {
  name: 'reason',
  label: 'Reason, for the audit chain',
  attributes: { required: '', maxlength: '1000' },
};
const reasonOf = ({ reason = '' }: Values) => ({ reason });
const statusText = ({ status }: { readonly status: string }) =>
  `Done: it is ${status.replace('_', ' ')} now.`;

/** The operations that mend what is overdue, by their names in the API. */
const MENDINGS: Readonly<Record<string, Mending>> = {
  retryPurchase: {
    label: 'Try again',
    button: (amount) => `Try again with ${amount}`,
    fields: [REASON],
    run: async (api, purchaseId, values) =>
      statusText(await api.retryPurchase({ purchaseId, ...reasonOf(values) })),
  },
  retryPayout: {
    label: 'Send the payout again',
    button: (amount) => `Send the payout of ${amount} again`,
    fields: [REASON],
    run: async (api, payoutId, values) =>
      statusText(await api.retryPayout({ payoutId, ...reasonOf(values) })),
  },
  retryTopUp: {
    label: 'Ask the card processor again',
    button: (amount) => `Ask again about ${amount}`,
    fields: [REASON],
    run: async (api, topUpId, values) => statusText(await api.retryTopUp({ topUpId, ...reasonOf(values) })),
  },
  retryCardEvent: {
    label: 'Look at it now',
    fields: [REASON],
    async run(api, eventId, values) {
      await api.retryCardEvent({ eventId, ...reasonOf(values) });
      return 'Done: what it is about was looked at.';
    },
  },
  retryMessage: {
    label: 'Send the message again',
    fields: [REASON],
    async run(api, messageId, values) {
      await api.retryMessage({ messageId, ...reasonOf(values) });
      return 'Done: it was sent again.';
    },
  },
  refundPurchase: {
    label: 'Refund the buyer',
    button: (amount) => `Refund ${amount} to the buyer`,
    fields: [REASON],
    run: async (api, purchaseId, values) =>
      statusText(await api.refundPurchase({ purchaseId, ...reasonOf(values) })),
  },
  holdPurchase: {
    label: 'Hold',
    fields: [REASON],
    async run(api, purchaseId, values) {
      await api.holdPurchase({ purchaseId, ...reasonOf(values) });
      return 'Done: it stays in escrow until you lift the hold.';
    },
  },
  liftHold: {
    label: 'Lift the hold',
    fields: [REASON],
    async run(api, purchaseId, values) {
      await api.liftHold({ purchaseId, ...reasonOf(values) });
      return 'Done: its time in escrow goes on.';
    },
  },
  decideDispute: {
    label: 'Decide the dispute',
    button: (amount) => `Decide about ${amount}`,
    fields: [DECISION_FIELD, REASON],
    async run(api, purchaseId, values) {
      const decision = values.decision === 'release' ? 'release' : 'refund';
      const { money } = await api.decideDispute({ purchaseId, decision, ...reasonOf(values) });
      return money === 'moved' ? 'Decided, and the money has moved.' : 'Decided. The money is under way.';
    },
  },
  settleClaim: {
    label: 'Mark as settled',
    button: (amount) => `Mark ${amount} as settled`,
    fields: [
      {
        name: 'account',
        label: 'Where the money came into, or left from',
        type: 'select',
        options: [
          ['bank', 'the bank'],
          ['usdc_clearing', 'the account on chain'],
          ['adjustments', 'nowhere: write it off'],
        ],
      },
      REASON,
    ],
    async run(api, disputeId, { account, ...values }) {
      const { settledCents } = await api.settleClaim({
        disputeId,
        account: account === 'usdc_clearing' || account === 'adjustments' ? account : 'bank',
        ...reasonOf(values),
      });
      return `Done: ${money(Math.abs(settledCents))} are settled.`;
    },
  },
  markPaidElsewhere: {
    label: 'Mark as paid elsewhere',
    button: (amount) => `Mark up to ${amount} as paid elsewhere`,
    fields: [
      {
        name: 'party',
        label: 'Who was paid',
        type: 'select',
        attributes: { required: '' },
        options: [
          ['', 'choose: it cannot be taken back'],
          ['seller', 'the seller, its share'],
          ['buyer', 'the buyer, a refund'],
        ],
      },
      {
        name: 'paidFrom',
        label: 'Paid from',
        type: 'select',
        options: [
          ['bank', 'the bank'],
          ['usdc_clearing', 'the account on chain'],
        ],
      },
      {
        name: 'text',
        label: 'Evidence, shown to whom you paid',
        attributes: { required: '', maxlength: '500', placeholder: 'Bank transfer 4711 of 3 May' },
      },
      REASON,
    ],
    async run(api, purchaseId, { party, paidFrom, text = '', ...values }) {
      const { status } = await api.markPaidElsewhere({
        purchaseId,
        party: party === 'buyer' ? 'buyer' : 'seller',
        paidFrom: paidFrom === 'usdc_clearing' ? 'usdc_clearing' : 'bank',
        evidence: { text },
        ...reasonOf(values),
      });
      return statusText({ status });
    },
  },
};

export const mendingLabel = (name: string): string => MENDINGS[name]?.label ?? name;

interface MendedSubject {
  readonly id: string;
  /** Null: of no payment. */
  readonly amountCents: number | null;
}

/** A form that runs one operation on a subject; `done` is told how it ended. Null: the page does not know it. */
export function mendingForm(
  api: MarketplaceClient,
  name: string,
  { id, amountCents }: MendedSubject,
  done: (text: string) => Promise<null>,
): HTMLElement | null {
  const mending = MENDINGS[name];
  if (mending === undefined) return null;
  const button = (amountCents !== null && mending.button?.(money(amountCents))) || mending.label;
  return actionForm(button, mending.fields, async (values) => done(await mending.run(api, id, values)));
}
