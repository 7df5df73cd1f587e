import { toHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';

export interface SignedTerms {
  berthKey: string;
  intentClass: string;
  requestId: string;
  side: string;
  ts: number;
  vertical?: string;
}

/** An agent at the door, with a key of its own, as the specification describes it and nothing else. */
export interface TestBerth {
  readonly berthKey: string;
  /** The hex signature over a text. */
  sign(text: string): Promise<string>;
}

export async function newBerth(): Promise<TestBerth> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const raw = (await crypto.subtle.exportKey('raw', pair.publicKey)) as ArrayBuffer;
  return {
    berthKey: toHex(new Uint8Array(raw)),
    async sign(text) {
      const signature = await crypto.subtle.sign('Ed25519', pair.privateKey, utf8(text));
      return toHex(new Uint8Array(signature));
    },
  };
}

/** Key-sorted JSON without whitespace, written by hand: another hand than the server's. */
function signedTextOf({ berthKey, intentClass, requestId, side, ts, vertical }: SignedTerms): string {
  const text = `{"berthKey":"${berthKey}","intentClass":"${intentClass}","requestId":"${requestId}","side":"${side}","ts":${ts}`;
  return vertical === undefined ? `${text}}` : `${text},"vertical":"${vertical}"}`;
}

/** A body for POST /ingress/admit that the berth signed. */
export async function signedBody(berth: TestBerth, terms: Omit<SignedTerms, 'berthKey'>) {
  const signed = { berthKey: berth.berthKey, ...terms };
  return { ...signed, sig: await berth.sign(signedTextOf(signed)) };
}
