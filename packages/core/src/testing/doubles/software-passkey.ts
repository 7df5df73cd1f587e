import { toBase64Url, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

interface Ceremony {
  readonly challenge: string;
  readonly origin: string;
  /** The host that it signs for; by default that of the origin. */
  readonly relyingParty?: string;
}

/** An authenticator in memory that makes ES256 passkeys, as a phone does after it verified its owner. */
export async function createSoftwarePasskey({ verifiesUser = true } = {}) {
  const keys = (await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])) as CryptoKeyPair;
  const rawId = crypto.getRandomValues(new Uint8Array(32));
  const id = toBase64Url(rawId);
  let counter = 0;

  const clientData = (type: string, { challenge, origin }: Ceremony) =>
    utf8(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  async function authenticatorData(
    { origin, relyingParty = new URL(origin).hostname }: Ceremony,
    credential: Uint8Array | null,
  ) {
    const host = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(relyingParty)));
    const flags = USER_PRESENT | (verifiesUser ? USER_VERIFIED : 0) | (credential ? HAS_CREDENTIAL : 0);
    counter += 1;
    return concat(host, [flags], uint32(counter), credential ?? []);
  }

  return {
    id,

    /** What navigator.credentials.create() gives, as JSON. */
    async enrol(ceremony: Ceremony) {
      const { x = '', y = '' } = (await crypto.subtle.exportKey('jwk', keys.publicKey)) as JsonWebKey;
      const coordinate = (text: string) => concat([0x58, 32], bytesOf(text));
      // COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
      const cose = concat([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21], coordinate(x), [0x22], coordinate(y));
      const credential = concat(new Uint8Array(16), [0, rawId.length], rawId, cose);
      const data = await authenticatorData(ceremony, credential);
      const text = (value: string) => concat([0x60 + value.length], utf8(value));
      const attestation = concat(
        [0xa3],
        text('fmt'),
        text('none'),
        text('attStmt'),
        [0xa0],
        text('authData'),
        [0x58, data.length],
        data,
      );
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          attestationObject: toBase64Url(attestation),
          clientDataJSON: toBase64Url(clientData('webauthn.create', ceremony)),
        },
      };
    },

    /** What navigator.credentials.get() gives, as JSON. */
    async assert(ceremony: Ceremony) {
      const client = clientData('webauthn.get', ceremony);
      const data = await authenticatorData(ceremony, null);
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', client));
      const signed = await crypto.subtle.sign(
        { name: 'ECDSA', hash: 'SHA-256' },
        keys.privateKey,
        concat(data, hash) as Uint8Array<ArrayBuffer>,
      );
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          authenticatorData: toBase64Url(data),
          clientDataJSON: toBase64Url(client),
          signature: toBase64Url(asDer(new Uint8Array(signed))),
        },
      };
    },
  };
}

function concat(...parts: readonly ArrayLike<number>[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...Array.from(part)]));
}

const uint32 = (value: number): number[] => [
  value >>> 24,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
];

const bytesOf = (base64Url: string): Uint8Array =>
  Uint8Array.from(atob(base64Url.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));

/** WebCrypto gives r and s side by side, authenticators as ASN.1. */
function asDer(signature: Uint8Array): Uint8Array {
  const integer = (bytes: Uint8Array) => {
    const start = bytes.findIndex((byte) => byte !== 0);
    const short = bytes.slice(start);
    const positive = (short[0] ?? 0) > 127 ? concat([0], short) : short;
    return concat([2, positive.length], positive);
  };
  const body = concat(integer(signature.slice(0, 32)), integer(signature.slice(32)));
  return concat([0x30, body.length], body);
}
