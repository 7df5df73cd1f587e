import type { Ports } from '../kernel/ports/ports.ts';
import { carrySubjects } from './carry-subjects.store.ts';

/** In one run: the rest follows a minute later. */
const AT_ONCE = 500;

/** Adds what is over to the sums that a reconciliation begins with, so that it reads only what is open. */
export function carryForward({ market }: Pick<Ports, 'market'>): Promise<void> {
  return carrySubjects(market, AT_ONCE);
}
