import {
  DAY_MS,
  type EpochMs,
  epochOf,
  HOUR_MS,
  type IsoTime,
  isoTime,
  MINUTE_MS,
  SECOND_MS,
} from '../../kernel/time.ts';
import type { ChallengeOutcome, ChallengeRefusal } from '../challenge-endpoint.ts';

/** An endpoint is never probed twice within this time. */
const INTERVAL_MS = HOUR_MS;
/** An endpoint that answered is probed after so long without a buyer whom it answered. */
export const IDLE_MS = 7 * DAY_MS;
const UNREACHABLE_AFTER_MS = DAY_MS;
/** One failed sale before an outage of the marketplace, and one probe after it, do not take a seller's listings away. */
const UNREACHABLE_PROBES = 3;
/** An endpoint that has been unreachable for so long is probed once a day. */
const LONG_GONE_MS = 7 * DAY_MS;
/** Longer, and nobody would know whether it sells. */
const MAX_RETRY_AFTER_MS = DAY_MS;
const PROBES_PER_RUN = 20;
/** Of one run, which is a minute. */
const PROBES_PER_HOST = 2;

/** What is known of whether an endpoint answers. */
export interface Silence {
  /** Of the first failure since it last answered; null: none. */
  readonly silentSince: IsoTime | null;
  /** Since then. */
  readonly failedProbes: number;
  readonly unreachableSince: IsoTime | null;
}

/** An endpoint whose time to be probed has come. */
export interface DueEndpoint extends Silence {
  readonly sellerId: string;
  /** Null where nothing is called: a seller who polls. */
  readonly callbackHost: string | null;
  /** Null is never due. */
  readonly probeAt: IsoTime | null;
  readonly hasListings: boolean;
  /** Whether it answered a buyer in the last `IDLE_MS`. */
  readonly hasAnswered: boolean;
}

/** A new time for an endpoint whose row still has the one that was read. */
export interface Postponement {
  readonly sellerId: string;
  readonly from: IsoTime | null;
  readonly to: IsoTime;
}

export const afterAnswer = (at: IsoTime): IsoTime => isoTime(epochOf(at) + IDLE_MS);
export const afterSilence = (at: IsoTime): IsoTime => isoTime(epochOf(at) + INTERVAL_MS);

/**
 * Which endpoints to probe in this run, and when each of those that were read is due next. Who sells nothing, and who
 * answered buyers, need no probe. Of one host few are probed in a run; its others wait their turn, so that they do not
 * keep the endpoints of other hosts waiting.
 */
export function planProbes<Endpoint extends DueEndpoint>(
  due: readonly Endpoint[],
  now: EpochMs,
): { readonly probes: readonly Endpoint[]; readonly postponed: readonly Postponement[] } {
  const probes: Endpoint[] = [];
  const postponed: Postponement[] = [];
  const ofHost = new Map<string, number>();
  for (const endpoint of due) {
    const { sellerId, callbackHost, probeAt: from, silentSince } = endpoint;
    const postpone = (ms: number) => postponed.push({ sellerId, from, to: isoTime(now + ms) });
    if (!endpoint.hasListings) {
      postpone(silentSince === null ? IDLE_MS : DAY_MS);
      continue;
    }
    if (silentSince === null && endpoint.hasAnswered) {
      postpone(IDLE_MS);
      continue;
    }
    const host = callbackHost ?? sellerId;
    const before = ofHost.get(host) ?? 0;
    ofHost.set(host, before + 1);
    if (before >= PROBES_PER_HOST) postpone(Math.floor(before / PROBES_PER_HOST) * MINUTE_MS);
    else if (probes.length < PROBES_PER_RUN) {
      probes.push(endpoint);
      // What holds if this run dies before it knows more.
      postpone(silentSince === null ? IDLE_MS : INTERVAL_MS);
    }
  }
  return { probes, postponed };
}

/** What a probe says of the endpoint; `unknown`: the marketplace itself could not ask. */
export type ProbeResult = { readonly kind: 'answered' } | { readonly kind: 'unknown' } | Failure;

type Failure =
  /** It said so with HTTP 410. */
  { readonly kind: 'gone' } | { readonly kind: 'silent'; readonly retryAfterMs: number };

/** Not failures of the endpoint: strangers can cause some of them. */
const OWN_FAILURES: readonly ChallengeRefusal[] = ['relay_busy', 'mailbox_busy', 'mailbox_unavailable'];

export function probeResult(outcome: ChallengeOutcome, now: EpochMs): ProbeResult {
  if (outcome.verified) return { kind: 'answered' };
  if (OWN_FAILURES.includes(outcome.reason)) return { kind: 'unknown' };
  if (outcome.reason === 'gone') return { kind: 'gone' };
  return { kind: 'silent', retryAfterMs: retryAfterMs(outcome.retryAfter ?? '', now) };
}

/** The endpoint after a probe that it did not answer. `probeAt` null: it said that it is gone, and is asked no more. */
export function silenceAfter(
  before: Silence,
  result: Failure,
  now: EpochMs,
): Silence & { readonly probeAt: IsoTime | null } {
  const at = isoTime(now);
  const silentSince = before.silentSince ?? at;
  const failedProbes = before.failedProbes + 1;
  const isGone = result.kind === 'gone';
  const askedMs = result.kind === 'gone' ? 0 : result.retryAfterMs;
  const isSilentLong =
    now - epochOf(silentSince) >= UNREACHABLE_AFTER_MS && failedProbes >= UNREACHABLE_PROBES;
  const unreachableSince = before.unreachableSince ?? (isGone || isSilentLong ? at : null);
  const isLongGone = unreachableSince !== null && now - epochOf(unreachableSince) >= LONG_GONE_MS;
  const waitMs = isLongGone ? DAY_MS : INTERVAL_MS;
  const probeAt = isGone ? null : isoTime(now + Math.max(waitMs, askedMs));
  return { silentSince, failedProbes, unreachableSince, probeAt };
}

/** Dates that HTTP allows senders; `Date.parse` reads far more, a bare minus sign and digits among them. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** How long `Retry-After` asks to wait, a day at most; 0: it does not say. */
export function retryAfterMs(value: string, now: EpochMs): number {
  const isSeconds = /^\d+$/.test(value);
  if (!isSeconds && !HTTP_DATE.test(value)) return 0;
  const ms = isSeconds ? Number(value) * SECOND_MS : epochOf(value) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}
