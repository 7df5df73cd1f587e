import type { DeliveryOutcome } from '../delivery/index.ts';
import type { IsoTime } from '../kernel/time.ts';
import { latencyBucket } from './latency-histogram.rules.ts';

/** What asking a seller for a sale came to, as it is measured. */
export type AttemptResult =
  | 'delivered'
  /** The seller says that it has nothing: HTTP 404 or `available: false`. */
  | 'unavailable'
  | 'timed_out'
  /** No reply, a redirect, an error status, a call that was refused whatever the query. */
  | 'failed'
  /** A reply that is not what was sold. */
  | 'invalid'
  /** A query that had passed the listing's inputSchema was refused with a 4xx that is about the query. */
  | 'declined';

/** One attempt, ready to be counted. */
export interface Attempt {
  readonly result: AttemptResult;
  /** Of what was delivered; null: not known, or nothing was. */
  readonly latencyBucket: number | null;
  /** Whether data was held against an outputSchema, and whether it fitted. */
  readonly isSchemaChecked: boolean;
  readonly isSchemaValid: boolean;
  readonly at: IsoTime;
}

/** What is measured of a delivery. */
export interface DeliveryMeasures {
  readonly outputSchemaDigest: string | null;
  /** From asking the seller to the last byte of its answer. Null: not known. */
  readonly latencyMs: number | null;
}

export function deliveredAttempt({ outputSchemaDigest, latencyMs }: DeliveryMeasures, at: IsoTime): Attempt {
  const isSchemaChecked = outputSchemaDigest !== null;
  return {
    result: 'delivered',
    latencyBucket: latencyMs === null ? null : latencyBucket(latencyMs),
    isSchemaChecked,
    isSchemaValid: isSchemaChecked,
    at,
  };
}

/** Null: the failure was the marketplace's own, and says nothing of the seller. */
export function undeliveredAttempt(
  outcome: Exclude<DeliveryOutcome, { kind: 'delivered' }>,
  at: IsoTime,
): Attempt | null {
  const result = resultOf(outcome);
  const isSchemaChecked = outcome.kind === 'failed' && outcome.reason === 'schema_mismatch';
  return result && { result, latencyBucket: null, isSchemaChecked, isSchemaValid: false, at };
}

/** Whether nobody was there to answer, so far as the marketplace can tell. */
export const isSilent = ({ result }: Pick<Attempt, 'result'>): boolean =>
  result === 'timed_out' || result === 'failed';

function resultOf(outcome: Exclude<DeliveryOutcome, { kind: 'delivered' }>): AttemptResult | null {
  switch (outcome.kind) {
    case 'unavailable':
    case 'timed_out':
      return outcome.kind;
    case 'integrity_mismatch':
    case 'too_large':
      return 'invalid';
    case 'failed':
      break;
  }
  switch (outcome.reason) {
    case 'mailbox_busy':
    case 'mailbox_unavailable':
    case 'relay_busy':
      return null;
    case 'query_refused':
    case 'gone':
    case 'mcp_tool_error':
      return 'declined';
    case 'no_endpoint':
    case 'url_refused':
    case 'unreachable':
    case 'redirected':
    case 'bad_status':
    // An endpoint that throttles or locks the marketplace out delivers nothing, whatever is asked.
    case 'call_refused':
      return 'failed';
    case 'not_json':
    case 'number_not_exact':
    case 'schema_mismatch':
    case 'units_not_allowed':
    case 'not_an_object':
    case 'no_data':
    case 'mcp_protocol_error':
      return 'invalid';
  }
}
