import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { isoTime } from '../../kernel/time.ts';
import { listAlarms } from './alarms.store.ts';
import { HEALTH_PARTS, HEALTH_STATUSES, worstOf } from './health-parts.rules.ts';
import { readHealth } from './read-health.ts';

/** For the operator: how each part of the platform is. */
export const getPlatformHealth = defineOperation({
  name: 'getPlatformHealth',
  summary: 'How each part of the platform is: how old, how far behind, and which jobs fail.',
  description:
    'For the operator. Each part is asked as you ask: the databases and the objects of the ingress door are called, and ' +
    'what runs by itself has left its time in the database. Answers 200 also where a part is down.',
  area: 'Meta',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({}),
  output: z.object({
    alarms: z
      .array(
        z.object({
          code: z.string(),
          notifiedAt: z.iso.datetime().nullable().describe('When it was last told; null: not yet.'),
          since: z.iso.datetime(),
        }),
      )
      .describe(
        'Conditions that hold, the one that has held longest first; empty while the database is down.',
      ),
    checkedAt: z.iso.datetime(),
    failingJobs: z
      .array(z.object({ job: z.string(), since: z.iso.datetime() }))
      .describe('Jobs of every minute that failed in their last run, the one that has failed longest first.'),
    parts: z.array(
      z.object({
        ageSeconds: z.int().nullable().describe('How long ago it last did its work, or was read.'),
        lagSeconds: z.int().nullable().describe('How long the oldest of what waits has waited.'),
        latencyMs: z.int().nullable().describe('How long it took to answer; null: it was not called.'),
        name: z.enum(HEALTH_PARTS),
        status: z
          .enum(HEALTH_STATUSES)
          .describe('down: no answer. late: too old, or too much waits. off: not part of this deployment.'),
        waiting: z.int().describe('How many wait, up to 1,000.'),
      }),
    ),
    status: z.enum(['down', 'late', 'ok']).describe('The worst of the parts.'),
  }),
  errors: [],
  http: { method: 'get', path: '/admin/health', status: 200 },
  rate: 'read',
  async handle({ ports, settings, now }) {
    const [{ parts, failingJobs }, alarms] = await Promise.all([
      readHealth(ports, settings, now),
      listAlarms(ports.market).catch(() => []),
    ]);
    return {
      alarms: alarms.map(({ code, notifiedAt, beganAt }) => ({ code, notifiedAt, since: beganAt })),
      checkedAt: isoTime(now),
      failingJobs: failingJobs.map(({ job, since }) => ({ job, since })),
      parts: [...parts],
      status: worstOf(parts),
    };
  },
});
