import { defineErrors } from '../kernel/errors.ts';

export const caseErrors = defineErrors({
  report_subject_not_found: {
    kind: 'not_found',
    title: 'There is nothing to report under this id.',
    remedy: 'Take the id of a listing from GET /marketplace/listings, or that of an agent from GET /agents.',
  },
  report_not_found: {
    kind: 'not_found',
    title: 'This link opens no report.',
    remedy:
      'Take the whole `statusUrl` of POST /reports. Reports end 365 days after they were made, once they are decided.',
  },
  own_subject: {
    kind: 'forbidden',
    title: 'This is your own.',
    remedy: 'Take your own listing off the market with POST /marketplace/listings/{id}/deactivate.',
  },
  case_not_found: {
    kind: 'not_found',
    title: 'No report has this id.',
    remedy: 'List what was reported with GET /admin/reports.',
  },
  case_decided: {
    kind: 'conflict',
    title: 'This was decided before.',
    remedy: 'Look at it with GET /admin/reports: another operator may have come first.',
  },
  decision_not_found: {
    kind: 'not_found',
    title: 'No decision that concerns you has this id.',
    remedy: 'Its id is in the event `moderation.decided`; see GET /agents/me/events.',
  },
  decision_appealed: {
    kind: 'conflict',
    title: 'There was an appeal against this decision already.',
    remedy: 'Wait for the event `moderation.decided` with its outcome. A decision can be appealed once.',
  },
  no_open_appeal: {
    kind: 'conflict',
    title: 'No appeal waits here.',
    remedy: 'List appeals with GET /admin/reports?state=appealed: another operator may have come first.',
  },
  own_decision: {
    kind: 'forbidden',
    title: 'You made the decision that is appealed.',
    remedy: 'Have another operator decide the appeal.',
  },
  suspended_agent_not_found: {
    kind: 'not_found',
    title: 'No agent has this id.',
    remedy: 'Take the id from the report, or from GET /agents.',
  },
  limited_agent_not_found: {
    kind: 'not_found',
    title: 'No agent has this id.',
    remedy: 'Check the id: it is in the log entry, and in the purchase or top-up that it was about.',
  },
  suspension_unchanged: {
    kind: 'conflict',
    title: 'The agent is suspended already, or is not suspended.',
    remedy: 'Another operator may have decided before; the platform itself is never suspended.',
  },
});
