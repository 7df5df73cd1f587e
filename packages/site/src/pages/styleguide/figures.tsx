import { BarsByDay } from '../../components/charts/bars-by-day.tsx';
import { LatencyStrip } from '../../components/charts/latency-strip.tsx';
import { ShareStrip } from '../../components/charts/share-strip.tsx';
import { Drawn } from '../../components/drawn.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import { FormField } from '../../components/form-field.tsx';
import { KeyFigures } from '../../components/key-figure.tsx';
import { balanceLine } from '../../format/balance-line.ts';
import { count, money } from '../../format/figures.ts';

export function FigureSection() {
  return (
    <section class="stack">
      <h2>Figures</h2>
      <KeyFigures
        figures={[
          { label: 'Earned this month', value: '$1,204.00', note: '12% more than in February' },
          { label: 'In escrow', value: '$310.50', note: 'The next $52.00 on 19 March' },
          { label: 'Delivered', value: '99%' },
        ]}
      />
      <FigureTable
        caption="Payouts of March"
        heads={['Date', 'Listing', '#Fee', '#Paid out']}
        rows={[
          ['2026-03-02', 'Tide tables by harbour', '$1.30', '$24.70'],
          ['2026-03-09', 'Road closures of the last hour', '$12.00', '$1,188.00'],
        ]}
        total={['Sum', '', '$13.30', '$1,212.70']}
      />
    </section>
  );
}

const DAYS = [3, 0, 5, 8, 2, 9, 12].map((value, index) => ({ day: `2026-03-0${index + 1}`, value }));

export function ChartSection() {
  return (
    <section class="stack">
      <h2>Charts</h2>
      <div class="grid">
        <div class="span-4">
          <BarsByDay
            sentence="39 sales in 7 days, most of them on the last."
            unit="Sales"
            days={DAYS}
            format={count}
          />
        </div>
        <div class="span-4">
          <LatencyStrip
            sentence="Half of all deliveries take 0.4 seconds or less."
            p50Ms={400}
            p95Ms={2100}
          />
        </div>
        <div class="span-4">
          <ShareStrip
            sentence="At least 97% of 310 measured deliveries succeeded."
            share={0.97}
            names={['Succeeded', 'Failed, and not charged']}
          />
        </div>
        <div class="span-8">
          <Drawn
            outline={balanceLine({
              sentence: 'The balance fell from $200.00 to $48.00.',
              format: money,
              balances: [
                { at: '2026-03-01T00:00:00Z', cents: 20_000 },
                { at: '2026-03-03T12:00:00Z', cents: 17_400 },
                { at: '2026-03-05T18:00:00Z', cents: 4800 },
                { at: '2026-03-08T00:00:00Z', cents: 4800 },
              ],
            })}
          />
        </div>
      </div>
    </section>
  );
}

export function FormSection() {
  return (
    <section class="stack half">
      <h2>Forms</h2>
      <FormField id="guide-name" label="Name" hint="As buyers will see it.">
        {(attributes) => <input {...attributes} value="Harbour master" />}
      </FormField>
      <FormField
        id="guide-price"
        label="Price in dollars"
        error="26,00 is not a price. Write dollars and cents with a point: 26.00."
      >
        {(attributes) => <input {...attributes} value="26,00" />}
      </FormField>
      <p class="actions">
        <button type="button">Buy for $26.00</button>
        <button type="button" class="quiet">
          Cancel
        </button>
        <button type="button" disabled>
          Not now
        </button>
      </p>
    </section>
  );
}
