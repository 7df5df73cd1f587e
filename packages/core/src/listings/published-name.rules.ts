import type { Json } from '@agent-marketplace/protocol/json/json.ts';

/**
 * Whether a published value reveals the seller's name, in its values alone or together with the names of its members.
 * Case, accents, spacing and invisible characters make no difference. The whole name must occur: a part of one is
 * often an ordinary word.
 */
export function holdsName(value: Json, legalName: string): boolean {
  const name = ` ${wordsOf(legalName)} `;
  return [valuesOf(value), namesAndValuesOf(value)].some((texts) =>
    ` ${wordsOf(texts.join(' '))} `.includes(name),
  );
}

function valuesOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesOf) : [];
}

function namesAndValuesOf(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return valuesOf(value);
  if (Array.isArray(value)) return value.flatMap(namesAndValuesOf);
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesAndValuesOf(member)]);
}

function wordsOf(text: string): string {
  const folded = text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase();
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
}
