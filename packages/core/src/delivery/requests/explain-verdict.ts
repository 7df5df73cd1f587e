import {
  DELIVERY_FAILURES,
  type DeliveryFailure,
  type SellerDelivery,
  type Verdict,
} from '../delivery.rules.ts';

const OTHERS: Readonly<Record<Exclude<SellerDelivery['kind'], 'failed'>, string>> = {
  delivered: 'A buyer would get this answer, and pay for it.',
  unavailable:
    'It says that it has nothing for this query: HTTP 404 or `available: false`. A buyer would not be charged.',
  integrity_mismatch: 'The digest in `__sha256` is not that of the data.',
  too_large: 'The answer is larger than 10 MB.',
  timed_out: 'There was no complete answer within 30 seconds.',
};

export const VERDICTS = [...Object.keys(OTHERS), ...Object.keys(DELIVERY_FAILURES)] as [
  Verdict,
  ...Verdict[],
];

/** The verdict in a sentence for the seller: never in the endpoint's own words. */
export function explainVerdict(verdict: Verdict): string {
  return verdict in OTHERS
    ? OTHERS[verdict as keyof typeof OTHERS]
    : DELIVERY_FAILURES[verdict as DeliveryFailure].text;
}
