import * as z from 'zod';
import {
  agentErrors,
  callbackChangedMail,
  displayNameField,
  mailEmailLink,
  ownAgent,
  pushEvent,
  readOwnAgent,
  readOwnRecord,
  recordAccountNotice,
  requireCallableUrl,
  requireOwnName,
  setCallbackUrl,
  setDisplayName,
} from '../agents/index.ts';
import { Refusal } from '../kernel/errors.ts';
import { isWholeKey, wholeKeyMissing } from '../kernel/operation/key-scopes.ts';
import { defineOperation, type OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { isoTime } from '../kernel/time.ts';
import { reindexSeller } from '../search/index.ts';
import { proofErrors, proveEndpoint } from '../selling/index.ts';

type Context = OperationContext<'agent'>;

/** What an agent says of itself after its registration. What is left out stays as it is. */
export const updateAgent = defineOperation({
  name: 'updateAgent',
  summary: 'Change your public name, your e-mail address, or where your events are sent.',
  description:
    'A new `callbackUrl` is sent a signed verification_challenge and must answer with the same nonce within 15 seconds; until ' +
    'it does, the old one stays, and nothing else is changed either. `null` removes a name or a URL. Events are kept for 30 ' +
    'days in either case: GET /agents/me/events. An `email` is mailed a link, and is yours once its reader confirms it there; ' +
    'it takes a key with the scope `all` and no budget. Send the present one to have it confirmed. A change of the ' +
    '`callbackUrl` is told to the e-mail address, and once to the URL of before.',
  area: 'Agents',
  auth: 'agent',
  scope: 'manage',
  input: z.object({
    displayName: displayNameField.nullable().optional(),
    callbackUrl: z
      .string()
      .max(2048)
      .nullable()
      .optional()
      .describe('Public https URL that receives signed events; redirects are not followed.'),
    email: z
      .email()
      .max(254)
      .optional()
      .describe('Private; for receipts, notices and the recovery of the account.'),
  }),
  publicFields: ['displayName'],
  output: ownAgent,
  errors: [agentErrors.agent_not_found, agentErrors.reserved_display_name, ...proofErrors],
  http: { method: 'patch', path: '/agents/me', status: 200 },
  rate: 'write',
  replay: readOwnAgent,
  async handle(ctx, { displayName, callbackUrl, email }) {
    if (typeof displayName === 'string') requireOwnName(displayName);
    // Whoever has the mailbox can recover the account: a key for less than everything must not move it.
    if (email !== undefined && !isWholeKey(ctx.caller)) throw wholeKeyMissing(ctx.caller);
    const redirection = callbackUrl === undefined ? UNCHANGED : await redirectEvents(ctx, callbackUrl);
    const statements = [
      ...(displayName === undefined ? [] : renameAgent(ctx, displayName)),
      ...redirection.statements,
      ...(email === undefined ? [] : await mailEmailLink(ctx, email)),
    ];
    await ctx.commit(statements, {});
    ctx.ports.background.run(redirection.tellFormer());
    return readOwnAgent(ctx);
  },
});

/** Listings show the name of their seller, also in lists. */
function renameAgent({ caller }: Context, displayName: string | null): Statement[] {
  return [setDisplayName(caller.agentId, displayName), reindexSeller(caller.agentId)];
}

interface Redirection {
  readonly statements: readonly Statement[];
  /** Tells the URL of before, once the change is made. */
  readonly tellFormer: () => Promise<unknown>;
}

const UNCHANGED: Redirection = { statements: [], tellFormer: async () => {} };

async function redirectEvents(ctx: Context, callbackUrl: string | null): Promise<Redirection> {
  const { ports, caller, now, settings } = ctx;
  if (callbackUrl !== null) requireCallableUrl(callbackUrl, 'callbackUrl', settings);
  const record = await readOwnRecord(ports.market, caller.agentId);
  if (!record) throw new Refusal(agentErrors.agent_not_found);
  const { callbackUrl: former, isCallbackConfirmed } = record;
  if (former === callbackUrl) return UNCHANGED;
  const host = callbackUrl === null ? null : new URL(callbackUrl).host;
  const event = {
    id: ports.ids.uuid(),
    type: 'account.callback_changed' as const,
    data: { byKeyId: caller.keyId, host },
  };
  const notice = recordAccountNotice(ctx, caller.agentId, { ...event, mail: callbackChangedMail(host) });
  const changed = [...setCallbackUrl(caller.agentId, callbackUrl, isoTime(now)), ...notice];
  // Whoever reads there must not believe that nothing happens any more. One try: the outbox knows the new URL only.
  const tellFormer = async () => {
    if (former !== null && isCallbackConfirmed)
      await pushEvent(ports, former, { ...event, createdAt: isoTime(now) });
  };
  if (callbackUrl === null) return { statements: changed, tellFormer };
  const endpoint = { sellerId: caller.agentId, callbackUrl, callbackType: 'webhook' as const };
  const { onSuccess } = await proveEndpoint(ctx, endpoint);
  return { statements: [...changed, ...onSuccess], tellFormer };
}
