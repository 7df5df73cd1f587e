import type { Json } from '@agent-marketplace/protocol/json/json.ts';

/** The kind of secret that was found. The text itself is never repeated. */
export type SensitiveKind =
  | 'private_key'
  | 'cloud_credential'
  | 'api_credential'
  | 'json_web_token'
  | 'payment_card_number'
  | 'social_security_number';

const SECRET_PATTERNS: readonly (readonly [SensitiveKind, RegExp])[] = [
  ['private_key', /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/],
  ['private_key', /\bAGE-SECRET-KEY-1[0-9A-Z]{58}\b/],
  ['cloud_credential', /\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/],
  ['cloud_credential', /\baws_?secret_?access_?key\W{1,6}[A-Za-z0-9/+]{40}\b/i],
  ['cloud_credential', /\bAIza[0-9A-Za-z_-]{35}\b/],
  ['cloud_credential', /\bAccountKey=[A-Za-z0-9+/]{86}==/],
  ['api_credential', /\bgh[pousr]_[0-9A-Za-z]{36,}\b/],
  ['api_credential', /\bgithub_pat_[0-9A-Za-z_]{40,}\b/],
  ['api_credential', /\bglpat-[0-9A-Za-z_-]{20,}\b/],
  ['api_credential', /\bxox[abeoprs]-[0-9A-Za-z-]{10,}\b/],
  ['api_credential', /\b[rs]k_live_[0-9A-Za-z]{16,}\b/],
  ['api_credential', /\bsk-(?:ant-|proj-)?[0-9A-Za-z_-]{32,}/],
  ['api_credential', /\bnpm_[0-9A-Za-z]{36}\b/],
  ['api_credential', /\bSG\.[0-9A-Za-z_-]{22}\.[0-9A-Za-z_-]{43}\b/],
  ['api_credential', /\bmkt_(?:live|op)_[0-9A-Za-z]{20,}\b/],
  ['json_web_token', /\beyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}/],
];

/** Three, two and four digits, except for numbers that are never issued. */
const SOCIAL_SECURITY_NUMBER = /(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/;
const CARD_CANDIDATE = /(?<!\d|\d\.)\d(?:[ -]?\d){12,18}(?!\d|\.\d)/g;
/** Prefixes of card issuers. Without them, every tenth long number would count as a card. */
const CARD_PREFIX = /^(?:4|5[1-5]|2[2-7]|3[47]|6(?:011|4[4-9]|5)|35|30[0-5]|3[68])/;
const CARD_LENGTHS = new Set([13, 14, 15, 16, 19]);

/** The kind of the first secret in a text, or null (invariant: such a text is never stored). */
export function findSensitive(text: string): SensitiveKind | null {
  return findPlain(text) ?? (text.includes('%') ? findPlain(withoutEscapes(text)) : null);
}

/** The text with %-escapes decoded; unchanged where the escapes are not valid. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function findPlain(text: string): SensitiveKind | null {
  for (const [kind, pattern] of SECRET_PATTERNS) if (pattern.test(text)) return kind;
  if (SOCIAL_SECURITY_NUMBER.test(text)) return 'social_security_number';
  for (const [candidate] of text.matchAll(CARD_CANDIDATE)) {
    if (isCardNumber(candidate.replaceAll(/[ -]/g, ''))) return 'payment_card_number';
  }
  return null;
}

/** Searches every string and key of a JSON value, and every number as text. */
export function findSensitiveInJson(value: Json): SensitiveKind | null {
  if (typeof value === 'string') return findSensitive(value);
  if (typeof value === 'number') return findSensitive(String(value));
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const found = findSensitive(key) ?? findSensitiveInJson(member as Json);
    if (found) return found;
  }
  return null;
}

function isCardNumber(digits: string): boolean {
  return (
    CARD_LENGTHS.has(digits.length) &&
    CARD_PREFIX.test(digits) &&
    !/^(\d)\1+$/.test(digits) &&
    passesLuhn(digits)
  );
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = digit * 2;
    sum += place % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
