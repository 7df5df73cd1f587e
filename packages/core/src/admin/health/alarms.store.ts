import { asc, eq, getTableColumns } from 'drizzle-orm';
import { build } from '../../db/build.ts';
import { type Params, query, toStatement, write } from '../../db/query.ts';
import { alarms } from '../../db/tables/reports.ts';
import type { Database, Statement } from '../../kernel/ports/database.ts';
import type { IsoTime } from '../../kernel/time.ts';
import type { RaisedAlarm } from './alarms.rules.ts';

const all = query(() =>
  build.select(getTableColumns(alarms)).from(alarms).orderBy(asc(alarms.beganAt), asc(alarms.code)),
);

/** The one that has held longest first. */
export const listAlarms = (market: Database): Promise<RaisedAlarm[]> => all.all(market);

const setNotified = write((p: Params<{ code: string; at: IsoTime }>) =>
  build.update(alarms).set({ notifiedAt: p.at }).where(eq(alarms.code, p.code)),
);

const remove = write((p: Params<{ code: string }>) => build.delete(alarms).where(eq(alarms.code, p.code)));

export const insertAlarm = (alarm: RaisedAlarm): Statement =>
  toStatement(build.insert(alarms).values(alarm).onConflictDoNothing());

export const setAlarmNotified = (code: string, at: IsoTime): Statement => setNotified({ code, at });

export const deleteAlarm = (code: string): Statement => remove({ code });
