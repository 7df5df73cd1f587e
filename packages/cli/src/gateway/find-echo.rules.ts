import { toBase64, toHex } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import type { Credential } from './gateway-config.ts';
import { type Secrets, SHORTEST_SECRET, secretParts } from './upstream-request.rules.ts';

/** More than an API would wrap a text in: JSON in a parameter of a URL in JSON takes three. */
const MAX_LAYERS = 6;

/**
 * Whether a value holds a credential in a usual spelling: as it is, percent-encoded, as a form, with escapes of JSON or
 * HTML (each in several layers), in base64 or base64url with whatever stands around it, in hex, backwards; in letters of
 * either case. docs/gateway.md says what it does not find.
 */
export function repeatsCredential(
  value: unknown,
  credentials: readonly Credential[],
  secrets: Secrets,
): boolean {
  const known = credentials.flatMap((one) => spellingsOf(one, secrets));
  if (known.length === 0) return false;
  const spellings = [...new Set(known.flatMap(layersOf))];
  return layersOf(JSON.stringify(value as Json)).some((text) => spellings.some((one) => text.includes(one)));
}

function spellingsOf(credential: Credential, secrets: Secrets): readonly string[] {
  return secretParts(credential, secrets).flatMap((part) => {
    // A short login is a word of the language: only a text that is nothing else is taken for it.
    if (part.length < SHORTEST_SECRET) return [',', '}', ']'].map((end) => `${JSON.stringify(part)}${end}`);
    const form = new URLSearchParams([['', part]]).toString().slice(1);
    const sent = [part, encodeURIComponent(part), form].map((text) => new TextEncoder().encode(text));
    const backwards = [...part].toReversed().join('');
    return [part, backwards, ...sent.map(toHex), ...sent.flatMap(inBase64)];
  });
}

/** The characters of base64 that are the same whatever stands before and behind. */
function inBase64(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = toBase64(Uint8Array.from([...new Uint8Array(before), ...bytes]));
    const core = whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** A text as it is, and without each layer of escapes in turn, in small letters. */
function layersOf(text: string): readonly string[] {
  const layers = [text.toLowerCase()];
  for (let inner = layers[0] as string; layers.length <= MAX_LAYERS; layers.push(inner)) {
    const outer = inner;
    inner = unescapeOnce(outer);
    if (inner === outer) break;
  }
  return layers;
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeOnce(text: string): string {
  return text
    .replaceAll(/((?:\\["\\/])+)|\\u([\da-f]{4})|\\x([\da-f]{2})/g, (_, run, four, two) =>
      run === undefined
        ? String.fromCharCode(Number.parseInt(four ?? two, 16))
        : run.replaceAll(/\\(.)/g, '$1'),
    )
    .replaceAll(/&(?:#x([\da-f]{1,4})|#(\d{1,5})|(amp|lt|gt|quot|apos));/g, (_, hex, decimal, name) =>
      name === undefined
        ? String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
        : (NAMED[name] as string),
    )
    .replaceAll(/(?:%[\da-f]{2})+/g, decodePercents)
    .replaceAll('+', ' ')
    .toLowerCase();
}

const UTF8 = new TextDecoder();

/** A single byte, of which an answer may hold millions, costs no decoder. */
function decodePercents(run: string): string {
  const byteAt = (index: number) => Number.parseInt(run.slice(3 * index + 1, 3 * index + 3), 16);
  if (run.length === 3) return String.fromCharCode(byteAt(0));
  return UTF8.decode(Uint8Array.from({ length: run.length / 3 }, (_, index) => byteAt(index)));
}
