import type { Random } from './random.ts';

/** Chance, and what it brought. */
export class Tally {
  readonly counts: Record<string, number> = {};
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1;
  }
}
