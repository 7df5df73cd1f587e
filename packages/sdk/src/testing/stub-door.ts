import { sealReceipt } from '@agent-marketplace/core/ingress/receipts.ts';
import { CANONICAL_SCHEDULE } from '@agent-marketplace/core/ingress/schedule.rules.ts';
import { sha256Digest } from '@agent-marketplace/core/kernel/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/core/kernel/json/json.ts';
import { createSigningParty, NOW, signingKeyDocument } from './signing-party.ts';

export interface DoorRequest {
  readonly path: string;
  readonly body: JsonObject;
}

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
