import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Ids } from '../../kernel/ports/ids.ts';
import type { IsoTime } from '../../kernel/time.ts';
import { type NoticePurpose, queueNoticeMail } from '../../mail/index.ts';
import type { AgentEventType } from './agent-event.ts';
import { recordAgentEvent } from './agent-events.store.ts';
import { recordNotification } from './notifications.store.ts';

export type SellerNoticeType = Extract<
  AgentEventType,
  `endpoint.${string}` | `payout.change${string}` | `payout.account_${string}` | `listing.${string}blocked`
>;

/**
 * A notice to a seller of a change that somebody else made or may have made, through what that somebody need not hold: its
 * callback and its dashboard, and its mail where payouts or deliveries would go elsewhere. Commit it with the change.
 */
export function recordSellerNotice(
  { ids }: { readonly ids: Ids },
  sellerId: string,
  type: SellerNoticeType,
  data: JsonObject,
  at: IsoTime,
): Statement[] {
  const notificationId = ids.uuid();
  const purpose = mailPurposeOf(type);
  return [
    ...recordAgentEvent(sellerId, type, data, ids.uuid(), at),
    recordNotification(sellerId, type, data, notificationId, at),
    ...(purpose === null ? [] : [queueNoticeMail(sellerId, { purpose, notificationId }, at)]),
  ];
}

function mailPurposeOf(type: SellerNoticeType): NoticePurpose | null {
  if (type.startsWith('payout.')) return 'payout_notice';
  return type.startsWith('endpoint.') ? 'endpoint_notice' : null;
}
