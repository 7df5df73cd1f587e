import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { oneLine } from '../mail/mail.rules.ts';

/** The mail that brings a reply to whoever asked. */
export function replyMail(reply: {
  readonly subject: string;
  readonly authorName: string;
  readonly body: string;
  readonly threadUrl: string;
  readonly attachmentCount: number;
}): { subject: string; text: string } {
  const { subject, authorName, body, threadUrl, attachmentCount } = reply;
  const attachmentLines =
    attachmentCount === 0 ? [] : [`Attachments: ${attachmentCount}. They are in the thread.`, ''];
  return {
    subject: `Re: ${oneLine(subject)}`,
    text: [
      body,
      '',
      `${oneLine(authorName)}, ${BRAND.operator}`,
      '',
      '--',
      ...attachmentLines,
      'The whole thread, where you can also answer (this address does not read mail):',
      threadUrl,
      'Keep the link to yourself: whoever has it reads the thread and writes to it.',
      '',
    ].join('\n'),
  };
}
