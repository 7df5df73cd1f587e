import { Refusal } from '../kernel/errors.ts';
import type { OperationContext } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Rule } from '../kernel/rules.data.ts';
import { isoTime } from '../kernel/time.ts';
import { caseErrors } from './cases.errors.ts';
import { reporterOf, reporterWithoutKey } from './report-link.ts';
import { findNetwork, insertReport } from './reports.store.ts';
import { findSubject, type Subject } from './subjects.store.ts';

/** The refusals of `fileReport`, for operations that declare them. */
export const reportErrors = [caseErrors.report_subject_not_found, caseErrors.own_subject] as const;

/** What files a report, to be committed by whoever takes it in. A second one of the same person or network changes nothing. */
export async function fileReport(
  { ports, caller, now, network }: OperationContext<'optional'>,
  subject: Subject,
  { reason, text }: { readonly reason: Rule; readonly text: string | null },
): Promise<Statement[]> {
  const [found, registeredFrom] = await Promise.all([
    findSubject(ports.market, subject),
    caller && findNetwork(ports.market, caller.agentId),
  ]);
  if (found === null) throw new Refusal(caseErrors.report_subject_not_found);
  if (found.ownerId === caller?.agentId) throw new Refusal(caseErrors.own_subject);
  const agentId = caller?.agentId ?? null;
  const known = registeredFrom ?? agentId;
  const reporter = await (known === null
    ? reporterWithoutKey(ports, subject, network)
    : reporterOf(ports, subject, known));
  const report = { caseId: ports.ids.uuid(), subject: found, reporter, agentId, reason, text };
  return insertReport({ ...report, at: isoTime(now) });
}
