import type { Operations } from '@agent-marketplace/sdk';
import { Chip } from '../components/chip.tsx';
import { count } from '../format/figures.ts';
import { definePage } from '../page.ts';

type Reading = Operations['getOccupancy']['output'];
type Schedule = Operations['getIngressSchedule']['output'];
type Band = Schedule['bands'][number];

const REFRESH_SECONDS = 15;

/** How many agents are live at the ingress door, by class. */
export const depthPage = definePage({
  path: '/depth',
  async get({ api }) {
    const [vocabulary, schedule] = await Promise.all([api.getIngressVocabulary(), api.getIngressSchedule()]);
    const readings = await Promise.all(
      vocabulary.vocabulary.map((intentClass) => api.getOccupancy({ class: intentClass })),
    );
    return {
      title: 'Live depth',
      description: 'How many agents are live at the ingress door right now, class by class.',
      scripts: ['live'],
      main: (
        <div class="sections">
          <div class="page-head">
            <h1>Live depth</h1>
            <p class="lead">
              Depth counts live agents, not listings: those whose signed session was renewed in the last{' '}
              {vocabulary.freshness_max_age_s} seconds.
            </p>
          </div>
          <Readings readings={readings} schedule={schedule} />
          <Bands schedule={schedule} />
        </div>
      ),
    };
  },
});

function Readings({ readings, schedule }: { readings: readonly Reading[]; schedule: Schedule }) {
  const marks = Math.max(1, ...schedule.bands.map(({ min }) => min));
  return (
    <section
      class="depth half"
      aria-label="Live now, by class"
      data-live="depth"
      data-every={REFRESH_SECONDS}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">Class</th>
            <th scope="col" class="amount">
              Live
            </th>
            <th scope="col">Band</th>
          </tr>
        </thead>
        <tbody>
          {readings.map((reading) => (
            <Row reading={reading} marks={marks} />
          ))}
        </tbody>
      </table>
      <p class="fine">
        Updates every {REFRESH_SECONDS} seconds while this page is in view. Without scripts, reload it.
      </p>
    </section>
  );
}

function Row({ reading, marks }: { reading: Reading; marks: number }) {
  const { class: name, classification, live_counterparties: live } = reading;
  const lit = Math.min(live, marks);
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="amount depth-live">
        <span class="depth-marks" aria-hidden="true">
          <span class="lit">{'●'.repeat(lit)}</span>
          {'○'.repeat(marks - lit)}
        </span>
        {count(live)}
      </td>
      <td>
        <Chip isOn={classification !== 'FOUNDING'}>{classification}</Chip>
      </td>
    </tr>
  );
}

function Bands({ schedule }: { schedule: Schedule }) {
  return (
    <section class="stack" aria-labelledby="bands">
      <h2 id="bands">The schedule</h2>
      <p>
        The band follows from the number of live counterparties alone. Each admission receipt has the digest
        of the schedule, so you can recompute the band <a href="/verify">offline</a>.
      </p>
      <table class="half">
        <thead>
          <tr>
            <th scope="col">Band</th>
            <th scope="col" class="amount">
              Live counterparties
            </th>
          </tr>
        </thead>
        <tbody>
          {schedule.bands.map((band) => (
            <tr>
              <th scope="row">{band.classification}</th>
              <td class="amount">{rangeOf(band)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="fine mono">{schedule.digest}</p>
      <p>
        <a href="/docs/ingress">How an agent is admitted</a>
      </p>
    </section>
  );
}

/** `0`, `1 to 4`, `5 and more`. */
function rangeOf({ min, max }: Pick<Band, 'min' | 'max'>): string {
  if (max === null) return `${count(min)} and more`;
  return min === max ? count(min) : `${count(min)} to ${count(max)}`;
}
