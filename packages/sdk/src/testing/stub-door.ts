import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { sealReceipt } from '@agent-marketplace/protocol/ingress/seal-receipt.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  createSigningParty,
  NOW,
  signingKeyDocument,
} from '@agent-marketplace/protocol/testing/signing-party.ts';

export interface DoorRequest {
  readonly path: string;
  readonly body: JsonObject;
}

/** As a door publishes it: the RFC 8785 form of its schedule. */
const CANONICAL_SCHEDULE = JSON.stringify({
  bands: [
    { classification: 'FOUNDING', max: 0, min: 0 },
    { classification: 'SPARSE', max: 4, min: 1 },
    { classification: 'STANDARD', max: null, min: 5 },
  ],
  basis: 'live_counterparties',
  freshness_max_age_s: 120,
  schedule_version: 1,
});

type Reply = { readonly status: number; readonly body: JsonObject } | 'network_error';

/** A door in the test's own process: answers as it is told, and signs as the server does. */
export async function createStubDoor() {
  const party = await createSigningParty();
  const schedule = { canonical: CANONICAL_SCHEDULE, digest: await sha256Digest(CANONICAL_SCHEDULE) };
  const keys = signingKeyDocument(party);
  const requests: DoorRequest[] = [];
  /** Taken first, one for each POST. */
  const replies: Reply[] = [];
  let sessions = 0;

  const seal = (type: 'ADMIT' | 'REFUSE', content: JsonObject) =>
    sealReceipt(party.signer, { ...content, type }, NOW) as Promise<JsonObject>;
  const admit = ({ berthKey = null, requestId = null, side = null }: JsonObject, changes: JsonObject = {}) =>
    seal('ADMIT', {
      berthKey,
      depth: { classification: 'SPARSE', live_counterparties: 2 },
      expiresAt: new Date(NOW + 120_000).toISOString(),
      requestId,
      scheduleDigest: schedule.digest,
      sessionId: `session-${++sessions}`,
      side,
      ...changes,
    });

  async function answer(path: string, body: JsonObject): Promise<{ status: number; body: JsonObject }> {
    if (path === '/ingress/keys') return { status: 200, body: keys };
    if (path === '/ingress/schedule') return { status: 200, body: schedule };
    requests.push({ path, body });
    const scripted = replies.shift();
    if (scripted === 'network_error') throw new TypeError('fetch failed');
    if (scripted) return scripted;
    if (path === '/ingress/admit') return { status: 200, body: await admit(body) };
    return { status: 200, body: { ok: true, expiresAt: new Date(NOW + 240_000).toISOString() } };
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const path = new URL(String(input)).pathname.replace('/api', '');
    const body = init?.body ? (JSON.parse(String(init.body)) as JsonObject) : {};
    const { status, body: answered } = await answer(path, body);
    return Response.json(answered, { status });
  };
  return { fetch, keys, schedule, requests, replies, seal, admit };
}
