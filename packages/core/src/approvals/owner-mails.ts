import { accountMail } from '../agents/index.ts';
import { dollarsOf } from '../kernel/dollars.ts';
import type { IsoTime } from '../kernel/time.ts';

interface ApprovalMail {
  readonly url: string;
  readonly amountCents: number;
  readonly expiresAt: IsoTime;
}

/** It repeats nothing that a seller or the agent wrote: the page shows that. */
export const approvalMail = ({ url, amountCents, expiresAt }: ApprovalMail) =>
  accountMail(
    `Your agent wants to spend $${dollarsOf(amountCents)}`,
    `Your agent wants to spend $${dollarsOf(amountCents)}, which is more than its key may spend without you. See what it is for, and`,
    'approve or decline it:',
    '',
    url,
    '',
    `The link decides this purchase alone, once, until ${expiresAt}. Keep it to yourself, and from your agent.`,
    'If you do nothing, nothing is bought.',
  );

export const passkeyLinkMail = (url: string, expiresAt: IsoTime) =>
  accountMail(
    'Enrol a passkey for your agent',
    'Somebody asked, with an API key of your agent, to enrol a passkey. If it was you, open this page on the device that you',
    'will approve purchases with:',
    '',
    url,
    '',
    `The link enrols one passkey, until ${expiresAt}. Keep it to yourself, and from your agent.`,
    'If it was not you, ignore this mail: nothing happens without you.',
  );

export const passkeyEnrolledMail = (passkeysUrl: string) =>
  accountMail(
    'A passkey was enrolled for your agent',
    'Whoever has the passkey approves what your agent may not buy by itself. If it was not you, remove it with an API key that has no',
    'budget:',
    '',
    passkeysUrl,
  );

export const passkeyRemovedMail = (passkeysUrl: string) =>
  accountMail(
    'A passkey of your agent was removed',
    'It approves nothing any more. If it was not you, revoke the API keys that you do not know, and see what is left:',
    '',
    passkeysUrl,
  );
