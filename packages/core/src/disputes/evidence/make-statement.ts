import { type AttachmentInput, checkAttachments, storeAttachments } from '../../inquiries/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { OperationContext } from '../../kernel/operation/operation.ts';
import { isoTime } from '../../kernel/time.ts';
import { disputeStatementEvents, type Sale } from '../../sales/index.ts';
import { evidenceErrors } from './evidence.errors.ts';
import { evidenceState } from './evidence.rules.ts';
import { viewStatement } from './evidence.schema.ts';
import { addStatement, hasNoStatementRoom, isEvidenceClosed } from './evidence.store.ts';

interface NewStatement {
  readonly author: 'buyer' | 'seller' | 'operator';
  readonly body: string;
  readonly attachments: readonly AttachmentInput[];
}

/** Says something about a disputed sale, with files: read by both parties and the operator. */
export async function makeStatement(
  ctx: OperationContext,
  sale: Sale,
  { author, body, attachments }: NewStatement,
) {
  const { ports, now, settings, baseUrl } = ctx;
  const siteUrl = settings.siteUrl ?? new URL(baseUrl).origin;
  const { kind } = evidenceState(sale);
  if (kind === 'none') throw new Refusal(evidenceErrors.not_disputed);
  if (kind === 'closed') throw new Refusal(evidenceErrors.evidence_closed);
  const files = await checkAttachments(ctx, attachments);
  const rows = files.map(({ row }) => row);
  const statement = {
    id: ports.ids.uuid(),
    purchaseId: sale.id,
    author,
    body,
    createdAt: isoTime(now),
  };
  const stored = await storeAttachments(ctx, statement.id, files);
  const reader = author === 'operator' ? 'operator' : 'party';
  const answer = { statement: viewStatement({ ...statement, attachments: rows }, reader) };
  try {
    const events = disputeStatementEvents(ports, sale, { ...statement, from: author, siteUrl });
    await ctx.commit([...addStatement(statement, rows), ...stored, ...events], answer);
    return answer;
  } catch (error) {
    if (isEvidenceClosed(error)) throw new Refusal(evidenceErrors.evidence_closed);
    if (hasNoStatementRoom(error)) throw new Refusal(evidenceErrors.evidence_full);
    throw error;
  }
}
