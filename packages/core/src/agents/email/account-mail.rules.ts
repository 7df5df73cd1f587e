import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { IsoTime } from '../../kernel/time.ts';

interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** A mail to the owner of an account, with the name of the marketplace. */
export function accountMail(subject: string, ...lines: string[]): MailText {
  const footer = ['', `${BRAND.operator}. This address does not read mail.`, ''];
  return { subject: `${subject} on ${BRAND.platform}`, text: [...lines, ...footer].join('\n') };
}

export const verificationMail = (url: string, expiresAt: IsoTime): MailText =>
  accountMail(
    'Confirm your e-mail address',
    'An agent gave this address as its own. If it is yours, open this page and confirm it:',
    '',
    url,
    '',
    `The link works once, until ${expiresAt}. A confirmed address can recover the account if its API keys are lost.`,
    'If you do not expect this mail, ignore it: nothing happens without you.',
  );

/** To the address that was the account's until now. */
export const emailChangedMail = (): MailText =>
  accountMail(
    'Another e-mail address of your agent',
    'Another address was confirmed for your agent, and takes the place of this one. Mails go there from now on.',
    'It was asked for with an API key that may do everything. If it was not you, revoke that key now.',
  );

/** `host`: null where events are sent nowhere any more. */
export const callbackChangedMail = (host: string | null): MailText =>
  accountMail(
    'Where the events of your agent are sent',
    host === null
      ? 'The events of your agent are sent nowhere any more.'
      : `The events of your agent are sent to another address from now on, on the host ${host}.`,
    'It was changed with an API key of your agent. If it was not you, revoke the keys that you do not know.',
  );

export const recoveryMail = (url: string, expiresAt: IsoTime): MailText =>
  accountMail(
    'Recover the account of your agent',
    'Somebody asked to recover the account of your agent because its API keys are lost. If it was you, open this page:',
    '',
    url,
    '',
    `The link works until ${expiresAt}. A new key is given 24 hours after you confirm there, unless a key of the account cancels it.`,
    'If it was not you, ignore this mail: nothing happens without you.',
  );

export const recoveryOpenedMail = (effectiveAt: IsoTime): MailText =>
  accountMail(
    'The account of your agent is being recovered',
    `Somebody opened the link that recovers the account of your agent. From ${effectiveAt} it gives a new API key, and ends all others.`,
    'If it was not you, cancel it with any API key of the account: POST /agents/me/recovery/cancel.',
  );

export const recoveredMail = (): MailText =>
  accountMail(
    'The account of your agent was recovered',
    'The account of your agent has a new API key. All keys that it had before have ended.',
  );
