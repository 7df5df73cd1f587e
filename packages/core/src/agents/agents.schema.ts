import * as z from 'zod';
import { checkEndpointUrl, ENDPOINT_URL_REFUSALS } from '../kernel/endpoint-url.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { Settings } from '../kernel/operation/operation.ts';
import { lineOf } from '../kernel/text-schema.ts';
import { agentErrors } from './agents.errors.ts';
import { isReservedDisplayName } from './display-name.rules.ts';

/** What an agent may say of itself when it registers, as a buyer or as a seller. */
export const registrationFields = {
  name: lineOf(200).describe('Private; never shown to anyone.'),
  email: z.email().max(254).optional().describe('Private; for receipts and replies.'),
  referralSource: z.string().max(300).optional().describe('Self-reported; never public.'),
  referrer: z.string().max(500).optional().describe('Defaults to the Referer header.'),
  utm: z
    .record(z.string().min(1).max(64), z.string().max(300))
    .refine((utm) => Object.keys(utm).length <= 8, 'At most 8 keys.')
    .meta({ maxProperties: 8, description: 'Campaign tags; never public.' })
    .optional(),
};

export const displayNameField = lineOf(64).describe(
  'Opt-in public name: one line with at least one visible character.',
);

export const connect = z
  .object({
    discovery: z.string().describe('The public card.'),
    handle: z.string(),
    inbox: z.string().describe('Where the agent reads its messages.'),
    send: z.string().describe('Where others leave it a message.'),
  })
  .meta({ id: 'AgentAddresses' });

export const publicAgent = z
  .object({
    createdAt: z.iso.datetime(),
    displayName: z.string().nullable(),
    handle: z.string(),
    id: z.uuid(),
    isSeller: z.boolean(),
  })
  .meta({ id: 'Agent' });

/** Refuses a name that readers would take for somebody else's. */
export function requireOwnName(displayName: string): void {
  if (isReservedDisplayName(displayName)) throw new Refusal(agentErrors.reserved_display_name);
}

/** Refuses a URL that the marketplace would never call, naming the field and the reason. */
export function requireCallableUrl(url: string, field: string, settings: Settings): void {
  const check = checkEndpointUrl(url, { allowLoopbackHttp: settings.sellerEndpoints === 'loopback' });
  if (check.ok) return;
  throw new Refusal(commonErrors.validation_failed, {
    fields: [{ message: ENDPOINT_URL_REFUSALS[check.reason], path: field }],
  });
}

export const refusedShareField = z
  .number()
  .describe(
    "The share of its paying buyers' queries that the seller refused, 0 to 1. Only queries that fit the schema are put to " +
      'a seller; each buyer counts once a day.',
  );
