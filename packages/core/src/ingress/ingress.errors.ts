import { defineErrors } from '../kernel/errors.ts';

/** The codes of REFUSE receipts (clause: Errors); unlike other codes they are written in capitals. */
export const refusalErrors = defineErrors({
  MALFORMED: {
    kind: 'forbidden',
    title: 'The body is not what admission takes.',
    remedy:
      'Send one JSON object with berthKey, intentClass, side, requestId, ts and sig; `reasons` has what is wrong.',
  },
  MISSING_CLASS: {
    kind: 'forbidden',
    title: 'No intent class of the vocabulary was declared.',
    remedy: 'Declare one of GET /ingress/vocabulary; there is no default.',
  },
  INVALID_CLASS: {
    kind: 'forbidden',
    title: 'The intent class is not a text, or differs from the one in the header.',
    remedy: 'Declare one class, as intentClass or as X-MKT-Class.',
  },
  STALE_TS: {
    kind: 'forbidden',
    title: 'The timestamp is more than 300 seconds away from now.',
    remedy: 'Sign again with the current time, in seconds since 1970.',
  },
  BAD_SIGNATURE: {
    kind: 'forbidden',
    title: 'The signature is not that of the berth key over these terms.',
    remedy:
      'Sign the key-sorted JSON without whitespace of {berthKey, intentClass, requestId, side, ts}, with vertical if it is sent.',
  },
  IDENTIFIER_CONFLICT: {
    kind: 'conflict',
    title: 'This requestId was used with other terms.',
    remedy: 'Use a fresh requestId for each admission.',
  },
  CAPACITY_EXHAUSTED: {
    kind: 'rate_limited',
    title: 'The intent class has no room for another session, or requests came too fast.',
    remedy:
      'Wait for the seconds in `Retry-After`; `detail` says which of the two it is. Classes have budgets of their own.',
    retryable: true,
  },
  COMPONENT_UNAVAILABLE: {
    kind: 'unavailable',
    title: 'A part of the door is down.',
    remedy: 'Send the same request again, with the same requestId.',
    retryable: true,
  },
});

export type RefusalCode = keyof typeof refusalErrors;

export const ingressErrors = defineErrors({
  ingress_session_not_found: {
    kind: 'not_found',
    title: 'The session has expired, or there never was one.',
    remedy: 'Ask for admission again with POST /ingress/admit and a fresh requestId.',
  },
});
