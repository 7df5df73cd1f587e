import { noteSignerOf } from '@agent-marketplace/protocol/log/note.ts';
import { expect, it } from 'vitest';
import { TEST_SIGNING_KEY } from '../../testing/marketplace/test-bindings.ts';
import { createSigner } from '../keys/keyring.ts';
import { createLogWitness } from './log-witness.ts';

const { key } = await noteSignerOf(createSigner(TEST_SIGNING_KEY), 'club.example/witness', 4);

/** What becomes of a witness's answer. */
async function replyTo(answer: () => Response) {
  const requests: Request[] = [];
  const witness = createLogWitness(key, 'https://club.example/w', async (url, init) => {
    requests.push(new Request(url as string, init as RequestInit));
    return answer();
  });
  return { reply: await witness.addCheckpoint('old 0\n\n…'), requests };
}

it('submits a checkpoint where the witness is, and takes its cosignature', async () => {
  const { reply, requests } = await replyTo(() => new Response('\u2014 club.example/witness AAAA\n'));
  expect(reply).toEqual({ kind: 'cosigned', lines: '\u2014 club.example/witness AAAA\n' });
  expect(requests.map(({ method, url, redirect }) => [method, url, redirect])).toEqual([
    ['POST', 'https://club.example/w/add-checkpoint', 'manual'],
  ]);
  expect(await requests[0]?.text()).toBe('old 0\n\n…');
});

it('a conflict names the size that the witness cosigned last', async () => {
  const conflict = (body: string) => async () =>
    (await replyTo(() => new Response(body, { status: 409 }))).reply;
  expect(await conflict('300\n')()).toEqual({ kind: 'conflict', size: 300 });
  expect(await conflict('0\n')()).toEqual({ kind: 'conflict', size: 0 });
});

it('a conflict without a size is one about the tree itself, and so is a proof that leads nowhere', async () => {
  const refusal = async (status: number, body: string) =>
    (await replyTo(() => new Response(body, { status }))).reply;
  for (const body of [
    '',
    '300',
    '-1\n',
    '03\n',
    '9999999999999999\n',
    'Another tree of this size was cosigned.\n',
  ])
    expect(await refusal(409, body), body).toEqual({ kind: 'disputed' });
  expect(await refusal(422, 'The proof does not show that the tree only grew.\n')).toEqual({
    kind: 'disputed',
  });
});

it.each([301, 400, 403, 404, 500, 503])('%i is no cosignature', async (status) => {
  const { reply } = await replyTo(() => new Response('300\n', { status }));
  expect(reply).toEqual({ kind: 'failed', reason: `status ${status}` });
});

it('an answer that is too long, breaks off or never comes is a failure, and no exception', async () => {
  const { reply: long } = await replyTo(() => new Response('x'.repeat(100_000)));
  expect(long.kind).toBe('failed');
  const { reply: broken } = await replyTo(
    () => new Response(new ReadableStream({ type: 'bytes', start: (one) => one.error(new Error('reset')) })),
  );
  expect(broken).toEqual({ kind: 'failed', reason: 'Error: reset' });
  const { reply: none } = await replyTo(() => {
    throw new TypeError('refused');
  });
  expect(none).toEqual({ kind: 'failed', reason: 'TypeError: refused' });
});
