import { BRAND } from '../../../kernel/brand.ts';
import type { Decision, Sale } from '../../sale.ts';
import type { DisputeGround } from './dispute.rules.ts';

const GROUNDS: Readonly<Record<DisputeGround, string>> = {
  conformed: 'the answer that the receipt names was given, and conforms to it',
  not_shipped: 'the order was not shipped',
  not_given: 'the answer was never given',
  other_answer: 'another answer was given than the one that the receipt names',
  schema_unchecked: 'the delivery was not checked against a schema',
};
const MONEY = {
  buyer: { refund: 'Your money goes back the way it came.', release: 'The seller is paid.' },
  seller: { refund: 'The buyer gets the money back.', release: 'Your share is paid out.' },
} as const;

/** The mail to a party about how a dispute ended; `ground` null: the operator decided. Nothing of what the buyer wrote. */
export function disputeMail(
  { id, amountCents }: Pick<Sale, 'id' | 'amountCents'>,
  party: 'buyer' | 'seller',
  decision: Decision,
  ground: DisputeGround | null,
): { subject: string; text: string } {
  const by =
    ground === null
      ? 'An operator decided it.'
      : `Nobody decided it in time, so that a rule did: ${GROUNDS[ground]}.`;
  return {
    subject: `A dispute on ${BRAND.platform} was decided for ${decision === 'refund' ? 'the buyer' : 'the seller'}`,
    text: [
      `The dispute of purchase ${id}, of USD ${(amountCents / 100).toFixed(2)}, has ended.`,
      '',
      by,
      MONEY[party][decision],
      '',
    ].join('\n'),
  };
}
