import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { dollarsOf } from '../kernel/dollars.ts';
import type { IsoTime } from '../kernel/time.ts';
import { oneLine } from '../mail/mail.rules.ts';

export interface ReceiptMailFacts {
  readonly purchaseId: string;
  readonly title: string;
  readonly amountCents: number;
  readonly rail: string;
  readonly deliveredAt: IsoTime;
  readonly contentDigest: string;
  /** The signed receipt as JSON text. */
  readonly receipt: string | null;
}

/**
 * What a buyer is sent for its purchase. The title is the seller's text: it stays in quotes, on one line. A free purchase
 * can be made with anybody's address, so its mail carries no text that a stranger chose.
 */
export function receiptMail(facts: ReceiptMailFacts): { subject: string; text: string } {
  const { purchaseId, title, amountCents, rail, deliveredAt, contentDigest, receipt } = facts;
  const signed = receipt === null ? [] : ['', 'The signed receipt; POST /verify-receipt checks it:', receipt];
  return {
    subject: `Receipt: USD ${dollarsOf(amountCents)}, ${BRAND.platform}`,
    text: [
      amountCents > 0
        ? `You paid USD ${dollarsOf(amountCents)} for "${oneLine(title)}".`
        : 'A free listing was delivered, and this address was given for its receipt. If that was not you, ignore this mail.',
      '',
      `Purchase:  ${purchaseId}`,
      `Delivered: ${deliveredAt}`,
      `Paid by:   ${rail}`,
      `Content:   ${contentDigest}`,
      ...signed,
      '',
      `${BRAND.operator}. This address does not read mail.`,
      '',
    ].join('\n'),
  };
}

/** As many purchases as one mail names. */
const MOST_NAMED = 200;

/** What is sent for purchases beyond those that are mailed one by one in a day: no text that a stranger chose. */
export function manyReceiptsMail(purchaseIds: readonly string[]): { subject: string; text: string } {
  const more = purchaseIds.length - MOST_NAMED;
  return {
    subject: `Receipts of ${purchaseIds.length} purchases, ${BRAND.platform}`,
    text: [
      `${purchaseIds.length} more purchases were delivered, and this address was given for their receipts. If that was not you, ignore this mail.`,
      'Each receipt is in the answer of GET /marketplace/purchases/{id}, and on the page of its purchase:',
      '',
      ...purchaseIds.slice(0, MOST_NAMED),
      ...(more > 0 ? [`and ${more} more.`] : []),
      '',
      `${BRAND.operator}. This address does not read mail.`,
      '',
    ].join('\n'),
  };
}
