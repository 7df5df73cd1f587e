import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import * as z from 'zod';
import { defineOperation } from '../kernel/operation/operation.ts';
import { FRESHNESS_S, INTENT_CLASSES, RAILS } from './vocabulary.rules.ts';

/** Clause: GET /ingress/vocabulary. */
export const getIngressVocabulary = defineOperation({
  name: 'getIngressVocabulary',
  summary: 'The intent classes and rails that the ingress door knows.',
  area: 'Ingress',
  auth: 'none',
  input: z.object({}),
  output: z.object({
    freshness_max_age_s: z.int().describe('How long a session counts without a heartbeat.'),
    header: z.string().describe('May carry the intent class.'),
    idempotency_header: z.string().describe('May carry the requestId.'),
    rails: z.array(z.enum(RAILS)),
    status: z.string(),
    vocabulary: z.array(z.enum(INTENT_CLASSES)),
  }),
  errors: [],
  http: { method: 'get', path: '/ingress/vocabulary', status: 200 },
  rate: 'read',
  cache: { freshSeconds: 60, staleIfErrorSeconds: 86_400 },
  async handle({ ports }) {
    return {
      freshness_max_age_s: FRESHNESS_S,
      header: BRAND.header.class,
      idempotency_header: 'Idempotency-Key',
      rails: [...RAILS],
      status: ports.door?.status ?? 'unavailable',
      vocabulary: [...INTENT_CLASSES],
    };
  },
});
