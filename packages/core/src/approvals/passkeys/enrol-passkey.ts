import { z } from 'zod';
import type { Passkey } from '../../kernel/crypto/passkeys.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json/json.ts';
import { defineOperation, type OperationContext } from '../../kernel/operation/operation.ts';
import { lineOf } from '../../kernel/text-schema.ts';
import { isoTime } from '../../kernel/time.ts';
import { siteOf } from '../approval-links.ts';
import { challengesOf, requireEnroller } from './enrolment.ts';
import { newPasskey } from './passkey.schema.ts';
import { passkeyErrors } from './passkeys.errors.ts';
import { insertPasskey, isKnownPasskey, isTooManyPasskeys } from './passkeys.store.ts';

export const passkeyView = z.object({
  createdAt: z.iso.datetime(),
  enrolledBy: z.enum(['key', 'mail']),
  id: z.string(),
  label: z.string(),
});

export const enrolPasskey = defineOperation({
  name: 'enrolPasskey',
  summary: 'Enrol a passkey, with which a person approves purchases of the agent.',
  area: 'Agents',
  auth: 'optional',
  scope: 'manage',
  input: z.object({
    label: lineOf(64).describe('For you: which device it is on.'),
    passkey: newPasskey.describe('The PublicKeyCredential of navigator.credentials.create(), as JSON.'),
    token: z.string().max(128).optional().describe('Of the mailed link, in place of a key.'),
  }),
  output: passkeyView,
  errors: [
    passkeyErrors.enrolment_not_allowed,
    passkeyErrors.enrolment_link_over,
    passkeyErrors.passkey_not_accepted,
    passkeyErrors.passkey_exists,
    passkeyErrors.too_many_passkeys,
  ],
  http: { method: 'post', path: '/agents/me/passkeys', status: 201 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { label, passkey: response, token }) {
    const { agentId, by } = await requireEnroller(ctx, token);
    const passkey = await verify(ctx, agentId, response);
    if (passkey === null) throw new Refusal(passkeyErrors.passkey_not_accepted);
    const view = { createdAt: isoTime(ctx.now), enrolledBy: by, id: passkey.id, label };
    try {
      await ctx.commit(insertPasskey({ ...view, ...passkey, agentId }), view);
    } catch (error) {
      if (isKnownPasskey(error)) throw new Refusal(passkeyErrors.passkey_exists);
      throw isTooManyPasskeys(error) ? new Refusal(passkeyErrors.too_many_passkeys) : error;
    }
    return view;
  },
});

async function verify(
  ctx: OperationContext<'optional'>,
  agentId: string,
  response: JsonObject,
): Promise<Passkey | null> {
  for (const challenge of await challengesOf(ctx, agentId)) {
    const passkey = await ctx.ports.passkeys.verifyEnrolment(response, { challenge, origin: siteOf(ctx) });
    if (passkey !== null) return passkey;
  }
  return null;
}
