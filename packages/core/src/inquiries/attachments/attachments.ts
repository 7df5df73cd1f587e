import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { fromAnyBase64 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { OperationContext } from '../../kernel/operation/operation.ts';
import type { AttachmentStore } from '../../kernel/ports/attachment-store.ts';
import type { Statement } from '../../kernel/ports/database.ts';
import { isoTime } from '../../kernel/time.ts';
import { type AttachmentInput, MAX_ATTACHMENT_BYTES } from '../inquiries.schema.ts';
import {
  type AttachmentRow,
  beginUploads,
  endUploads,
  insertAttachments,
  isBeingRemoved,
} from './attachments.store.ts';
import { servedType } from './content-type.rules.ts';
import { safeFilename } from './filename.rules.ts';
import { storedSha256 } from './receive-body.ts';

type StoringContext = Pick<OperationContext, 'ports' | 'withinQuota' | 'now'>;

/** An attachment that passed all checks and belongs to no message yet. */
export interface CheckedAttachment {
  readonly row: AttachmentRow;
  /** Null: they were stored before the request was read. */
  readonly bytes: Uint8Array | null;
}

/** Refuses the whole request if one attachment fails a check: nothing of a refused request is stored. */
export async function checkAttachments(
  { ports, storedFiles }: Pick<OperationContext, 'ports' | 'storedFiles'>,
  inputs: readonly AttachmentInput[],
): Promise<CheckedAttachment[]> {
  const files: CheckedAttachment[] = [];
  for (const [index, { filename, contentType, contentBase64 }] of inputs.entries()) {
    const storedBytes = storedFiles.get(contentBase64);
    const bytes = storedBytes === undefined ? fromAnyBase64(contentBase64) : null;
    const sizeBytes = storedBytes ?? bytes?.length;
    if (sizeBytes === undefined) throw attachmentRefusal(index, 'contentBase64', 'Not base64 (RFC 4648).');
    if (sizeBytes > MAX_ATTACHMENT_BYTES)
      throw attachmentRefusal(index, 'contentBase64', `At most ${MAX_ATTACHMENT_BYTES} bytes decoded.`);
    const row: AttachmentRow = {
      contentType: servedType(contentType),
      filename: safeFilename(filename),
      id: ports.ids.uuid(),
      position: index + 1,
      sha256: bytes === null ? storedSha256(contentBase64) : await sha256Hex(bytes),
      sizeBytes,
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

/** Files of a message of an inquiry: stored, and what attaches them is to be committed with the message. */
export async function attachToMessage(
  ctx: StoringContext,
  owner: { readonly inquiryId: string; readonly messageId: string },
  files: readonly CheckedAttachment[],
): Promise<Statement[]> {
  const stored = await storeAttachments(ctx, owner.messageId, files);
  const rows = files.map(({ row }) => row);
  return [...insertAttachments(owner, rows), ...stored];
}

/**
 * Stores the bytes and returns what gives them to a message, to be committed with it and its rows of attachments. Bytes are
 * stored first, so that no row points to nothing. Bytes whose rows never follow are found by the uploads noted here, and removed.
 */
export async function storeAttachments(
  { ports, withinQuota, now }: StoringContext,
  messageId: string,
  files: readonly CheckedAttachment[],
): Promise<Statement[]> {
  if (files.length === 0) return [];
  const { market, attachments } = ports;
  if (attachments === null) throw storeUnavailable();
  const rows = files.map(({ row }) => row);
  const upload = { messageId, sha256s: rows.map(({ sha256 }) => sha256) };
  const bytes = rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  try {
    // Counted before anything is stored: bytes whose message is refused stay for a while.
    await market.commit(withinQuota(beginUploads(upload, isoTime(now)), { bytes }));
  } catch (error) {
    if (isBeingRemoved(error)) throw storeUnavailable();
    throw error;
  }
  const areStored = await Promise.all(files.map((file) => isStored(file, attachments)));
  if (areStored.includes(false)) throw storeUnavailable();
  return [endUploads(upload)];
}

/**
 * What was stored before it was noted may have been removed in between, as bytes of nobody: from here on it is noted, so
 * what is there now stays.
 */
async function isStored({ row, bytes }: CheckedAttachment, attachments: AttachmentStore): Promise<boolean> {
  if (bytes === null) return (await attachments.has(row.sha256)) === 'found';
  return (await attachments.put(row.sha256, bytes)) === 'done';
}

function storeUnavailable(): Refusal {
  return new Refusal(commonErrors.service_unavailable, {
    detail: 'Attachments cannot be stored right now. Nothing was sent.',
    retryAfterSeconds: 5,
  });
}
