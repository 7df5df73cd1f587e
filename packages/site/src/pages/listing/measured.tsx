import type { Operations } from '@agent-marketplace/sdk';
import { Facts } from '../../components/ledger.tsx';
import { Instant } from '../../components/time.tsx';
import { count } from '../../format/figures.ts';
import { Days, type Quality, share } from './days.tsx';

type MeasuredView = NonNullable<Operations['getListing']['output']['listing']['measured']>;

const WIDTH = 200;

interface MeasuredProps {
  readonly measured: MeasuredView | null;
  /** Null: not available now. */
  readonly quality: Quality | null;
}

/** What the marketplace measured of the listing's deliveries. */
export function Measured({ measured, quality }: MeasuredProps) {
  const hasDays = quality !== null && quality.days.length > 0;
  return (
    <section class="stack" aria-labelledby="measured">
      <h2 id="measured">Measured deliveries</h2>
      {measured === null && !hasDays ? (
        <p class="soft">Fewer than five attempts to buy it in the last 30 days: too few to measure.</p>
      ) : (
        <p class="soft">
          Counted by the marketplace over the last 30 days, at most 20 attempts of one buyer a day.
        </p>
      )}
      {measured && <Figures measured={measured} />}
      {hasDays && <Days quality={quality} />}
    </section>
  );
}

function Figures({ measured }: { measured: MeasuredView }) {
  const { successRate, p50Ms, p95Ms, declinedRate, schemaValidRate, uptime, samples, buyers30d } = measured;
  return (
    <Facts
      rows={[
        [
          'Attempts',
          `${count(samples)}, of ${count(buyers30d)} known ${buyers30d === 1 ? 'buyer' : 'buyers'}`,
        ],
        ['Succeed, at least', <Share value={successRate} />],
        ['Half arrive within', <Latency ms={p50Ms} longestMs={p95Ms} />],
        ['19 of 20 arrive within', <Latency ms={p95Ms} longestMs={p95Ms} />],
        ['Queries declined', <Share value={declinedRate} />],
        ['Answers that fit the schema', <Share value={schemaValidRate} />],
        ['Endpoint answered', <Share value={uptime} />],
        ['Measured', <Instant iso={measured.measuredAt} />],
      ]}
    />
  );
}

function Share({ value }: { value: number | null }) {
  if (value === null) return <>Not known</>;
  return (
    <>
      {share(value)} <Bar share={value} />
    </>
  );
}

function Latency({ ms, longestMs }: { ms: number | null; longestMs: number | null }) {
  if (ms === null || longestMs === null) return <>Not known</>;
  return (
    <>
      {`${count(ms)} ms`} <Bar share={ms / longestMs} />
    </>
  );
}

/** The figure stands beside it, so that screen readers skip it. */
function Bar({ share }: { share: number }) {
  return (
    <svg
      class="measured-bar"
      viewBox={`0 0 ${WIDTH} 10`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <rect width={String(Math.round(share * WIDTH))} height="10" />
    </svg>
  );
}
