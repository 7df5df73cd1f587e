import { DAY_MS, type EpochMs, epochOf, type IsoTime, MINUTE_MS } from '../../kernel/time.ts';
import { HEALTH_PARTS, type HealthPart, type HealthPartName } from './health-parts.rules.ts';

/** What the conditions are judged by. */
export interface AlarmReading {
  readonly parts: readonly HealthPart[];
  /** Whether anything listed as overdue has waited for more than a day. */
  readonly isMoneyOverdue: boolean;
  /** Whether a party of a dispute has answered an operator, who said nothing since. */
  readonly isAnswerUnread: boolean;
}

interface AlarmCondition {
  readonly code: string;
  /** It is told once it has held for so long: what ends by itself is no matter for a person. */
  readonly holdsForMs: number;
  readonly text: string;
  applies(reading: AlarmReading): boolean;
}

const HOLDS_MS = 2 * MINUTE_MS;
const REPEATED_MS = DAY_MS;
/** Of what never ends by itself within minutes. */
const TOLD_AT_ONCE: readonly string[] = ['log_down'];

const PART_TEXTS: Readonly<Record<HealthPartName, string>> = {
  backups:
    'No backup of the database was finished for nine days: `backup_given_up` and `job_failed` in the log say why.',
  chain: 'No block of the chain was read for an hour: take another node.',
  database: 'The database does not answer: every request that needs it is refused with 503.',
  events: 'Events of callbacks wait for their turn.',
  jobs: 'A job has failed for ten minutes: its `job_failed` in the log says why.',
  log: 'Signed statements wait for the transparency log: the log of its Worker says why.',
  mail: 'Mail does not go out.',
  objects: 'The ingress door does not answer: admissions are refused.',
  processor: 'The card processor’s records or events are not read.',
  queues: 'The queue gave up messages: retry them from the list of what is overdue.',
  search: 'The search database does not answer, or shows old listings.',
};

/** Of parts that are down for another reason than they are late. */
const DOWN_TEXTS: Readonly<Record<string, string>> = {
  log_down:
    'The transparency log has stopped: others know more of it than it remembers, or something else, or its bucket lacks what it published. It signs nothing until that is settled: docs/transparency.md, "When the log has stopped".',
};

/** Everything that is told, in the order in which it is judged. */
const ALARMS: readonly AlarmCondition[] = [
  ...HEALTH_PARTS.flatMap((name) =>
    (['down', 'late'] as const).map((status) => ({
      code: `${name}_${status}`,
      holdsForMs: TOLD_AT_ONCE.includes(`${name}_${status}`) ? 0 : HOLDS_MS,
      text: DOWN_TEXTS[`${name}_${status}`] ?? PART_TEXTS[name],
      applies: ({ parts }: AlarmReading) =>
        parts.some((part) => part.name === name && part.status === status),
    })),
  ),
  {
    code: 'money_overdue',
    holdsForMs: 0,
    text: 'Money should have moved more than a day ago: look at the list of what is overdue.',
    applies: ({ isMoneyOverdue }) => isMoneyOverdue,
  },
  {
    code: 'dispute_answered',
    holdsForMs: 0,
    text: 'A party of a dispute has answered an operator: read it, and reply or decide.',
    applies: ({ isAnswerUnread }) => isAnswerUnread,
  },
];

export const findAlarm = (code: string): AlarmCondition | undefined =>
  ALARMS.find((alarm) => alarm.code === code);

/** One that holds, or has ended and was not yet told to have. */
export interface RaisedAlarm {
  readonly code: string;
  readonly beganAt: IsoTime;
  readonly notifiedAt: IsoTime | null;
}

export interface AlarmPlan {
  /** Hold since now. */
  readonly began: readonly RaisedAlarm[];
  /** To be told: they have held for long enough, and once more each day. */
  readonly due: readonly RaisedAlarm[];
  /** Were told, and hold no more. */
  readonly ended: readonly RaisedAlarm[];
  /** Ended before anybody was told. */
  readonly forgotten: readonly RaisedAlarm[];
}

export function planAlarms(
  reading: AlarmReading,
  raised: readonly RaisedAlarm[],
  now: { readonly ms: EpochMs; readonly iso: IsoTime },
): AlarmPlan {
  const known = new Map(raised.map((alarm) => [alarm.code, alarm]));
  const holding = ALARMS.filter((alarm) => alarm.applies(reading));
  const codes = new Set(holding.map(({ code }) => code));
  const began = holding
    .filter(({ code }) => !known.has(code))
    .map(({ code }) => ({ code, beganAt: now.iso, notifiedAt: null }));
  const due = holding.flatMap(({ code, holdsForMs }) => {
    const alarm = known.get(code) ?? { code, beganAt: now.iso, notifiedAt: null };
    const isDue =
      alarm.notifiedAt === null
        ? now.ms - epochOf(alarm.beganAt) >= holdsForMs
        : now.ms - epochOf(alarm.notifiedAt) >= REPEATED_MS;
    return isDue ? [alarm] : [];
  });
  const over = raised.filter(({ code }) => !codes.has(code));
  return {
    began,
    due,
    ended: over.filter(({ notifiedAt }) => notifiedAt !== null),
    forgotten: over.filter(({ notifiedAt }) => notifiedAt === null),
  };
}
