import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { signedText } from '@agent-marketplace/core/ingress/admission.rules.ts';

const BERTHS = 100;
const SESSIONS = 200;

const berths = Array.from({ length: BERTHS }, () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { berthKey: Buffer.from(x, 'base64url').toString('hex'), privateKey };
});

/** Bodies of admissions, each under a requestId of its own, and dated now: they are taken for 300 s. */
export function signedAdmissions(count: number): string[] {
  const ts = Math.floor(Date.now() / 1000);
  return Array.from({ length: count }, (_, n) => {
    const { berthKey, privateKey } = berths[n % BERTHS] as (typeof berths)[number];
    const request = { berthKey, intentClass: 'COMMERCE', requestId: randomUUID(), side: 'buy', ts };
    const sig = sign(null, Buffer.from(signedText(request)), privateKey).toString('hex');
    return JSON.stringify({ ...request, sig });
  });
}

/** Bodies of heartbeats of sessions that were just admitted. */
export function liveSessions(origin: string): Promise<string[]> {
  return Promise.all(
    signedAdmissions(SESSIONS).map(async (body) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${origin}/api/ingress/admit`, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(`No session: ${await response.text()}`);
      const { sessionId } = (await response.json()) as { sessionId: string };
      return JSON.stringify({ sessionId });
    }),
  );
}
