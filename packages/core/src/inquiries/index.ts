/** Letters to the people who run the marketplace, and their answers. */

export {
  type AttachmentRow,
  beginUploads,
  endUploads,
  isBeingRemoved,
  releaseAttachments,
} from './attachments/attachments.store.ts';
export { checkAttachments, storeAttachments } from './attachments/attachments.ts';
export { SERVED_TYPES } from './attachments/content-type.rules.ts';
export { attachmentFile, getAttachment } from './attachments/get-attachment.ts';
export { createBodyReceiver, MAX_UPLOAD_MS } from './attachments/receive-body.ts';
export { sweepAttachments } from './attachments/sweep-attachments.ts';
export { closeInquiry } from './close-inquiry.ts';
export { closeQuietInquiries } from './close-quiet-inquiries.ts';
export { followUpInquiry } from './follow-up-inquiry.ts';
export { getInquiry } from './get-inquiry.ts';
export { getInquiryThread } from './get-inquiry-thread.ts';
export {
  ATTACHMENTS_OF_BODY,
  type AttachmentInput,
  attachments,
  attachmentView,
} from './inquiries.schema.ts';
export { listInquiryRows } from './inquiries.store.ts';
export { viewAttachment } from './inquiry-view.rules.ts';
export { listIdeas } from './list-ideas.ts';
export { listInquiries } from './list-inquiries.ts';
export { replyToInquiry } from './reply-to-inquiry.ts';
export { submitIdea } from './submit-idea.ts';
export { submitInquiry } from './submit-inquiry.ts';
