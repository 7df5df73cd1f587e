/** What is reported, and what was decided about it: the queue of operators, and appeals. */
export { caseErrors } from './cases.errors.ts';
export { action, caseView, decisionReason, outcome, viewCase } from './cases.schema.ts';
export {
  type Action,
  decideCase,
  endAppeal,
  findCase,
  insertDecidedCase,
  isAppealed,
  isDecided,
  type ModerationCase,
  reopenCase,
} from './cases.store.ts';
export { createAppeal } from './create-appeal.ts';
export { createReport } from './create-report.ts';
export { decisionNotices } from './decision-notices.ts';
export { fileReport, reportErrors } from './file-report.ts';
export { getReportStatus } from './get-report-status.ts';
export { listReports } from './list-reports.ts';
export { readReport } from './read-report.rules.ts';
export { readReports } from './reports.store.ts';
export { type FoundSubject, findSubject, placeOf, type Subject, subjectOf } from './subjects.store.ts';
