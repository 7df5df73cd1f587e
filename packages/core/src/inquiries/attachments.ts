import { sha256Hex } from '../kernel/crypto/digest.ts';
import { fromBase64 } from '../kernel/crypto/encoding.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { Statement } from '../kernel/ports/database.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type EpochMs, isoTime } from '../kernel/time.ts';
import { type AttachmentRow, beginUploads, insertAttachments, isBeingRemoved } from './attachments.store.ts';
import { servedType } from './content-type.rules.ts';
import { safeFilename } from './filename.rules.ts';
import { type GivenAttachment, MAX_ATTACHMENT_BYTES } from './inquiries.schema.ts';

/** An attachment that was found good, and is nowhere yet. */
export interface CheckedAttachment {
  readonly row: AttachmentRow;
  readonly bytes: Uint8Array;
}

/** Refuses all of them if one is not good: nothing is kept of a request that is refused. */
export async function checkAttachments(
  { ids }: Pick<Ports, 'ids'>,
  given: readonly GivenAttachment[],
): Promise<CheckedAttachment[]> {
  const checked: CheckedAttachment[] = [];
  for (const [index, { filename, contentType, contentBase64 }] of given.entries()) {
    const bytes = fromBase64(contentBase64);
    if (bytes === null) throw refused(index, 'contentBase64', 'Not base64 as in RFC 4648 section 4, padded.');
    if (bytes.length === 0) throw refused(index, 'contentBase64', 'An attachment holds at least one byte.');
    if (bytes.length > MAX_ATTACHMENT_BYTES)
      throw refused(index, 'contentBase64', `At most ${MAX_ATTACHMENT_BYTES} bytes decoded.`);
    const type = servedType(contentType, bytes);
    if (type === null) throw refused(index, 'contentType', 'The content is not of this type.');
    const row: AttachmentRow = {
      contentType: type,
      filename: safeFilename(filename),
      id: ids.uuid(),
      position: index + 1,
      sha256: await sha256Hex(bytes),
      sizeBytes: bytes.length,
    };
    checked.push({ row, bytes });
  }
  return checked;
}

function refused(index: number, field: string, message: string): Refusal {
  return new Refusal(commonErrors.validation_failed, {
    fields: [{ message, path: `attachments.${index}.${field}` }],
  });
}

/**
 * Keeps the bytes, and returns the statements that make them part of a message. Bytes come first, so that no
 * row ever points to nothing; those whose rows never come are found by what was noted before, and removed.
 */
export async function keepAttachments(
  ports: Pick<Ports, 'market' | 'attachments'>,
  owner: { readonly inquiryId: string; readonly messageId: string },
  checked: readonly CheckedAttachment[],
  now: EpochMs,
): Promise<Statement[]> {
  if (checked.length === 0) return [];
  const { market, attachments } = ports;
  if (attachments === null) throw unavailable();
  const rows = checked.map(({ row }) => row);
  const noted = { messageId: owner.messageId, sha256s: rows.map(({ sha256 }) => sha256) };
  try {
    await market.commit(beginUploads(noted, isoTime(now)));
  } catch (error) {
    if (isBeingRemoved(error)) throw unavailable();
    throw error;
  }
  const outcomes = await Promise.all(checked.map(({ row, bytes }) => attachments.put(row.sha256, bytes)));
  if (outcomes.includes('unavailable')) throw unavailable();
  return insertAttachments(owner, rows);
}

function unavailable(): Refusal {
  return new Refusal(commonErrors.service_unavailable, {
    detail: 'Attachments cannot be kept right now. Nothing was sent.',
    retryAfterSeconds: 5,
  });
}
