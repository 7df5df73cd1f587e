import { Refusal } from '../kernel/errors.ts';
import type { PaymentFault } from '../kernel/ports/chain.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import type { Listing } from '../listings/index.ts';
import { platformRefusal, settlementErrors, type UsdcPayment } from '../sales/index.ts';
import { paymentRefused } from './answers.ts';
import type { SentPayment } from './read-payment.ts';
import type { Terms } from './terms.rules.ts';
import { isOfGivenUp, WAS_USED } from './used-payment.ts';
import { x402Errors } from './x402.errors.ts';

/** A payment that does not meet the terms. */
interface UnfitPayment {
  readonly sent: SentPayment;
  /** What is recorded of it. */
  readonly recorded: readonly UsdcPayment[];
  readonly fault: PaymentFault;
}

/**
 * The terms anew for a payment that does not meet them; `listing` is null where it is for no query. One that was given up as
 * unpaid may have reached the chain since: whoever signed anew would pay twice, so that the chain is asked first. It is
 * asked whatever the payment is sent for: who holds a copy of it learns nothing of what it paid for.
 */
export async function refusePayment(
  ports: Ports,
  { sent, recorded, fault }: UnfitPayment,
  terms: Terms,
  listing: Listing | null,
): Promise<Refusal> {
  const authorization = sent.transfer?.authorization ?? null;
  const refused = () => paymentRefused(ports, fault, terms, listing, authorization);
  if (ports.chain === null || authorization === null || !isOfGivenUp(recorded, sent)) return refused();
  const trace = await ports.chain.find(authorization);
  switch (trace.kind) {
    case 'settled':
      return new Refusal(x402Errors.payment_spent, { ...WAS_USED, detail: GOES_BACK });
    case 'pending':
      return new Refusal(settlementErrors.settlement_pending, { charged: true, retryAfterSeconds: 5 });
    case 'unavailable':
      return platformRefusal(ports, 'chain', { charged: null, retryAfterSeconds: 5 });
    case 'unused':
    case 'void':
      return refused();
  }
}

const GOES_BACK =
  'It reached the chain after it was given up as unpaid, and no longer fits: the price has changed, or it is for something else or too late. All that it moved goes back to the account that paid, a day after it came first.';
