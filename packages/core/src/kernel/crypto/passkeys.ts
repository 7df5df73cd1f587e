import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** A credential as it is kept. */
export interface Passkey {
  /** base64url, as the browser says it. */
  readonly id: string;
  /** COSE, as base64url. */
  readonly publicKey: string;
  readonly counter: number;
}

/** What the browser must have been asked, and by which page. */
export interface PasskeyChallenge {
  /** base64url. */
  readonly challenge: string;
  /** The origin of the site, whose host is the relying party. */
  readonly origin: string;
}

/** WebAuthn's ceremonies, checked. Null: the answer proves nothing. */
export interface Passkeys {
  verifyEnrolment(response: JsonObject, expected: PasskeyChallenge): Promise<Passkey | null>;
  /** The counter after it. */
  verifyAssertion(response: JsonObject, passkey: Passkey, expected: PasskeyChallenge): Promise<number | null>;
}
