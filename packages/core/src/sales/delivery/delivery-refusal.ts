import {
  DELIVERY_FAILURES,
  type DeliveryFailure,
  type DeliveryOutcome,
  MAILBOX_RETRY_SECONDS,
} from '../../delivery/index.ts';
import { type ErrorDefinition, Refusal } from '../../kernel/errors.ts';
import { deliveryErrors } from '../purchases.errors.ts';

export type Undelivered = Exclude<DeliveryOutcome, { kind: 'delivered' }>;

/** What a buyer is told of a delivery that did not happen. Nothing the seller sent is repeated. */
export function deliveryRefusal(outcome: Undelivered): Refusal {
  switch (outcome.kind) {
    case 'unavailable':
      return new Refusal(deliveryErrors.delivery_unavailable);
    case 'failed': {
      if (outcome.reason === 'mailbox_busy')
        return new Refusal(deliveryErrors.mailbox_busy, { retryAfterSeconds: MAILBOX_RETRY_SECONDS });
      if (outcome.reason === 'relay_busy')
        return new Refusal(deliveryErrors.relay_busy, { retryAfterSeconds: 5 });
      const definition: ErrorDefinition = { ...errorOf(outcome.reason), retryable: outcome.retryable };
      return new Refusal(definition, { detail: DELIVERY_FAILURES[outcome.reason].text });
    }
    case 'integrity_mismatch':
      return new Refusal(deliveryErrors.delivery_integrity_mismatch);
    case 'too_large':
      return new Refusal(deliveryErrors.delivery_too_large);
    case 'timed_out':
      return new Refusal(deliveryErrors.delivery_timed_out);
  }
}

function errorOf(reason: DeliveryFailure): ErrorDefinition {
  switch (reason) {
    case 'query_refused':
      return deliveryErrors.query_refused;
    case 'schema_mismatch':
    case 'units_not_allowed':
    case 'number_not_exact':
      return deliveryErrors.delivery_invalid;
    default:
      return deliveryErrors.delivery_failed;
  }
}
