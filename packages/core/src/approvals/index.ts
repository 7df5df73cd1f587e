/** What a key may buy only if a person approves it: the approvals, and the passkeys that give them. */
export { approvalErrors, approvalRefusals } from './approvals.errors.ts';
export { deleteApprovals, endApprovals, isApprovalSpent, useApproval } from './approvals.store.ts';
export { decideApproval } from './decide-approval.ts';
export { getApproval } from './get-approval.ts';
export { listApprovals } from './list-approvals.ts';
export { challengePasskey } from './passkeys/challenge-passkey.ts';
export { enrolPasskey } from './passkeys/enrol-passkey.ts';
export { deletePasskeyEnrolments } from './passkeys/enrolments.store.ts';
export { listPasskeys } from './passkeys/list-passkeys.ts';
export { mailPasskeyLink } from './passkeys/mail-passkey-link.ts';
export { removePasskey } from './passkeys/remove-passkey.ts';
export { readApprovalQuery } from './read-approval-query.ts';
export { requireApproval } from './require-approval.ts';
