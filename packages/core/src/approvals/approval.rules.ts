import { type EpochMs, HOUR_MS, type IsoTime, isoTime } from '../kernel/time.ts';

/** How long a purchase waits for a person, and how long what was approved can be bought. */
const APPROVAL_MS = HOUR_MS;

/** So many of one agent may wait: each is a mail to its owner. */
export const OPEN_APPROVALS = 10;

export const approvalEnd = (now: EpochMs): IsoTime => isoTime(now + APPROVAL_MS);

export type Decision = 'approve' | 'decline';
/** What a person proves to be there for. */
export type OwnerAct = Decision | 'read';
export type ApprovalStatus = 'pending' | 'approved' | 'declined' | 'used' | 'expired';

/** An approval ends by the clock without anybody writing it down. */
export function approvalStatus(
  { status, expiresAt }: { readonly status: ApprovalStatus; readonly expiresAt: IsoTime },
  now: EpochMs,
): ApprovalStatus {
  return isOpen(status) && expiresAt <= isoTime(now) ? 'expired' : status;
}

/** Whether a person can still decide it, or what was approved be bought. */
export const isOpen = (status: ApprovalStatus): boolean => status === 'pending' || status === 'approved';

/** What a passkey signs: one act on this approval and on what it is for. A signature of one is good for no other. */
export const ownerActMessage = (
  { id, binding }: { readonly id: string; readonly binding: string },
  act: OwnerAct,
): string => `${id}\n${binding}\n${act}`;
