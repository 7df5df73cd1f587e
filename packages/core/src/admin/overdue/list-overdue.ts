import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { CURSOR, cursorOf, positionOf } from '../../kernel/page-cursor.ts';
import { pageLimit } from '../../kernel/page-fields.ts';
import { findOverdue } from './find-overdue.ts';
import { OVERDUE_KINDS, SUBJECT_TYPES } from './overdue.rules.ts';

/** For the operator: money that should have moved by now. */
export const listOverdue = defineOperation({
  name: 'listOverdue',
  summary: 'Money that should have moved by now, the longest waiting first, and what mends it.',
  description:
    'For the operator. Jobs go on trying what is listed here; `mendWith` names the operations that a person has. What ' +
    'is less than an hour late is not listed.',
  area: 'Purchasing',
  auth: 'operator',
  leastRole: 'viewer',
  input: z.object({
    cursor: z.string().max(120).regex(CURSOR).optional(),
    kind: z.enum(OVERDUE_KINDS).optional().describe('Only these; a page may then hold fewer than `limit`.'),
    limit: pageLimit(100, 50),
  }),
  output: z.object({
    limit: z.int(),
    nextCursor: z.string().nullable(),
    overdue: z.array(
      z.object({
        amountCents: z.int().nullable(),
        kind: z.enum(OVERDUE_KINDS),
        mendWith: z.array(z.string()).describe('Operations, the one to try first in front.'),
        rail: z.string().nullable(),
        reason: z.string(),
        since: z.iso.datetime(),
        subjectId: z.uuid(),
        subjectType: z.enum(SUBJECT_TYPES),
      }),
    ),
  }),
  errors: [],
  http: { method: 'get', path: '/admin/overdue', status: 200 },
  rate: 'read',
  async handle({ ports: { market }, now }, { cursor, kind, limit }) {
    const rows = await findOverdue(market, now, limit + 1, positionOf(cursor));
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const nextCursor =
      rows.length > limit && last ? cursorOf({ createdAt: last.since, id: last.subjectId }) : null;
    const overdue = kind === undefined ? page : page.filter((row) => row.kind === kind);
    return { limit, nextCursor, overdue };
  },
});
