import { createHash } from 'node:crypto';
import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { startTemporaryMarketplace } from '@agent-marketplace/devkit/temporary-marketplace.ts';
import { createMarketplaceClient, type MarketplaceClient } from '@agent-marketplace/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clause } from '../conformance/clause.ts';

// One story, told in order: a question with a file, its answer by mail, and the answer's own file.

const ADMIN_SECRET = 'admin-secret-of-this-test-0123456789';
const MEGABYTE = 1024 * 1024;

let market: Marketplace;
let client: MarketplaceClient;
beforeAll(async () => {
  market = await startTemporaryMarketplace({ variables: { ADMIN_SECRET } });
  client = createMarketplaceClient({ baseUrl: market.baseUrl, retries: 0 });
});
afterAll(() => market?.close());

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const asOperator = { headers: { 'x-mkt-admin': ADMIN_SECRET } };
/** As large as inquiries can be: its body is near the limit. */
const FILES = [1, 2, 3, 4, 5].map((seed) => Buffer.alloc(4 * MEGABYTE, `file ${seed} `));

let inquiryId: string;

describe('an inquiry', () => {
  clause('inquiries.attachment-size');
  it('with five files of 4 MB is kept, byte for byte', async () => {
    const answer = await client.submitInquiry({
      subject: 'Delivery',
      message: 'Why?',
      email: 'ada@example.com',
      attachments: FILES.map((bytes, index) => ({
        filename: `log ${index}.txt`,
        contentType: 'text/plain',
        contentBase64: bytes.toString('base64'),
      })),
    });
    inquiryId = answer.id;
    expect(answer.attachments.map(({ sha256 }) => sha256)).toEqual(FILES.map(sha256Of));
    for (const [index, { id, sha256 }] of answer.attachments.entries()) {
      const file = await client.getAttachment({ attachmentId: id });
      expect(file).toMatchObject({ filename: `log ${index}.txt`, sha256 });
      expect(sha256Of(file.bytes)).toBe(sha256);
    }
  });

  it('is answered by the operator, by mail and in the thread', async () => {
    const answer = { authorName: 'Chris', body: 'Because.' };
    expect((await client.replyToInquiry({ inquiryId, ...answer }, asOperator)).message.emailStatus).toBe(
      'queued',
    );
    await market.runScheduled();
    expect(market.mail.messages).toHaveLength(1);
    expect(market.mail.messages[0]).toMatchObject({ to: 'ada@example.com', subject: 'Re: Delivery' });
    expect(await (await fetch(market.mail.url)).text()).toContain('Because.');
    const { messages, thread } = await client.getInquiryThread({ inquiryId });
    expect(messages.map(({ from, emailStatus }) => [from, emailStatus])).toEqual([
      ['inquirer', 'none'],
      ['team', 'sent'],
    ]);
    expect(thread.status).toBe('awaiting_inquirer');
  });

  it('goes on, and is closed for good', async () => {
    await client.followUpInquiry({ inquiryId, message: 'Thanks.' });
    await client.closeInquiry({ inquiryId, reason: 'Answered.' }, asOperator);
    await expect(client.followUpInquiry({ inquiryId, message: 'More.' })).rejects.toMatchObject({
      code: 'inquiry_closed',
    });
  });

  it('over HTTP: HEAD and If-None-Match', async () => {
    const { messages } = await client.getInquiryThread({ inquiryId });
    const attachment = messages[0]?.attachments[4];
    const url = market.baseUrl + attachment?.url;
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('etag')).toBe(`"${attachment?.sha256}"`);
    expect(head.headers.get('x-content-sha256')).toBe(attachment?.sha256);
    const again = await fetch(url, { headers: { 'if-none-match': `"${attachment?.sha256}"` } });
    expect(again.status).toBe(304);
  });
});
