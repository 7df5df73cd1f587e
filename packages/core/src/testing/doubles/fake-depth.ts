import type { Depth, DepthQuery, DepthReading } from '../../kernel/ports/ingress.ts';

/** A door that is down until it is told how many are live. */
export class FakeDepth implements Depth {
  live: number | null = null;
  readonly queries: DepthQuery[] = [];

  async read(query: DepthQuery): Promise<DepthReading | null> {
    this.queries.push(query);
    if (this.live === null) return null;
    return {
      catalog_cardinality_is_not_depth: true,
      class: query.intentClass,
      classification: this.live === 0 ? 'FOUNDING' : this.live < 5 ? 'SPARSE' : 'STANDARD',
      counted: query.side ?? 'both',
      founding_open: this.live === 0,
      freshness_max_age_s: 120,
      live_counterparties: this.live,
      vertical: query.vertical,
    };
  }
}
