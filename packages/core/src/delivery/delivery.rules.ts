import type { Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type {
  EndpointReply,
  NoReply,
  ReadingFailure,
  ReadReply,
  ReplyReading,
} from '../kernel/ports/seller-endpoint.ts';
import { SECOND_MS } from '../kernel/time.ts';

/** The limits of time and size for a seller's reply (clause: Limits). KB and MB are powers of 1024. */
export interface ReplyLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Whether data is asked for, or any answer, and how much of it is taken. */
export type Expectation = ReplyLimits & Pick<ReplyReading, 'data'>;

export const DELIVERY_TIMEOUT_MS = 30 * SECOND_MS;
/** What waits in a mailbox was answered or has expired by then. */
export const MAILBOX_RETRY_SECONDS = DELIVERY_TIMEOUT_MS / SECOND_MS;
export const DELIVERY_MAX_BYTES = 10 * 1024 * 1024;
export const CHALLENGE_TIMEOUT_MS = 15 * SECOND_MS;
export const CHALLENGE_MAX_BYTES = 64 * 1024;

/** How an endpoint receives messages. */
export type CallbackType = 'webhook' | 'polling' | 'mcp';

export type DeliveryFailure =
  | ReadingFailure
  | 'units_not_allowed'
  | 'no_endpoint'
  | 'url_refused'
  | 'unreachable'
  | 'redirected'
  | 'bad_status'
  | 'query_refused'
  | 'call_refused'
  | 'gone'
  | 'mailbox_busy'
  | 'mailbox_unavailable'
  | 'relay_busy';

/** The text for each failure, and whether a later retry may help. */
export const DELIVERY_FAILURES: Readonly<Record<DeliveryFailure, { text: string; retryable: boolean }>> = {
  no_endpoint: { text: 'The seller has no delivery endpoint.', retryable: false },
  url_refused: { text: 'The URL or address of the delivery endpoint is not public https.', retryable: false },
  unreachable: {
    text: 'The delivery endpoint could not be reached, or broke the connection.',
    retryable: true,
  },
  redirected: { text: 'The delivery endpoint redirected; redirects are never followed.', retryable: false },
  bad_status: { text: 'The delivery endpoint did not answer with HTTP 200.', retryable: false },
  query_refused: {
    text: 'The seller cannot answer this query.',
    retryable: false,
  },
  call_refused: {
    text: 'The delivery endpoint refused the call itself, whatever the query: HTTP 401, 403, 405, 407, 408, 415 or 429.',
    retryable: false,
  },
  gone: { text: 'The seller gives this answer no more: it answered with HTTP 410.', retryable: false },
  not_json: {
    text: 'The reply is not UTF-8 JSON, is nested more than 64 deep, or repeats a key.',
    retryable: false,
  },
  number_not_exact: {
    text: 'The reply holds a number that cannot be kept exactly; its seller has to send it as a string.',
    retryable: false,
  },
  schema_mismatch: { text: "The data does not fit the listing's outputSchema.", retryable: false },
  units_not_allowed: {
    text: 'The reply names no `units`, or more than the listing allows for a query.',
    retryable: false,
  },
  not_an_object: { text: 'The reply, or `data` in it, is not a JSON object.', retryable: false },
  no_data: { text: 'The reply holds neither `data` nor `available: false`.', retryable: false },
  mcp_protocol_error: {
    text: 'The MCP server did not complete the call of its tool `deliver`.',
    retryable: false,
  },
  mcp_tool_error: { text: 'The tool `deliver` of the MCP server answered with an error.', retryable: true },
  mailbox_busy: { text: 'Too many requests wait for the seller to fetch them.', retryable: true },
  mailbox_unavailable: { text: 'The mailbox of the seller could not be reached.', retryable: true },
  relay_busy: {
    text: 'Too many replies were being relayed at once for this one to be finished.',
    retryable: true,
  },
};

export interface FailedDelivery<Reason = DeliveryFailure> {
  readonly kind: 'failed';
  readonly reason: Reason;
  readonly retryable: boolean;
  /** What the endpoint sent as `Retry-After`. */
  readonly retryAfter?: string;
}

type Delivered = Extract<ReadReply, { kind: 'delivered' }>;

type Undelivered =
  | { readonly kind: 'unavailable' }
  | FailedDelivery
  | { readonly kind: 'integrity_mismatch' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'timed_out' };

/** The outcome of asking a seller once. */
export type SellerDelivery = Delivered | Undelivered;

/** The outcome of one attempt to get the data of a listing. Only `delivered` may be charged for. */
export type DeliveryOutcome =
  | (Omit<Delivered, 'units'> & {
      /** What a metered query used, as far as its listing allows; null: the listing has one price. */
      readonly units: number | null;
      /** Of the outputSchema that the data fits; null where the listing has none. */
      readonly outputSchemaDigest: Digest | null;
      /** From asking the seller to the last byte of its answer. */
      readonly latencyMs: number;
    })
  | (Undelivered & {
      /** Until it was known that there is no answer to sell. Left out: nobody was asked. */
      readonly latencyMs?: number;
    });

/** Failures that strangers can cause, by filling a mailbox with requests or the relay with large replies. */
const OWN_FAILURES: readonly DeliveryFailure[] = ['mailbox_busy', 'mailbox_unavailable', 'relay_busy'];

/** A buyer can cause these at will, by what it asks. An MCP server has no other way to refuse than an error. */
const REFUSALS: readonly DeliveryFailure[] = ['query_refused', 'call_refused', 'gone', 'mcp_tool_error'];

/** The statuses that say nothing of the query: another one would be refused as well. */
const CALL_REFUSALS: readonly number[] = [401, 403, 405, 407, 408, 415, 429];

/**
 * What a delivery that did not happen counts as for its seller: as its failure, as a query that it refused, or as
 * nothing. Data that the seller says it does not have is nothing, and so is a failure of the marketplace's own.
 */
export function countedAs(
  outcome: Exclude<DeliveryOutcome, { kind: 'delivered' }>,
): 'failed' | 'refused' | null {
  switch (outcome.kind) {
    case 'unavailable':
      return null;
    case 'failed':
      if (REFUSALS.includes(outcome.reason)) return 'refused';
      return OWN_FAILURES.includes(outcome.reason) ? null : 'failed';
    case 'integrity_mismatch':
    case 'too_large':
    case 'timed_out':
      return 'failed';
  }
}

/** What asking a seller came to: what was read of the reply, or why nothing was. */
export type SellerAnswer =
  | (ReadReply & {
      /** The revision that an MCP server answered in. */
      readonly mcpRevision?: string;
    })
  | Undelivered;

export function failed<Reason extends DeliveryFailure>(
  reason: Reason,
  retryable: boolean = DELIVERY_FAILURES[reason].retryable,
): FailedDelivery<Reason> {
  return { kind: 'failed', reason, retryable };
}

/**
 * A retry may help after a timeout, a rate limit or a server error: they say nothing of the request. With 501 a seller says
 * that it fails and will again.
 */
export function failedStatus(status: number): FailedDelivery {
  if (status === 410) return failed('gone');
  const isRetryable = status === 408 || status === 429 || (status >= 500 && status !== 501);
  if (CALL_REFUSALS.includes(status)) return failed('call_refused', isRetryable);
  const isRefusal = status >= 400 && status < 500 && status !== 404;
  return failed(isRefusal ? 'query_refused' : 'bad_status', isRetryable);
}

/** Whether a status says that the server did not understand the request, of which then nothing was done. */
export function isNotUnderstood(status: number): boolean {
  return (
    status >= 400 && status < 500 && ['query_refused', 'bad_status'].includes(failedStatus(status).reason)
  );
}

/** A reply of which only the status and `Retry-After` were read. */
export function failedReply({
  status,
  retryAfter,
}: Pick<Extract<EndpointReply, { kind: 'replied' }>, 'status' | 'retryAfter'>): FailedDelivery {
  return { ...failedStatus(status), ...(retryAfter !== null && { retryAfter }) };
}

/** A call without a reply. */
export function withoutReply(reply: NoReply): Undelivered {
  switch (reply.kind) {
    case 'timed_out':
    case 'too_large':
      return { kind: reply.kind };
    case 'url_refused':
    case 'redirected':
    case 'unreachable':
    case 'relay_busy':
      return failed(reply.kind);
  }
}

/** What asking an endpoint came to. Only `delivered` would be charged for. */
export type Verdict = Exclude<SellerDelivery['kind'], 'failed'> | DeliveryFailure;

export function verdictOf(delivery: SellerDelivery): Verdict {
  return delivery.kind === 'failed' ? delivery.reason : delivery.kind;
}
