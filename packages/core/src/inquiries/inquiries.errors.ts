import { defineErrors } from '../kernel/errors.ts';

export const inquiryErrors = defineErrors({
  inquiry_not_found: {
    kind: 'not_found',
    title: 'No inquiry has this id.',
    remedy: 'Use the id that POST /inquiries answered: it is the only way to a thread.',
  },
  inquiry_closed: {
    kind: 'conflict',
    title: 'This inquiry is closed.',
    remedy: 'Open another one with POST /inquiries.',
  },
  inquiry_full: {
    kind: 'conflict',
    title: 'This inquiry has as many messages as a thread can hold.',
    remedy: 'Open another one with POST /inquiries.',
  },
  attachment_not_found: {
    kind: 'not_found',
    title: 'No attachment has this id.',
    remedy: 'Use the `url` that a thread gives for an attachment.',
  },
});
