import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

// Readers for queries that have passed the input schema: they only supply defaults and satisfy the compiler.

export function textIn(query: JsonObject, name: string, fallback: string): string {
  const value = query[name];
  return typeof value === 'string' ? value : fallback;
}

export function numberIn(query: JsonObject, name: string, fallback: number): number {
  const value = query[name];
  return typeof value === 'number' ? value : fallback;
}

export function flagIn(query: JsonObject, name: string): boolean {
  return query[name] === true;
}

/** Rounded to so many decimals, so that floating-point noise stays out of deliverables. */
export function rounded(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
