import { sha256Hex } from '../crypto/digest.ts';
import { verifyEd25519 } from '../crypto/ed25519.ts';
import { fromBase64, fromBase64Url, fromHex, toBase64, toHex, utf8 } from '../crypto/encoding.ts';
import type { Signer } from '../crypto/signer.ts';
import { concatBytes } from '../json/raw-json.ts';

/** What a key signs with: 1 is Ed25519 over the text, 4 the cosignature of a witness, with its time. */
export type NoteKeyType = 1 | 4;

/** A key whose signatures of notes are believed (c2sp.org/signed-note: verifier key). */
export interface NoteKey {
  readonly name: string;
  /** Eight lower-case hexadecimal digits. */
  readonly id: string;
  readonly type: NoteKeyType;
  /** The raw 32-byte Ed25519 public key. */
  readonly publicKey: Uint8Array;
}

export interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  readonly signature: Uint8Array;
}

/** A signed note: a text that ends with a newline, and signatures under it. */
export interface Note {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Whoever signs notes under a name. */
export interface NoteSigner {
  readonly key: NoteKey;
  /** Ed25519, 64 bytes. */
  sign(message: Uint8Array): Promise<Uint8Array>;
}

const MAX_NOTE = 1_000_000;
const MAX_SIGNATURES = 100;
// Unicode spaces and plus would make a name ambiguous in a line and in a verifier key.
const NAME = /^[^\s+\p{Cc}]+$/u;
const SIGNATURE_LINE = /^\u2014 (\S+) (\S+)$/;

async function noteKeyOf(name: string, type: NoteKeyType, publicKey: Uint8Array): Promise<NoteKey> {
  if (!NAME.test(name)) throw new RangeError('the name of a key has no spaces and no plus');
  const hash = await sha256Hex(concatBytes([utf8(`${name}\n`), Uint8Array.of(type), publicKey]));
  return { name, id: hash.slice(0, 8), type, publicKey };
}

/** Signs notes under a name with a key that the marketplace (or a witness) holds. */
export async function noteSignerOf(
  signer: Pick<Signer, 'activeKey' | 'signBytes'>,
  name: string,
  type: NoteKeyType,
): Promise<NoteSigner> {
  const { raw } = await signer.activeKey();
  return {
    key: await noteKeyOf(name, type, raw),
    async sign(message) {
      const signature = fromBase64Url((await signer.signBytes(message)).signature);
      if (signature === null) throw new Error('A signer gave no base64url.');
      return signature;
    },
  };
}

/** `<name>+<id>+<base64 of type and key>`. */
export const formatNoteKey = ({ name, id, type, publicKey }: NoteKey): string =>
  `${name}+${id}+${toBase64(concatBytes([Uint8Array.of(type), publicKey]))}`;

/** Null: malformed, of another kind of key, or its id is not its own. */
export async function parseNoteKey(text: string): Promise<NoteKey | null> {
  const [, name = '', id = '', encoded = ''] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/s.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  const type = bytes?.[0];
  if (!NAME.test(name) || bytes?.length !== 33 || (type !== 1 && type !== 4)) return null;
  const key = await noteKeyOf(name, type, bytes.slice(1));
  return key.id === id ? key : null;
}

/** Null: no signed note. */
export function parseNote(note: string): Note | null {
  const end = note.lastIndexOf('\n\n');
  if (note.length > MAX_NOTE || end < 0 || !note.endsWith('\n')) return null;
  const text = note.slice(0, end + 1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note has no other control characters than newlines
  if (/[\u0000-\u0009\u000b-\u001f]/.test(note)) return null;
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > MAX_SIGNATURES) return null;
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const [, name = '', encoded = ''] = SIGNATURE_LINE.exec(line) ?? [];
    const bytes = fromBase64(encoded);
    if (!NAME.test(name) || bytes === null || bytes.length < 5) return null;
    signatures.push({ name, keyId: toHex(bytes.slice(0, 4)), signature: bytes.slice(4) });
  }
  return { text, signatures };
}

/** One line of a note: `— <name> <base64 of key id and signature>`, with its newline. */
export function formatSignature({ name, keyId, signature }: NoteSignature): string {
  return `\u2014 ${name} ${toBase64(concatBytes([fromHex(keyId) ?? new Uint8Array(), signature]))}\n`;
}

export const formatNote = ({ text, signatures }: Note): string =>
  `${text}\n${signatures.map(formatSignature).join('')}`;

/** Signs a text that ends with a newline, as a log does: with two keys while one takes the other's place. */
export async function signNote(text: string, signers: readonly NoteSigner[]): Promise<Note> {
  const signatures = signers.map(async ({ key, sign }) => ({
    name: key.name,
    keyId: key.id,
    signature: await sign(utf8(text)),
  }));
  return { text, signatures: await Promise.all(signatures) };
}

/** POSIX seconds in eight bytes, the higher first. */
function timeBytes(seconds: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(seconds));
  return bytes;
}

const cosignedMessage = (text: string, seconds: number | bigint) =>
  utf8(`cosignature/v1\ntime ${seconds}\n${text}`);

/** A witness's signature of a checkpoint's text at a time, in POSIX seconds (c2sp.org/tlog-cosignature, Ed25519). */
export async function cosignNote(
  text: string,
  { key, sign }: NoteSigner,
  seconds: number,
): Promise<NoteSignature> {
  const signature = concatBytes([timeBytes(seconds), await sign(cosignedMessage(text, seconds))]);
  return { name: key.name, keyId: key.id, signature };
}

/** What a key said of a note. Seconds: when, for a witness. */
export type NoteVerdict =
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'valid'; readonly seconds: number | null };

/** Whether a signature over a message is that of a raw Ed25519 public key. */
export type VerifySignature = typeof verifyEd25519;

/**
 * A signature of the key that does not verify makes the note malformed: `invalid`.
 *
 * @param verify for platforms without Ed25519 of their own.
 */
export async function verifyNote(
  { text, signatures }: Note,
  key: NoteKey,
  verify: VerifySignature = verifyEd25519,
): Promise<NoteVerdict> {
  let newest: NoteVerdict = { kind: 'none' };
  for (const { name, keyId, signature } of signatures) {
    if (name !== key.name || keyId !== key.id) continue;
    const seconds = key.type === 4 ? readSeconds(signature) : null;
    if (key.type === 4 && seconds === null) return { kind: 'invalid' };
    const [message, bytes] =
      seconds === null ? [utf8(text), signature] : [cosignedMessage(text, seconds), signature.slice(8)];
    if (!(await verify(key.publicKey, message, bytes))) return { kind: 'invalid' };
    if (newest.kind !== 'valid' || (seconds ?? 0) > (newest.seconds ?? 0))
      newest = { kind: 'valid', seconds };
  }
  return newest;
}

/** Null: no time of a cosignature; zero stands for none. */
function readSeconds(signature: Uint8Array): number | null {
  if (signature.length !== 72) return null;
  const seconds = Number(new DataView(signature.buffer, signature.byteOffset).getBigUint64(0));
  return seconds > 0 && Number.isSafeInteger(seconds) ? seconds : null;
}
