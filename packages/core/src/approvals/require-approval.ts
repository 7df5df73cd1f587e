import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { needsApproval } from '../budgets/index.ts';
import { Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import { isoTime } from '../kernel/time.ts';
import { approvalEnd } from './approval.rules.ts';
import { approvalLinks } from './approval-links.ts';
import { offerWays } from './approval-ways.ts';
import { approvalErrors } from './approvals.errors.ts';
import {
  type Approval,
  type ApprovalKey,
  findOpenApproval,
  insertApproval,
  isOpenAlready,
  isTooMany,
} from './approvals.store.ts';

type ApprovalContext = Pick<
  OperationContext<'optional'>,
  'ports' | 'now' | 'caller' | 'settings' | 'baseUrl' | 'idempotencyKey'
>;

/** All that a person approves: anything else needs another approval. */
export interface Approvable {
  readonly listing: { readonly id: string; readonly version: number; readonly title: string };
  readonly amountCents: number;
  readonly query: JsonObject | null;
  /** Where the receipt is mailed. */
  readonly email: string | null;
  /** In the order in which they are tried. */
  readonly rails: readonly string[];
}

/**
 * The approval to be used with what is bought; null: the key needs none. Where a person has not decided yet, refuses with
 * the address of the page for it: the address shows, and grants nothing.
 */
export async function requireApproval(ctx: ApprovalContext, wish: Approvable): Promise<string | null> {
  const { caller, ports, now } = ctx;
  if (caller === null || !needsApproval(caller.policies, wish.amountCents)) return null;
  const binding = await bindingOf(ctx, wish);
  const key: ApprovalKey = { agentId: caller.agentId, keyId: caller.keyId, binding };
  const found = await findOpenApproval(ports.market, key, isoTime(now));
  if (found?.status === 'approved') return found.id;
  if (found?.status === 'declined') throw new Refusal(approvalErrors.approval_declined, { charged: false });
  const approval = found ?? (await openApproval(ctx, key, wish));
  const { by, obstacle } = await offerWays(ctx, {
    ...approval,
    agentId: caller.agentId,
    amountCents: wish.amountCents,
  });
  throw new Refusal(approvalErrors.approval_required, {
    charged: false,
    approvalBy: by,
    approvalUrl: approvalLinks(ctx).page(approval.id),
    ...(by.length > 0 || obstacle === null
      ? {}
      : {
          detail: {
            not_verified:
              'Nobody can approve it yet: the agent has no passkey and no verified e-mail address. Its owner verifies an ' +
              'address (PATCH /agents/me with `email`, with a key that has the scope `all` and no budget). Then send the ' +
              'same request again.',
            sends_no_mail:
              'Nobody can approve it yet: the agent has no passkey, and this marketplace sends no mail. Its owner enrols a ' +
              'passkey, and decides with it.',
            too_many_mails:
              'The agent has no passkey, and its owner was mailed ten approvals within a day. The owner enrols a passkey, ' +
              'or the purchase waits until tomorrow.',
          }[obstacle],
        }),
  });
}

type OpenApproval = Pick<Approval, 'id' | 'expiresAt'>;

function bindingOf({ idempotencyKey }: ApprovalContext, wish: Approvable): Promise<string> {
  const { listing, amountCents, email, query, rails } = wish;
  return canonicalDigest({
    amountCents,
    email,
    idempotencyKey,
    listingId: listing.id,
    listingVersion: listing.version,
    query,
    rails: [...rails],
  });
}

async function openApproval(ctx: ApprovalContext, key: ApprovalKey, wish: Approvable): Promise<OpenApproval> {
  const { ports, now } = ctx;
  const { listing, amountCents, query, rails } = wish;
  const [id, expiresAt] = [ports.ids.uuid(), approvalEnd(now)];
  const statements: Statement[] = [
    ...insertApproval({
      id,
      ...key,
      listingId: listing.id,
      listingVersion: listing.version,
      amountCents,
      query,
      rails: rails.join(' or '),
      createdAt: isoTime(now),
      expiresAt,
    }),
  ];
  try {
    await ports.market.commit(statements);
    return { id, expiresAt };
  } catch (error) {
    if (isTooMany(error))
      throw new Refusal(approvalErrors.too_many_approvals, { charged: false, retryAfterSeconds: 600 });
    // The same request at the same moment.
    const found = isOpenAlready(error) ? await findOpenApproval(ports.market, key, isoTime(now)) : null;
    if (found === null) throw error;
    return found;
  }
}
