import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import * as z from 'zod';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import type { DepthQuery, DepthReading, Door } from '../kernel/ports/ingress.ts';
import type { EpochMs } from '../kernel/time.ts';
import { depthReading } from './depth.rules.ts';
import { depthReadingSchema, intentClass, side, verticalSlug } from './ingress.schema.ts';

/** Clause: GET /ingress/occupancy. */
export const getOccupancy = defineOperation({
  name: 'getOccupancy',
  summary: 'How many counterparties of an intent class are live.',
  description:
    'Distinct berth keys with a live session. Occupancy counts both sides unless one is asked for; an ADMIT counts the side opposite to the caller, without the caller. `counted` says which. A session counts in a vertical only if it declared it at admission. The size of the catalogue has no part in it.',
  area: 'Ingress',
  auth: 'none',
  filterFields: ['vertical'],
  input: z.object({
    class: intentClass.optional().describe('Left out: all classes together.'),
    side: side.optional(),
    vertical: verticalSlug.optional().describe('Vertical slug.'),
  }),
  output: depthReadingSchema,
  errors: [],
  http: {
    method: 'get',
    path: '/ingress/occupancy',
    status: 200,
    headers: { class: BRAND.header.class },
  },
  rate: 'read',
  async handle({ ports, now, unmatchedFields }, { class: intentClass = null, side = null, vertical = null }) {
    if (unmatchedFields.length > 0) return depthReading({ intentClass, side, vertical }, 0);
    const reading = ports.door && (await readDepth(ports.door, { intentClass, side, vertical }, now));
    if (reading === null) throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 1 });
    return reading;
  },
});

/** Null if the door's sessions cannot be counted now. */
export async function readDepth(door: Door, query: DepthQuery, now: EpochMs): Promise<DepthReading | null> {
  const live = await door.countLive(query, now);
  return live === null ? null : depthReading(query, live);
}
