import { BRAND } from '@agent-marketplace/protocol/brand.ts';
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

/** Who or what decided a dispute: an operator, the bank of whoever paid, or the rule for those that nobody decides. */
export type DisputeJudge = 'operator' | 'bank' | DisputeGround;

const DECIDED_BY: Readonly<Partial<Record<DisputeJudge, string>>> = {
  operator: 'An operator decided it.',
  bank: 'The bank of whoever paid decided it.',
};

/** The mail to a party about how a dispute ended. Nothing of what the buyer wrote. */
export function disputeMail(
  { id, amountCents }: Pick<Sale, 'id' | 'amountCents'>,
  party: 'buyer' | 'seller',
  decision: Decision,
  judge: DisputeJudge,
): { subject: string; text: string } {
  const by =
    DECIDED_BY[judge] ?? `Nobody decided it in time, so that a rule did: ${GROUNDS[judge as DisputeGround]}.`;
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

const AUTHORS = { buyer: 'The buyer', seller: 'The seller', operator: 'An operator' } as const;

/** The mail to a party that another said something in a dispute. What was said is on the page alone. */
export function statementMail(
  { id, amountCents, buyerId }: Pick<Sale, 'id' | 'amountCents' | 'buyerId'>,
  party: 'buyer' | 'seller',
  author: keyof typeof AUTHORS,
  siteUrl: string,
): { subject: string; text: string } {
  const place =
    party === 'seller'
      ? `Read it and answer, with files if you like: ${siteUrl}/seller/disputes`
      : buyerId === null
        ? 'Read it and answer, with files if you like, on the page of your purchase: you were given its link when you bought.'
        : `Read it and answer, with files if you like: ${siteUrl}/purchases`;
  return {
    subject: `New in a dispute on ${BRAND.platform}`,
    text: [
      `${AUTHORS[author]} said something in the dispute of purchase ${id}, of USD ${(amountCents / 100).toFixed(2)}.`,
      '',
      place,
      'What is said before the decision is read for it.',
      '',
    ].join('\n'),
  };
}

/** The mail to a buyer without a key whose money went back. */
export function refundMail({ id, amountCents }: Pick<Sale, 'id' | 'amountCents'>): {
  subject: string;
  text: string;
} {
  return {
    subject: `Your purchase on ${BRAND.platform} was refunded`,
    text: [
      `Purchase ${id}, of USD ${(amountCents / 100).toFixed(2)}, was refunded: the money went back the way it came.`,
      'Banks take some days to show it.',
      '',
    ].join('\n'),
  };
}
