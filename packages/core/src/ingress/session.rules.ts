import { type EpochMs, MINUTE_MS } from '../kernel/time.ts';
import { FRESHNESS_MS, type IntentClass, isIntentClass, type Side } from './vocabulary.rules.ts';

/** An admitted agent's presence, within the object of its class. */
export interface Session {
  /** Unguessable: whoever knows it may keep the session alive. */
  readonly token: string;
  readonly berthKey: string;
  readonly side: Side;
  readonly vertical: string | null;
  readonly expiresAt: EpochMs;
}

/** A session is live for 120 s after its last heartbeat: at 119.999 s, and not at 120.000 s. */
export function isLive(session: Pick<Session, 'expiresAt'>, now: EpochMs): boolean {
  return now < session.expiresAt;
}

export function expiryAfter(now: EpochMs): EpochMs {
  return now + FRESHNESS_MS;
}

/** Ended sessions stay as long as the answers to their requestId, so that a replay is not taken for a new request. */
export const ENDED_KEPT_MS = 10 * MINUTE_MS;

/** Which object holds a session. */
export interface SessionPlace {
  readonly intentClass: IntentClass;
  readonly shard: number;
}

const SESSION_ID = /^([A-Z]+)-(\d{1,2})-([0-9a-f-]{36})$/;

/** Contains where the session is stored, so that a heartbeat calls one object and needs no directory. */
export function sessionIdOf({ intentClass, shard }: SessionPlace, token: string): string {
  return `${intentClass}-${shard}-${token}`;
}

/** Null if it is not a session id of this door. */
export function parseSessionId(sessionId: string): (SessionPlace & { token: string }) | null {
  const [, intentClass, shard, token] = SESSION_ID.exec(sessionId) ?? [];
  if (!isIntentClass(intentClass) || token === undefined) return null;
  return { intentClass, shard: Number(shard), token };
}

/** FNV-1a with a final mix: spreads keys over shards. It does not withstand chosen keys, and need not. */
export function shardOf(key: string, shards: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) % shards;
}
