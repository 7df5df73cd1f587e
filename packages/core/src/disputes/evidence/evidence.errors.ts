import { defineErrors } from '../../kernel/errors.ts';

export const evidenceErrors = defineErrors({
  not_disputed: {
    kind: 'not_found',
    title: 'Nobody disputes this purchase.',
    remedy: 'Statements are made once its buyer disputes it, or the bank of the card that paid.',
  },
  evidence_closed: {
    kind: 'conflict',
    title: 'This dispute is decided: no further statement is taken.',
    remedy: 'A decision stands. Write to POST /inquiries if something was overlooked.',
  },
  evidence_full: {
    kind: 'conflict',
    title: 'You have made as many statements about this purchase as you may: 10.',
    remedy: 'What you have said is read as a whole. Write to POST /inquiries if something was overlooked.',
  },
  evidence_not_found: {
    kind: 'not_found',
    title: 'This dispute has no such file.',
    remedy: 'Use the `url` that the dispute gives for an attachment.',
  },
});
