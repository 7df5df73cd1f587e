import { createHash } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { failure, problem, startClientBench } from '../testing/client-bench.ts';
import { ProvenanceError } from './errors.ts';

const { stub, clientOf } = await startClientBench();
afterAll(() => stub.close());

const TEXT = 'the bytes, ä';
const SHA256 = createHash('sha256').update(TEXT).digest('hex');
const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'content-disposition': `attachment; filename="_.txt"; filename*=UTF-8''%C3%A4.txt`,
  'x-content-sha256': SHA256,
};
const get = () => clientOf().getAttachment({ attachmentId: 'a-1' });

describe('a file', () => {
  test('is bytes, with what its headers say of it', async () => {
    stub.answers({ body: TEXT, headers: HEADERS });
    const file = await get();
    expect(new TextDecoder().decode(file.bytes)).toBe(TEXT);
    expect(file).toMatchObject({ contentType: HEADERS['content-type'], filename: 'ä.txt', sha256: SHA256 });
    expect(stub.calls[0]).toMatchObject({ method: 'GET', path: '/api/relay/attachments/a-1' });
    expect(stub.calls[0]?.headers.accept).toBe('*/*');
  });

  test.each([
    ['changed on its way', { ...HEADERS, 'x-content-sha256': '0'.repeat(64) }],
    ['of nobody knows what', { 'content-type': 'text/plain' }],
  ])('that is %s is refused', async (_, headers) => {
    stub.answers({ body: TEXT, headers });
    expect(await failure(get())).toMatchObject({ code: 'unexpected_response', retryable: true });
  });

  test('without a name that can be read has none', async () => {
    for (const disposition of ['attachment', "attachment; filename*=UTF-8''%zz"]) {
      stub.answers({ body: TEXT, headers: { ...HEADERS, 'content-disposition': disposition } });
      expect((await get()).filename).toBeNull();
    }
  });

  test('that is refused is a signed problem, and tried again where that helps', async () => {
    stub.answers(problem(404, 'attachment_not_found'));
    expect(await failure(get())).toMatchObject({ code: 'attachment_not_found', status: 404 });
    stub.answers(problem(503, 'service_unavailable', { retryable: true }), { body: TEXT, headers: HEADERS });
    expect((await get()).sha256).toBe(SHA256);
    stub.answers({ status: 404, body: '{"code":"attachment_not_found"}' });
    expect(await failure(get())).toBeInstanceOf(ProvenanceError);
  });
});
