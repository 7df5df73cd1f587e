import { TEST_ADMIN_SECRET } from './test-bindings.ts';
import type { TestMarketplace } from './workers-harness.ts';

export interface InquiryReply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

export const AS_OPERATOR = { 'x-mkt-admin': TEST_ADMIN_SECRET };

/** `n` bytes that are text, so that they are what they are declared as. */
export const textOf = (bytes: number, character = 'a') => new Uint8Array(bytes).fill(character.charCodeAt(0));

export const base64 = (bytes: Uint8Array | string): string =>
  Buffer.from(bytes as Uint8Array).toString('base64');

export const file = (content: Uint8Array | string = 'hello', fields: object = {}) => ({
  filename: 'hello.txt',
  contentType: 'text/plain',
  contentBase64: base64(content),
  ...fields,
});

/** Inquiries as their writers and the operator send them. */
export function inquiriesOf(market: TestMarketplace) {
  const post = async (
    path: string,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<InquiryReply> => {
    const response = await market.request('POST', path, { body, headers });
    return { status: response.status, body: await response.json() };
  };
  const get = async (path: string, headers: Record<string, string> = {}): Promise<InquiryReply> => {
    const response = await market.request('GET', path, { headers });
    return { status: response.status, body: await response.json() };
  };
  const submit = (fields: object = {}, headers: Record<string, string> = {}) =>
    post('/inquiries', { subject: 'A question', message: 'How?', ...fields }, headers);
  return {
    post,
    get,
    submit,
    /** The id of a fresh inquiry. */
    async open(fields: object = {}, headers: Record<string, string> = {}): Promise<string> {
      const { status, body } = await submit(fields, headers);
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.id;
    },
    thread: (id: string) => get(`/inquiries/${id}/thread`),
    followUp: (id: string, fields: object = {}, headers: Record<string, string> = {}) =>
      post(`/inquiries/${id}/messages`, { message: 'And?', ...fields }, headers),
    reply: (id: string, fields: object = {}, headers: Record<string, string> = AS_OPERATOR) =>
      post(`/admin/inquiries/${id}/reply`, { authorName: 'Chris', body: 'So.', ...fields }, headers),
    close: (id: string, headers: Record<string, string> = AS_OPERATOR) =>
      post(`/admin/inquiries/${id}/close`, { reason: 'Answered.' }, headers),
  };
}
