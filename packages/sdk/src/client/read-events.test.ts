import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { failure, problem, startClientBench } from '../testing/client-bench.ts';
import type { AgentEvent } from './read-events.ts';

const { stub, slept, clientOf } = await startClientBench();
afterAll(() => stub.close());
beforeEach(() => {
  stub.calls.length = 0;
});

const event = (sequence: number) => ({
  createdAt: '2026-06-01T12:00:00.000Z',
  data: {},
  id: `id-${sequence}`,
  link: null,
  sequence,
  type: 'sale.held',
});
const page = (sequences: number[], nextAfter: number, missed = 0) => ({
  body: { events: sequences.map(event), lastSequence: 9, limit: 50, missed, nextAfter },
});
const sentQueries = () => stub.calls.map(({ path }) => path.replace('/api/agents/me/events?', ''));

/** The next so many. */
async function take(events: AsyncIterable<AgentEvent>, count: number): Promise<number[]> {
  const found: number[] = [];
  for await (const { sequence } of events) {
    found.push(sequence);
    if (found.length === count) break;
  }
  return found;
}

const sleep = async (durationMs: number) => void slept.push(durationMs);
const client = () => clientOf({ apiKey: 'mkt_live_k', retries: 0 });

describe('the events of an agent', () => {
  test('come in sequence, and the next is waited for', async () => {
    stub.answers(page([1, 2], 2), page([], 2), page([3], 3));
    expect(await take(client().events(), 3)).toEqual([1, 2, 3]);
    expect(sentQueries()).toEqual(['after=0&wait=25', 'after=2&wait=25', 'after=2&wait=25']);
  });

  test('go on where the caller was, and after an outage', async () => {
    stub.answers(page([5], 5), null, problem(503, 'service_unavailable', { retryable: true }), page([6], 6));
    expect(await take(client().events({ after: 4, waitSeconds: 1, sleep }), 2)).toEqual([5, 6]);
    expect(sentQueries()).toEqual(['after=4&wait=1', 'after=5&wait=1', 'after=5&wait=1', 'after=5&wait=1']);
    expect(slept).toEqual([5000, 5000]);
  });

  test('are each seen at least once by whoever dies anywhere and begins after the last one it saved', async () => {
    const all = [1, 2, 3, 4, 5];
    const answerFrom = (path: string) => {
      const after = Number(/after=(\d+)/.exec(path)?.[1]);
      const sequences = all.filter((one) => one > after).slice(0, 2);
      return page(sequences, sequences.at(-1) ?? after);
    };
    for (let diesAt = 1; diesAt <= 2 * all.length; diesAt += 1) {
      let step = 0;
      let saved = 0;
      const handled: number[] = [];
      const work = async (canDie: boolean) => {
        for await (const { sequence } of client().events({ after: saved })) {
          if (canDie && ++step === diesAt) return;
          handled.push(sequence);
          if (canDie && ++step === diesAt) return;
          saved = sequence;
          if (sequence === all.length) return;
        }
      };
      stub.answers(({ path }) => answerFrom(path));
      await work(true);
      await work(false);
      expect([...new Set(handled)]).toEqual(all);
    }
  });

  test('end with what trying again does not mend', async () => {
    stub.answers(problem(401, 'api_key_revoked'));
    expect(await failure(take(client().events(), 1))).toMatchObject({ code: 'api_key_revoked' });
    stub.answers(page([40], 40, 35));
    expect(await failure(take(client().events({ after: 4 }), 1))).toBeInstanceOf(RangeError);
  });

  test('tell what is no longer kept, where that is asked for', async () => {
    stub.answers(page([40], 40, 35));
    const missed: number[] = [];
    const onMissed = (count: number) => void missed.push(count);
    expect(await take(client().events({ after: 4, onMissed }), 1)).toEqual([40]);
    expect(missed).toEqual([35]);
  });

  test('end by a signal, also while waiting', async () => {
    const ended = new AbortController();
    stub.answers(null);
    const stop = async () => ended.abort(new Error('enough'));
    const events = client().events({ signal: ended.signal, sleep: stop });
    expect(await failure(take(events, 1))).toMatchObject({ message: 'enough' });
  });
});
