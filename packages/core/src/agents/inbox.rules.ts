import { fromBase64Url, toBase64Url, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { IsoTime } from '../kernel/time.ts';

/** The last message of a page. The next page starts after it, with older messages. */
export interface InboxPosition {
  readonly createdAt: IsoTime;
  readonly id: string;
}

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f-]{36})$/;

/** A position as the opaque text that callers get. */
export function inboxCursorFrom({ createdAt, id }: InboxPosition): string {
  return toBase64Url(utf8(`${createdAt} ${id}`));
}

/** Null for a text that is no cursor of the marketplace. */
export function parseInboxCursor(cursor: string): InboxPosition | null {
  const bytes = fromBase64Url(cursor);
  if (bytes === null) return null;
  const [, createdAt, id] = POSITION.exec(new TextDecoder().decode(bytes)) ?? [];
  return createdAt === undefined || id === undefined ? null : { createdAt, id };
}
