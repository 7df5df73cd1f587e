import { toBase64Url, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { expect, it } from 'vitest';
import { inboxCursorFrom, parseInboxCursor } from './inbox.rules.ts';

const POSITION = { createdAt: '2026-06-01T12:00:00.000Z', id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' };

it('gives positions that can be read back and put into a query string', () => {
  const cursor = inboxCursorFrom(POSITION);
  expect(cursor).toMatch(/^[\w-]+$/);
  expect(parseInboxCursor(cursor)).toEqual(POSITION);
});

it.each([
  '',
  'x',
  '~~~~',
  `${POSITION.createdAt} ${POSITION.id}`,
  ...[`${POSITION.createdAt}`, `~ ${POSITION.id}`, `${POSITION.createdAt} ${POSITION.id} `, '\u{1F642}'].map(
    (text) => toBase64Url(utf8(text)),
  ),
])('reads no other text: %j', (cursor) => {
  expect(parseInboxCursor(cursor)).toBeNull();
});
