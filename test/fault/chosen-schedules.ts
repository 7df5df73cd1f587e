import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** By vitest.config.ts: FULL=1, where every schedule is tried. Otherwise each call breaks, in some of its ways. */
    everySchedule: boolean;
  }
}

/**
 * One of these ways for each place that something may break at, turn by turn; every one of them with FULL=1. Where the
 * turns begin differs with the name: what one rail leaves out, another has.
 */
export function waysAt<Way>(name: string, place: number, ways: readonly Way[]): readonly Way[] {
  if (inject('everySchedule') || ways.length === 0) return ways;
  const turn = (numberOf(name) + place) % ways.length;
  return ways.slice(turn, turn + 1);
}

/** Always the same for the same name, and another for a name that differs by a letter (FNV-1a). */
function numberOf(name: string): number {
  let hash = 2_166_136_261;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return hash;
}
