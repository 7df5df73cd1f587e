import { BarsByDay } from '../../components/charts/bars-by-day.tsx';
import { LatencyStrip } from '../../components/charts/latency-strip.tsx';
import { ShareStrip } from '../../components/charts/share-strip.tsx';
import { Ledger } from '../../components/ledger.tsx';
import { count, countNoun, money, seconds, wholePercent } from '../../format/figures.ts';
import type { HomeFigures } from './figures.ts';

/** What happened lately, each as a sentence with a small chart. */
export function Numbers({ figures: { sales, totals, deliveries } }: { figures: HomeFigures }) {
  return (
    <section class="stack" aria-labelledby="numbers">
      <h2 id="numbers" class="with-link">
        In numbers <a href="/books">All recorded sales</a>
      </h2>
      {sales === null && <p class="soft">The figures are not available now. Reload in a minute.</p>}
      <div class="numbers">
        {sales && (
          <div class="sheet">
            <BarsByDay
              sentence={`${sales.isPart ? 'More than ' : ''}${countNoun(sales.total, 'sale')} in the last 7 days, free ones included.`}
              unit="Sales"
              days={sales.days}
              format={count}
            />
          </div>
        )}
        {totals && (
          <div class="sheet">
            <Ledger
              rows={[
                { label: 'Recorded sales', value: count(totals.sales) },
                { label: 'In escrow', value: money(totals.escrowCents) },
                { label: 'Turnover to date', value: money(totals.grossCents), isTotal: true },
              ]}
            />
          </div>
        )}
        {deliveries && (
          <>
            <div class="sheet">
              <ShareStrip
                sentence={`At least ${wholePercent(deliveries.successRate)} of ${countNoun(deliveries.attempts, 'measured delivery', 'measured deliveries')} in 30 days succeeded. What fails is not charged.`}
                share={deliveries.successRate}
                names={['Succeeded', 'Failed, and not charged']}
              />
            </div>
            <div class="sheet">
              <LatencyStrip
                sentence={`A typical delivery takes ${seconds(deliveries.p50Ms)}, from the order to the answer.`}
                p50Ms={deliveries.p50Ms}
                p95Ms={deliveries.p95Ms}
              />
            </div>
          </>
        )}
      </div>
    </section>
  );
}
