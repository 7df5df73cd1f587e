/** A round trip to the market's database, with so many statements. */
export interface RoundTrip {
  /** `near`: in a session, of the nearest replica; `commit`: in one on the primary, whose bookmark is kept. */
  readonly kind: 'near' | 'read' | 'commit';
  readonly statements: number;
}

/** What a row of the bench asks of the database, as `database-use.test.ts` counts it. */
export interface DatabaseUse {
  readonly beforeDelivery: readonly RoundTrip[];
  readonly afterDelivery: readonly RoundTrip[];
  /** Behind the answer. */
  readonly inBackground: readonly RoundTrip[];
}

const near = (statements: number): RoundTrip => ({ kind: 'near', statements });
const read = (statements: number): RoundTrip => ({ kind: 'read', statements });
const commit = (statements: number): RoundTrip => ({ kind: 'commit', statements });

export const DATABASE_USE = {
  detail: { beforeDelivery: [near(3)], afterDelivery: [], inBackground: [] },
  purchase: { beforeDelivery: [read(3), commit(5)], afterDelivery: [], inBackground: [] },
  wallet: { beforeDelivery: [read(3), commit(5)], afterDelivery: [commit(13)], inBackground: [read(2)] },
} as const satisfies Readonly<Record<string, DatabaseUse>>;

export type CountedRow = keyof typeof DATABASE_USE;
