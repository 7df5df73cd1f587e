/** What goes out by mail: rows first, sent by a job. */
export { queueAccountMail, queueLinkMail, queueSaleMail } from './account-mails.store.ts';
export { linkWithCode } from './link-with-code.ts';
export { listMail } from './list-mail.ts';
export { deleteMail, foldMails, queueClaimMail, queueMail, writeMail } from './mail.store.ts';
export { type NoticePurpose, queueNoticeMail } from './notice-mails.store.ts';
export { forgetMail, sendMail } from './send-mail.ts';
