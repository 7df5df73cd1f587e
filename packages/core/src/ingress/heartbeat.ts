import * as z from 'zod';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { isoTime } from '../kernel/time.ts';
import { ingressErrors } from './ingress.errors.ts';

/** Clause: POST /ingress/heartbeat. */
export const heartbeat = defineOperation({
  name: 'heartbeat',
  summary: 'Keep an admitted session alive for another 120 seconds.',
  area: 'Ingress',
  auth: 'none',
  input: z.object({ sessionId: z.string().min(1).max(128) }),
  output: z.object({ expiresAt: z.iso.datetime(), ok: z.literal(true), sessionId: z.string() }),
  errors: [ingressErrors.ingress_session_not_found],
  http: { method: 'post', path: '/ingress/heartbeat', status: 200, maxBodyBytes: 4096 },
  // Many agents of one operator share an address, and each sends two heartbeats a minute.
  rate: 'read',
  async handle({ ports, now }, { sessionId }) {
    const session = await ports.door?.heartbeat(sessionId, now);
    if (session?.kind === 'gone') throw new Refusal(ingressErrors.ingress_session_not_found);
    if (session?.kind !== 'live')
      throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 1 });
    return { expiresAt: isoTime(session.expiresAt), ok: true as const, sessionId };
  },
});
