import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';

interface Sampling {
  readonly items: number;
  readonly members: number;
  readonly characters: number;
  readonly depth: number;
}

/** From the fullest to the barest. */
const SAMPLINGS: readonly Sampling[] = [
  { items: 3, members: 40, characters: 200, depth: 6 },
  { items: 2, members: 20, characters: 100, depth: 5 },
  { items: 1, members: 12, characters: 60, depth: 4 },
  { items: 1, members: 8, characters: 40, depth: 2 },
];
const MAX_BYTES = 3000;

/** A part of an answer that shows what it is like: it is public, and what is sold is the whole. */
export function sampleOf(data: JsonObject): JsonObject {
  for (const sampling of SAMPLINGS) {
    const sample = shorten(data, sampling, 0) as JsonObject;
    if (new TextEncoder().encode(JSON.stringify(sample)).length <= MAX_BYTES) return sample;
  }
  return {
    members: Object.keys(data)
      .slice(0, 20)
      .map((name) => name.slice(0, 60)),
  };
}

function shorten(value: Json, sampling: Sampling, depth: number): Json {
  const { items, members, characters, depth: maxDepth } = sampling;
  if (typeof value === 'string') {
    const all = [...value];
    return all.length <= characters ? value : `${all.slice(0, characters - 1).join('')}…`;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return isJsonObject(value) ? {} : [];
  if (!isJsonObject(value)) return value.slice(0, items).map((one) => shorten(one, sampling, depth + 1));
  const entries = Object.entries(value).slice(0, members);
  return Object.fromEntries(entries.map(([name, one]) => [name, shorten(one, sampling, depth + 1)]));
}
