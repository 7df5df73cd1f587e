import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS, isoTime } from '../kernel/time.ts';
import {
  afterMessage,
  MAX_MESSAGES,
  QUIET_REASON,
  refusalToWrite,
  type ThreadRow,
  threadAt,
} from './thread.rules.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const row = (fields: Partial<ThreadRow> = {}): ThreadRow => ({
  messageCount: 1,
  ...afterMessage('inquirer', NOW),
  closedAt: null,
  closedBy: null,
  closedReason: null,
  ...fields,
});

describe('a thread', () => {
  it('is open until 30 days after the last message, and closed from then on', () => {
    const end = NOW + 30 * DAY_MS;
    expect(threadAt(row(), end - 1)).toEqual({
      closedAt: null,
      closedBy: null,
      closedReason: null,
      closesAt: isoTime(end),
      closesAtSetBy: 'policy',
      status: 'open',
    });
    expect(threadAt(row(), end)).toEqual({
      closedAt: isoTime(end),
      closedBy: 'policy',
      closedReason: QUIET_REASON,
      closesAt: null,
      closesAtSetBy: null,
      status: 'closed',
    });
  });

  it('waits for who has not written last', () => {
    expect(afterMessage('team', NOW).status).toBe('awaiting_inquirer');
    expect(afterMessage('inquirer', NOW).status).toBe('open');
  });

  it('may be given another end by the team, until the next message', () => {
    expect(afterMessage('team', NOW, 3)).toMatchObject({
      closesAt: isoTime(NOW + 3 * DAY_MS),
      closesAtSetBy: 'team',
    });
    expect(afterMessage('inquirer', NOW).closesAtSetBy).toBe('policy');
  });

  it('takes 200 messages and not one more', () => {
    expect(refusalToWrite(row({ messageCount: MAX_MESSAGES - 1 }), NOW)).toBeNull();
    expect(refusalToWrite(row({ messageCount: MAX_MESSAGES }), NOW)).toBe('full');
  });

  it('that the team closed stays as it was closed, whatever the time', () => {
    const closed = {
      status: 'closed',
      closedAt: isoTime(NOW),
      closedBy: 'team',
      closedReason: 'Done.',
    } as const;
    fc.assert(
      fc.property(fc.integer({ min: -DAY_MS * 100, max: DAY_MS * 100 }), (passed) => {
        const seen = threadAt(row(closed), NOW + passed);
        expect(seen).toEqual({ ...closed, closesAt: null, closesAtSetBy: null });
        expect(refusalToWrite(row(closed), NOW + passed)).toBe('closed');
      }),
    );
  });

  it('can be written to exactly while it is shown as not closed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 * DAY_MS }), (passed) => {
        const isClosed = threadAt(row(), NOW + passed).status === 'closed';
        expect(refusalToWrite(row(), NOW + passed)).toBe(isClosed ? 'closed' : null);
      }),
    );
  });
});
