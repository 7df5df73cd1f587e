import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import * as z from 'zod';
import { recordAccountNotice } from '../../agents/index.ts';
import type { Passkey } from '../../kernel/crypto/passkeys.ts';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../../kernel/operation/operation.ts';
import { lineOf } from '../../kernel/text-schema.ts';
import { isoTime } from '../../kernel/time.ts';
import { siteOf } from '../approval-links.ts';
import { passkeyEnrolledMail } from '../owner-mails.ts';
import { enrolmentChallenge, requireEnroller } from './enrolment.ts';
import { findKeyEnrolment, isEnrolmentOver, useEnrolment } from './enrolments.store.ts';
import { newPasskey } from './passkey.schema.ts';
import { passkeyErrors } from './passkeys.errors.ts';
import { insertPasskey, isKnownPasskey, isTooManyPasskeys } from './passkeys.store.ts';

export const passkeyView = z
  .object({
    createdAt: z.iso.datetime(),
    enrolledBy: z.enum(['key', 'mail']),
    id: z.string(),
    label: z.string(),
  })
  .meta({ id: 'Passkey' });

export const enrolPasskey = defineOperation({
  name: 'enrolPasskey',
  summary: 'Enrol a passkey, with which a person approves purchases of the agent.',
  description: 'Your callbackUrl and your e-mail address are told.',
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
    const { ports, now } = ctx;
    const { agentId, by, enrolmentId } = await requireEnroller(ctx, token);
    const at = isoTime(now);
    const id = enrolmentId ?? (await findKeyEnrolment(ports.market, agentId, at));
    const passkey = id && (await verify(ctx, id, response));
    if (!id || !passkey) throw new Refusal(passkeyErrors.passkey_not_accepted);
    const view = { createdAt: at, enrolledBy: by, id: passkey.id, label };
    const notice = {
      type: 'passkey.enrolled',
      data: { by },
      mail: passkeyEnrolledMail(`${siteOf(ctx)}/approvals`),
    } as const;
    try {
      await ctx.commit(
        [
          ...useEnrolment(id, at),
          ...insertPasskey({ ...view, ...passkey, agentId }),
          ...recordAccountNotice(ctx, agentId, notice),
        ],
        view,
      );
    } catch (error) {
      if (isEnrolmentOver(error))
        throw new Refusal(passkeyErrors[by === 'mail' ? 'enrolment_link_over' : 'passkey_not_accepted']);
      if (isKnownPasskey(error)) throw new Refusal(passkeyErrors.passkey_exists);
      throw isTooManyPasskeys(error) ? new Refusal(passkeyErrors.too_many_passkeys) : error;
    }
    ports.background.run(ports.jobs.send({ kind: 'outbox' }));
    return view;
  },
});

async function verify(
  ctx: OperationContext<'optional'>,
  enrolmentId: string,
  response: JsonObject,
): Promise<Passkey | null> {
  const challenge = await enrolmentChallenge(ctx.ports.keyedHash, enrolmentId);
  return ctx.ports.passkeys.verifyEnrolment(response, { challenge, origin: siteOf(ctx) });
}
