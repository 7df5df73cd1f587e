import { type EpochMs, HOUR_MS, type IsoTime, isoTime } from '../kernel/time.ts';

/** How long a purchase waits for a person, and how long what was approved can be bought. */
const APPROVAL_MS = HOUR_MS;

/** So many of one agent may wait: each is a mail to its owner. */
export const OPEN_APPROVALS = 10;

export const approvalEnd = (now: EpochMs): IsoTime => isoTime(now + APPROVAL_MS);

export type Decision = 'approve' | 'decline';
export type ApprovalStatus = 'pending' | 'approved' | 'declined' | 'used' | 'expired';

/** An approval ends by the clock without anybody writing it down. */
export function approvalStatus(
  { status, expiresAt }: { readonly status: ApprovalStatus; readonly expiresAt: IsoTime },
  now: EpochMs,
): ApprovalStatus {
  const isOpen = status === 'pending' || status === 'approved';
  return isOpen && expiresAt <= isoTime(now) ? 'expired' : status;
}

/** What a passkey signs: a decision on this approval and on what it is for. A signature of one decides no other. */
export const decisionMessage = (
  { id, binding }: { readonly id: string; readonly binding: string },
  decision: Decision,
): string => `${id}\n${binding}\n${decision}`;
