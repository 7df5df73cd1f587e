import { isAnswerUnread } from '../../disputes/index.ts';
import type { Settings } from '../../kernel/operation/operation.ts';
import type { AlarmNotice } from '../../kernel/ports/alarm-channel.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { DAY_MS, type EpochMs, isoTime, MINUTE_MS } from '../../kernel/time.ts';
import { readOverdue } from '../overdue/overdue.store.ts';
import { findAlarm, planAlarms, type RaisedAlarm } from './alarms.rules.ts';
import { deleteAlarm, insertAlarm, listAlarms, setAlarmNotified } from './alarms.store.ts';
import { readHealth } from './read-health.ts';

/** While the database is down nothing can be stored of what was sent: it is sent again so often. */
const WITHOUT_DATABASE_MS = 10 * MINUTE_MS;

/** Judges every condition, and tells the operator of what began and ended. For the jobs, once a minute. */
export async function raiseAlarms(ports: Ports, settings: Pick<Settings, 'sendsMail'>): Promise<void> {
  const { market, clock } = ports;
  const now = clock.now();
  const at = isoTime(now);
  const { parts } = await readHealth(ports, settings, now);
  if (parts.some(({ name, status }) => name === 'database' && status === 'down')) {
    const isTurn = Math.floor(now / MINUTE_MS) % (WITHOUT_DATABASE_MS / MINUTE_MS) === 0;
    if (isTurn)
      await tell(ports, noticeOf({ code: 'database_down', beganAt: at, notifiedAt: null }, 'raised'));
    return;
  }
  const [raised, isMoneyOverdue, isAnswered] = await Promise.all([
    listAlarms(market),
    isAnyOverdue(ports, now),
    isAnswerUnread(market),
  ]);
  const plan = planAlarms({ parts, isMoneyOverdue, isAnswerUnread: isAnswered }, raised, {
    ms: now,
    iso: at,
  });
  const changes = [...plan.began.map(insertAlarm), ...plan.forgotten.map(({ code }) => deleteAlarm(code))];
  if (changes.length > 0) await market.commit(changes);
  for (const alarm of plan.due) {
    if (await tell(ports, noticeOf(alarm, 'raised'))) await market.commit([setAlarmNotified(alarm.code, at)]);
  }
  for (const alarm of plan.ended) {
    if (await tell(ports, noticeOf(alarm, 'ended'))) await market.commit([deleteAlarm(alarm.code)]);
  }
}

async function isAnyOverdue({ market }: Ports, now: EpochMs): Promise<boolean> {
  const until = isoTime(now - DAY_MS);
  const found = await readOverdue(market, { after: '', afterId: '', until, topUpsUntil: until, limit: 1 });
  return found.length > 0;
}

const noticeOf = ({ code, beganAt }: RaisedAlarm, state: AlarmNotice['state']): AlarmNotice => ({
  code,
  state,
  since: beganAt,
  // A condition of an earlier version may be stored.
  text: findAlarm(code)?.text ?? '',
});

/** Where nobody is to be told, the log is. */
async function tell({ alarms, log }: Ports, notice: AlarmNotice): Promise<boolean> {
  if (alarms !== null && !(await alarms.send(notice))) return false;
  const { code, since, state } = notice;
  if (state === 'raised') log.error('alarm_raised', { code, since });
  else log.info('alarm_ended', { code, since });
  return true;
}
