import { sha256Hex } from '../../kernel/crypto/digest.ts';
import { fromAnyBase64 } from '../../kernel/crypto/encoding.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { OperationContext } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { isoTime } from '../../kernel/time.ts';
import { type AttachmentInput, MAX_ATTACHMENT_BYTES } from '../inquiries.schema.ts';
import { type AttachmentRow, beginUploads, insertAttachments, isBeingRemoved } from './attachments.store.ts';
import { servedType } from './content-type.rules.ts';
import { safeFilename } from './filename.rules.ts';

/** An attachment that passed all checks and is not stored yet. */
export interface CheckedAttachment {
  readonly row: AttachmentRow;
  readonly bytes: Uint8Array;
}

/** Refuses the whole request if one attachment fails a check: nothing of a refused request is stored. */
export async function checkAttachments(
  { ids }: Pick<Ports, 'ids'>,
  inputs: readonly AttachmentInput[],
): Promise<CheckedAttachment[]> {
  const files: CheckedAttachment[] = [];
  for (const [index, { filename, contentType, contentBase64 }] of inputs.entries()) {
    const bytes = fromAnyBase64(contentBase64);
    if (bytes === null) throw attachmentRefusal(index, 'contentBase64', 'Not base64 (RFC 4648).');
    if (bytes.length > MAX_ATTACHMENT_BYTES)
      throw attachmentRefusal(index, 'contentBase64', `At most ${MAX_ATTACHMENT_BYTES} bytes decoded.`);
    const row: AttachmentRow = {
      contentType: servedType(contentType),
      filename: safeFilename(filename),
      id: ids.uuid(),
      position: index + 1,
      sha256: await sha256Hex(bytes),
      sizeBytes: bytes.length,
    };
    files.push({ row, bytes });
  }
  return files;
}

function attachmentRefusal(index: number, field: string, message: string): Refusal {
  return new Refusal(commonErrors.validation_failed, {
    fields: [{ message, path: `attachments.${index}.${field}` }],
  });
}

/**
 * Stores the bytes and returns the statements that attach them to a message. Bytes are stored first, so that no row
 * points to nothing. Bytes whose rows never follow are found by the uploads noted here, and removed.
 */
export async function storeAttachments(
  { ports, withinQuota, now }: Pick<OperationContext, 'ports' | 'withinQuota' | 'now'>,
  owner: { readonly inquiryId: string; readonly messageId: string },
  files: readonly CheckedAttachment[],
): Promise<Statement[]> {
  if (files.length === 0) return [];
  const { market, attachments } = ports;
  if (attachments === null) throw storeUnavailable();
  const rows = files.map(({ row }) => row);
  const upload = { messageId: owner.messageId, sha256s: rows.map(({ sha256 }) => sha256) };
  const bytes = rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  try {
    // Counted before anything is stored: bytes whose message is refused stay for a while.
    await market.commit(withinQuota(beginUploads(upload, isoTime(now)), { bytes }));
  } catch (error) {
    if (isBeingRemoved(error)) throw storeUnavailable();
    throw error;
  }
  const outcomes = await Promise.all(files.map(({ row, bytes }) => attachments.put(row.sha256, bytes)));
  if (outcomes.includes('unavailable')) throw storeUnavailable();
  return insertAttachments(owner, rows);
}

function storeUnavailable(): Refusal {
  return new Refusal(commonErrors.service_unavailable, {
    detail: 'Attachments cannot be stored right now. Nothing was sent.',
    retryAfterSeconds: 5,
  });
}
