import type { Operations } from '@agent-marketplace/sdk';
import { DayChart } from '../../components/day-chart.tsx';
import { count, countNoun } from '../../format/figures.ts';

export type Quality = Operations['getListingQuality']['output'];
type MeasuredDay = Quality['days'][number];

const DAY_MS = 86_400_000;

/** Charts of each day, and a table of the same figures. */
export function Days({ quality }: { quality: Quality }) {
  const days = daysBetween(quality.from, quality.until);
  const of = (value: (day: MeasuredDay) => number | null) => seriesOf(quality.days, value);
  const [delivered, p50, p95] = [of((day) => day.delivered), of((day) => day.p50Ms), of((day) => day.p95Ms)];
  const shares = of((day) => day.deliveredShare);
  const period = `each day from ${quality.from} to ${quality.until}`;
  return (
    <>
      <div class="measured-charts">
        <figure>
          <figcaption>Deliveries</figcaption>
          <DayChart
            name={`Deliveries ${period}: ${count(sum(delivered))} in all, at most ${count(greatest(delivered))} on one day.`}
            days={days}
            series={[delivered]}
          />
        </figure>
        {p50.size > 0 && (
          <figure>
            <figcaption>Within how long half arrived (green), and 19 of 20 (grey)</figcaption>
            <DayChart
              name={`Latency ${period}: half arrived within ${range(p50, milliseconds)}, 19 of 20 within ${range(p95, milliseconds)}.`}
              days={days}
              series={[p95, p50]}
            />
          </figure>
        )}
        {shares.size > 0 && (
          <figure>
            <figcaption>Delivered, of the attempts that were not declined</figcaption>
            <DayChart
              name={`Success ${period}: ${range(shares, share)} of the attempts were delivered.`}
              days={days}
              series={[shares]}
              most={1}
            />
          </figure>
        )}
      </div>
      <details>
        <summary>The figures of {countNoun(quality.days.length, 'day')}</summary>
        <section class="scroll" aria-label="Deliveries by day" tabindex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Day</th>
                {['Attempts', 'Delivered', 'Declined', 'Success', 'Half within', '19 of 20 within'].map(
                  (head) => (
                    <th scope="col" class="amount">
                      {head}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>
              {quality.days.toReversed().map((day) => (
                <tr>
                  <th scope="row">{day.day}</th>
                  {cellsOf(day).map((cell) => (
                    <td class="amount">{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </>
  );
}

const milliseconds = (ms: number): string => `${count(ms)} ms`;

/** Rounded down: a share is never shown as more than it is. */
export const share = (value: number): string => `${Math.floor(1000 * value + 1e-9) / 10}%`;

function cellsOf({ attempts, delivered, declined, deliveredShare, p50Ms, p95Ms }: MeasuredDay): string[] {
  const known = (value: number | null, show: (value: number) => string) =>
    value === null ? '–' : show(value);
  return [
    count(attempts),
    count(delivered),
    count(declined),
    known(deliveredShare, share),
    known(p50Ms, milliseconds),
    known(p95Ms, milliseconds),
  ];
}

function seriesOf(
  days: readonly MeasuredDay[],
  pick: (day: MeasuredDay) => number | null,
): ReadonlyMap<string, number> {
  return new Map(
    days.flatMap((day) => {
      const value = pick(day);
      return value === null ? [] : [[day.day, value] as const];
    }),
  );
}

function daysBetween(from: string, until: string): string[] {
  const first = Date.parse(from);
  const length = Math.round((Date.parse(until) - first) / DAY_MS) + 1;
  return Array.from({ length }, (_, index) => new Date(first + index * DAY_MS).toISOString().slice(0, 10));
}

const sum = (series: ReadonlyMap<string, number>): number =>
  [...series.values()].reduce((total, value) => total + value, 0);

const greatest = (series: ReadonlyMap<string, number>): number => Math.max(...series.values());

/** `40 ms`, or `40 ms to 90 ms` where days differ. */
function range(series: ReadonlyMap<string, number>, show: (value: number) => string): string {
  const [least, most] = [Math.min(...series.values()), greatest(series)];
  return least === most ? show(least) : `${show(least)} to ${show(most)}`;
}
