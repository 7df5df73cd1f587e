import { FRESHNESS_S } from './vocabulary.rules.ts';

export type Classification = 'FOUNDING' | 'SPARSE' | 'STANDARD';

/** Live counterparties, both ends included; null: no upper end. */
interface Band {
  readonly classification: Classification;
  readonly max: number | null;
  readonly min: number;
}

/** Clause: Ingress classification by live depth. In ascending order and without gaps. */
export const BANDS: readonly Band[] = [
  { classification: 'FOUNDING', max: 0, min: 0 },
  { classification: 'SPARSE', max: 4, min: 1 },
  { classification: 'STANDARD', max: null, min: 5 },
];

/** The rules of classification. They contain no amounts of money. */
export const SCHEDULE = {
  bands: BANDS,
  basis: 'live_counterparties',
  freshness_max_age_s: FRESHNESS_S,
  schedule_version: 1,
} as const;

/** The RFC 8785 form of the schedule: the members above are in order already. Its SHA-256 is bound by receipts. */
export const CANONICAL_SCHEDULE = JSON.stringify(SCHEDULE);

export function classify(liveCounterparties: number): Classification {
  const band = BANDS.find(({ max }) => max === null || liveCounterparties <= max);
  return band?.classification ?? 'STANDARD';
}
