import type { DroppedPart } from './schemas/listing-schema.rules.ts';

const REASONS: Readonly<Record<string, string>> = {
  pattern: 'the marketplace runs no regular expressions of others',
  patternProperties: 'the marketplace runs no regular expressions of others',
  recursion: 'a schema may not hold itself: from there on anything is taken',
  depth: 'the schema would be larger than 16 KB or 1000 parts: from there on only the type is said',
  $ref: 'it leads to nothing in the document',
  if: 'its condition says something that the marketplace does not evaluate',
};
/** How many places are named of each. */
const NAMED = 4;

/** What was left out of a schema, a line for each keyword with the places where it stood. */
export function describeDropped(
  schema: 'inputSchema' | 'outputSchema',
  dropped: readonly DroppedPart[],
): string[] {
  const places = new Map<string, Set<string>>();
  for (const { what, place } of dropped)
    places.set(what, (places.get(what) ?? new Set()).add(place === '' ? 'the top' : place));
  return [...places].map(([what, where]) => {
    const named = [...where].slice(0, NAMED).join(', ');
    const more = where.size > NAMED ? ` and ${where.size - NAMED} more` : '';
    const name = what === 'recursion' || what === 'depth' ? what : `\`${what}\``;
    return `${schema}: ${name} is left out at ${named}${more}: ${REASONS[what] ?? 'the marketplace does not evaluate it'}.`;
  });
}
