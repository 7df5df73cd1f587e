import { defineErrors } from '../kernel/errors.ts';

export const adminErrors = defineErrors({
  designated_agent_not_found: {
    kind: 'not_found',
    title: 'No agent that may be designated has this id.',
    remedy: 'Check the id. Smoke-test agents are in no ledger and cannot be designated.',
  },
  purchase_not_overdue: {
    kind: 'conflict',
    title: 'There is nothing to try again for this purchase now.',
    remedy: 'Look at it in GET /admin/overdue: it may wait for a decision, a hold or its time in escrow.',
  },
  payment_still_possible: {
    kind: 'conflict',
    title:
      'This purchase is paid by its rail, or may still be: it is not in escrow, or something is under way.',
    remedy:
      'Retry a transfer, payout or refund that is under way until it is refused. A seller is paid when the time in escrow ' +
      'is over, and no dispute or hold stops it.',
  },
  paid_elsewhere_differs: {
    kind: 'conflict',
    title: 'The other party of this purchase was paid elsewhere.',
    remedy: 'Look at the purchase: what was recorded stays as it is.',
  },
  payout_not_found: {
    kind: 'not_found',
    title: 'No payout in USDC has this id.',
    remedy:
      'Take it from GET /admin/overdue. What is paid to accounts at the card processor is retried by its purchase.',
  },
  payout_not_overdue: {
    kind: 'conflict',
    title: 'This payout has ended: it was paid, or refused for good.',
    remedy: 'Nothing has to be done. What was refused is in escrow again, and goes out in another payout.',
  },
  top_up_not_found: {
    kind: 'not_found',
    title: 'No top-up has this id.',
    remedy: 'Take it from GET /admin/overdue, or from the log.',
  },
  top_up_not_overdue: {
    kind: 'conflict',
    title: 'This top-up has ended, and nothing of it is to go back.',
    remedy: 'Nothing has to be done.',
  },
  claim_not_found: {
    kind: 'not_found',
    title: 'No seller bears a part of a chargeback with this id.',
    remedy: 'Take the id from GET /admin/overdue or GET /admin/disputes.',
  },
  claim_settled: {
    kind: 'conflict',
    title: 'Nothing is open between the seller and the platform for this chargeback.',
    remedy: 'Nothing has to be done: a payout or a reversed transfer bore it, or it was settled before.',
  },
  card_event_not_found: {
    kind: 'not_found',
    title: 'No report of the card processor with this id is recorded.',
    remedy: 'Take it from GET /admin/overdue. Those that were taken are forgotten after some days.',
  },
  message_not_found: {
    kind: 'not_found',
    title: 'No message that the queue gave up has this id.',
    remedy: 'Take it from GET /admin/overdue. What was sent again is gone from there.',
  },
  card_processor_unavailable: {
    kind: 'unavailable',
    title: 'The card processor did not answer, or refused.',
    remedy: 'Look at its status and at the log, then try again. Nothing is done twice.',
    retryable: true,
  },
  purchase_not_on_hold: {
    kind: 'conflict',
    title: 'The operator does not hold this purchase.',
    remedy: 'Nothing has to be done: its time in escrow goes on.',
  },
  affiliated_receipt_exists: {
    kind: 'conflict',
    title: 'A receipt with this id was recorded before.',
    remedy: 'Nothing has to be done if it is the same receipt: what was recorded stays as it is.',
  },
  affiliated_merchant_differs: {
    kind: 'conflict',
    title: 'The merchant is recorded with another name or site, or its name is taken.',
    remedy: 'Send the name and site as they were first recorded, or a merchant id of its own.',
  },
  note_subject_not_found: {
    kind: 'not_found',
    title: 'There is nothing of this kind under this id.',
    remedy: 'Find it with GET /admin/search, which says of what kind it is.',
  },
  smoke_test_not_found: {
    kind: 'not_found',
    title: 'No smoke-test agent has this id.',
    remedy: 'List them with GET /admin/smoke-tests. Other agents cannot be removed.',
  },
  smoke_test_in_use: {
    kind: 'conflict',
    title: 'Something else still refers to this smoke-test agent.',
    remedy: 'Remove the other smoke-test agents it dealt with, then this one.',
  },
});
