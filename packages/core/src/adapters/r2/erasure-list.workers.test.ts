import { expect, it } from 'vitest';
import { FakeErasureList } from '../../testing/doubles/fake-erasure-list.ts';
import { FakeLog } from '../../testing/doubles/recording-ports.ts';
import { testBindings } from '../../testing/marketplace/workers-bindings.ts';
import { createR2AttachmentStore } from './attachment-store.ts';
import { createR2ErasureList } from './erasure-list.ts';

const bucket = testBindings.ATTACHMENTS as R2Bucket;
const lists = {
  R2: () => createR2ErasureList(bucket, new FakeLog()),
  'the fake': () => new FakeErasureList(),
};

it.each(Object.entries(lists))(
  '%s: has each digest once, in order, and no attachment has its name',
  async (_, create) => {
    const list = create();
    const [first, second, third] = ['1', '2', 'e'].map((digit) => digit.repeat(64)) as [
      string,
      string,
      string,
    ];
    for (const digest of [third, first, second, first]) expect(await list.add(digest)).toBe('done');
    expect(await list.list('')).toEqual([first, second, third]);
    expect(await list.list(first)).toEqual([second, third]);
    expect(await createR2AttachmentStore(bucket, new FakeLog()).list('e')).toEqual([]);
  },
);

it('a bucket that is down is a value and a line in the log', async () => {
  const log = new FakeLog();
  const down = async () => {
    throw new Error('down');
  };
  const list = createR2ErasureList({ put: down, list: down } as Pick<R2Bucket, 'put' | 'list'>, log);
  expect([await list.add('0'.repeat(64)), await list.list('')]).toEqual(['unavailable', null]);
  expect(log.lines.map(({ event, fields }) => [event, fields.action])).toEqual([
    ['erasure_list_failed', 'add'],
    ['erasure_list_failed', 'list'],
  ]);
});
