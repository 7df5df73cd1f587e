import { fromBase64Url, toBase64Url } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Passkey, PasskeyChallenge, Passkeys } from '../../kernel/crypto/passkeys.ts';

/** WebAuthn by SimpleWebAuthn. It throws where an answer is malformed or about something else: both prove nothing. */
export const webAuthnPasskeys: Passkeys = {
  async verifyEnrolment(response, expected): Promise<Passkey | null> {
    try {
      const { verified, registrationInfo } = await verifyRegistrationResponse({
        response: { ...response, clientExtensionResults: {} } as unknown as RegistrationResponseJSON,
        ...expectations(expected),
      });
      if (!verified || !registrationInfo) return null;
      const { id, publicKey, counter } = registrationInfo.credential;
      return { id, publicKey: toBase64Url(publicKey), counter };
    } catch {
      return null;
    }
  },
  async verifyAssertion(response: JsonObject, { id, publicKey, counter }, expected) {
    const bytes = fromBase64Url(publicKey);
    if (bytes === null) return null;
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: { ...response, clientExtensionResults: {} } as unknown as AuthenticationResponseJSON,
        credential: { id, publicKey: bytes as Uint8Array<ArrayBuffer>, counter },
        ...expectations(expected),
      });
      return verified ? authenticationInfo.newCounter : null;
    } catch {
      return null;
    }
  },
};

/** The person itself, by finger, face or code: a key that lies on the table approves nothing. */
function expectations({ challenge, origin }: PasskeyChallenge) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
  };
}
