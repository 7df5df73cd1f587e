import { SECOND_MS } from '../kernel/time.ts';

/** Clause: GET /ingress/vocabulary. */
export const INTENT_CLASSES = ['COMMERCE', 'RESEARCH', 'FOUNDING', 'SETTLEMENT', 'PILOT', 'GUEST'] as const;
export type IntentClass = (typeof INTENT_CLASSES)[number];

export const RAILS = ['CARD', 'X402', 'RFQ'] as const;

export const SIDES = ['buy', 'sell'] as const;
export type Side = (typeof SIDES)[number];

/** How long a session counts after its admission or its last heartbeat. */
export const FRESHNESS_S = 120;
export const FRESHNESS_MS = FRESHNESS_S * SECOND_MS;

/** How far the `ts` of an admission may lie from now, either way. */
export const TIMESTAMP_WINDOW_S = 300;

export function isIntentClass(value: unknown): value is IntentClass {
  return (INTENT_CLASSES as readonly unknown[]).includes(value);
}

export function otherSide(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy';
}
