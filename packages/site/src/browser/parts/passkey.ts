import type { Operations } from '@agent-marketplace/sdk';

type PasskeyAnswer = NonNullable<Operations['decideApproval']['input']['passkey']>;
type MadePasskey = Operations['enrolPasskey']['input']['passkey'];

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));

const toBase64Url = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const descriptors = (ids: readonly string[]): PublicKeyCredentialDescriptor[] =>
  ids.map((id) => ({ type: 'public-key', id: fromBase64Url(id) }));

/** Has the person confirm with a passkey. Throws where it does not. */
export async function askPasskey(challenge: string, ids: readonly string[]): Promise<PasskeyAnswer> {
  const credential = await navigator.credentials.get({
    publicKey: {
      challenge: fromBase64Url(challenge),
      allowCredentials: descriptors(ids),
      userVerification: 'required',
    },
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error('Your device gave no passkey.');
  const { authenticatorData, clientDataJSON, signature, userHandle } =
    credential.response as AuthenticatorAssertionResponse;
  return {
    ...identity(credential),
    response: {
      authenticatorData: toBase64Url(authenticatorData),
      clientDataJSON: toBase64Url(clientDataJSON),
      signature: toBase64Url(signature),
      ...(userHandle === null ? {} : { userHandle: toBase64Url(userHandle) }),
    },
  };
}

interface NewPasskey {
  readonly challenge: string;
  readonly passkeyIds: readonly string[];
  readonly relyingParty: string;
  readonly userId: string;
}

/** Has the person's device make a passkey. */
export async function makePasskey(terms: NewPasskey, label: string): Promise<MadePasskey> {
  const credential = await navigator.credentials.create({
    publicKey: {
      challenge: fromBase64Url(terms.challenge),
      rp: { id: terms.relyingParty, name: terms.relyingParty },
      user: { id: new TextEncoder().encode(terms.userId), name: label, displayName: label },
      pubKeyCredParams: [
        { type: 'public-key', alg: -8 },
        { type: 'public-key', alg: -7 },
        { type: 'public-key', alg: -257 },
      ],
      excludeCredentials: descriptors(terms.passkeyIds),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      attestation: 'none',
    },
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error('Your device made no passkey.');
  const { attestationObject, clientDataJSON } = credential.response as AuthenticatorAttestationResponse;
  return {
    ...identity(credential),
    response: {
      attestationObject: toBase64Url(attestationObject),
      clientDataJSON: toBase64Url(clientDataJSON),
    },
  };
}

function identity({ id, rawId }: PublicKeyCredential) {
  return { id, rawId: toBase64Url(rawId), type: 'public-key' as const };
}
