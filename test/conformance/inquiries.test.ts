import { mcpOperations } from '@agent-marketplace/core/operations/mcp.ts';
import { base64, file, textOf } from '@agent-marketplace/core/testing/fixtures/new-inquiry.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { clause } from './clause.ts';
import { type Body, createService, NOWHERE, pathsOf, UUID } from './service.ts';

const service = createService();
const QUESTION = { subject: 'Payouts', message: 'When?' };
const inquire = (fields: object = {}) => service.post('/inquiries', { ...QUESTION, ...fields });
const pathOf = (url: unknown) => new URL(String(url)).pathname.replace('/api', '');
const OPERATOR = { headers: { 'x-mkt-admin': TEST_ADMIN_SECRET } };

describe('POST /inquiries', () => {
  clause('inquiries.public');
  it('none: no key is needed', async () => {
    expect((await inquire()).status).toBe(201);
  });

  clause('inquiry.status-open', 'inquiries.response');
  it('response 201: the inquiry, recorded attachments (each with sha256 and url) and thread endpoints (read, followUp)', async () => {
    const { status, body } = await inquire({ attachments: [file('one'), file('two')] });
    expect(status).toBe(201);
    expect(body.inquiry).toMatchObject({ ...QUESTION, id: expect.stringMatching(UUID), status: 'open' });
    const attachments = body.attachments as Body[];
    expect(attachments.map(({ sha256 }) => sha256)).toEqual([await sha256Hex('one'), await sha256Hex('two')]);
    for (const { id, url } of attachments) expect(url).toBe(`/relay/attachments/${id}`);
    const { read, followUp } = body.thread as Body;
    expect((await service.get(pathOf(read))).body.inquiry).toEqual(body.inquiry);
    expect((await service.post(pathOf(followUp), { message: 'Again.' })).status).toBe(201);
    const { messages } = (await service.get(pathOf(read))).body as { messages: Body[] };
    expect(messages.map(({ body: text }) => text)).toEqual([QUESTION.message, 'Again.']);
    expect(messages[0]?.attachments).toEqual(attachments);
  });

  clause('inquiries.required');
  it('subject and message are required strings', async () => {
    expect(pathsOf(await service.post('/inquiries', { message: 'm' }))).toEqual(['subject']);
    expect(pathsOf(await service.post('/inquiries', { subject: 's' }))).toEqual(['message']);
    expect(pathsOf(await inquire({ subject: 1 }))).toEqual(['subject']);
  });

  clause('inquiries.optional');
  it('name, email, category are optional strings', async () => {
    const fields = { name: 'Ada', email: 'ada@example.com', category: 'payouts' };
    const { status, body } = await inquire(fields);
    expect(status).toBe(201);
    const { body: thread } = await service.get(`/inquiries/${body.id}/thread`);
    expect(thread.inquiry).toMatchObject({ email: fields.email, category: fields.category });
    expect((thread.messages as Body[])[0]).toMatchObject({ authorName: 'Ada' });
    for (const name of Object.keys(fields)) expect(pathsOf(await inquire({ [name]: 7 }))).toEqual([name]);
  });

  clause('inquiries.attachments', 'limits.attachments');
  it('attachments: max 5', async () => {
    const of = (count: number) => ({
      attachments: Array.from({ length: count }, (_, n) => file(`no. ${n}`)),
    });
    const { status, body } = await inquire(of(5));
    expect(status).toBe(201);
    const digests = (body.attachments as Body[]).map(({ sha256 }) => sha256);
    expect(digests).toEqual(await Promise.all([0, 1, 2, 3, 4].map((n) => sha256Hex(`no. ${n}`))));
    expect(pathsOf(await inquire(of(6)))).toEqual(['attachments']);
  });

  clause('inquiries.attachment-fields');
  it.each(['filename', 'contentType', 'contentBase64'])('attachments: %s is required', async (field) => {
    const { [field]: _, ...rest } = file() as Body;
    expect(pathsOf(await inquire({ attachments: [rest] }))).toEqual([`attachments.0.${field}`]);
  });

  clause('inquiries.attachment-size', 'limits.attachments');
  it('attachments: max 4 MB decoded each; base64', async () => {
    const largest = 4 * 1024 * 1024;
    expect((await inquire({ attachments: [file(textOf(largest))] })).status).toBe(201);
    for (const contentBase64 of [base64(textOf(largest + 1)), 'not base64']) {
      expect(pathsOf(await inquire({ attachments: [file('', { contentBase64 })] }))).toEqual([
        'attachments.0.contentBase64',
      ]);
    }
  });
});

describe('GET /inquiries/{id}/thread', () => {
  const DAY_MS = 86_400_000;
  const now = () => new Date(service.market.clock.now()).toISOString();
  let body: Body;
  let id: string;
  let openedAt: string;
  beforeAll(async () => {
    openedAt = now();
    const fields = { name: 'Ada', email: 'ada@example.com', category: 'payouts', attachments: [file()] };
    id = String((await inquire(fields)).body.id);
    service.market.clock.advance(1000);
    await service.post(`/admin/inquiries/${id}/reply`, { authorName: 'Chris', body: 'Soon.' }, OPERATOR);
    body = (await service.get(`/inquiries/${id}/thread`)).body;
  });

  clause('service.inquiry-capability', 'inquiries.thread');
  it('the inquiry id is the capability', async () => {
    const own = await service.get(`/inquiries/${id}/thread`);
    expect([own.status, (own.body.inquiry as Body).id]).toEqual([200, id]);
    const { id: other } = (await inquire({ message: 'Another.' })).body;
    const { body: shown, text } = await service.get(`/inquiries/${other}/thread`);
    expect(shown.inquiry).toMatchObject({ id: other, message: 'Another.' });
    expect(text).not.toContain(id);
    const unknown = await service.get(`/inquiries/${NOWHERE}/thread`);
    expect([unknown.status, unknown.body.code]).toEqual([404, 'inquiry_not_found']);
  });

  clause('inquiry.inquiry');
  it('inquiry: id uuid, subject, message, category, status, email (nullable), submittedBy, createdAt', async () => {
    expect(body.inquiry).toEqual({
      ...QUESTION,
      id: expect.stringMatching(UUID),
      category: 'payouts',
      createdAt: openedAt,
      email: 'ada@example.com',
      status: 'awaiting_inquirer',
      submittedBy: 'Ada',
    });
    expect((body.inquiry as Body).id).toBe(id);
    expect((await inquire()).body.inquiry).toMatchObject({ email: null });
  });

  clause('inquiry.thread', 'inquiry.status-open');
  it('thread: status, closedBy, closedReason, closedAt, closesAt, closesAtSetBy', async () => {
    const ended = { closedAt: null, closedBy: null, closedReason: null };
    const repliedAt = (body.messages as Body[])[1]?.createdAt;
    const closesAt = new Date(Date.parse(String(repliedAt)) + 30 * DAY_MS).toISOString();
    expect(body.thread).toEqual({ ...ended, closesAt, closesAtSetBy: 'policy', status: 'awaiting_inquirer' });

    const { id: other } = (await inquire()).body;
    const path = `/inquiries/${other}`;
    expect((await service.get(`${path}/thread`)).body.thread).toMatchObject({ ...ended, status: 'open' });
    await service.post(`/admin${path}/close`, { reason: 'Answered.' }, OPERATOR);
    expect((await service.get(`${path}/thread`)).body.thread).toEqual({
      closedAt: now(),
      closedBy: 'team',
      closedReason: 'Answered.',
      closesAt: null,
      closesAtSetBy: null,
      status: 'closed',
    });
    expect((await service.post(`${path}/messages`, { message: 'And?' })).status).toBe(409);
  });

  clause('inquiry.messages');
  it('messages[]: id uuid, from (team or inquirer), authorName, body, emailStatus, createdAt, attachments[]', () => {
    const messages = body.messages as Body[];
    const written = { id: expect.stringMatching(UUID), createdAt: openedAt, body: QUESTION.message };
    expect(messages).toEqual([
      {
        ...written,
        attachments: [expect.objectContaining({ filename: 'hello.txt' })],
        authorName: 'Ada',
        emailStatus: 'none',
        from: 'inquirer',
      },
      {
        ...written,
        attachments: [],
        authorName: 'Chris',
        body: 'Soon.',
        createdAt: new Date(Date.parse(openedAt) + 1000).toISOString(),
        emailStatus: 'queued',
        from: 'team',
      },
    ]);
    expect(messages[0]?.id).not.toBe(messages[1]?.id);
  });

  clause('inquiry.attachment');
  it('attachment: id, filename, contentType, sizeBytes, sha256 (hex), url', async () => {
    const [attachment] = (body.messages as { attachments: Body[] }[])[0]?.attachments ?? [];
    expect(attachment).toEqual({
      contentType: 'text/plain',
      filename: 'hello.txt',
      id: expect.stringMatching(UUID),
      sha256: await sha256Hex('hello'),
      sizeBytes: 5,
      url: `/relay/attachments/${attachment?.id}`,
    });
  });
});

describe('inquiry thread, limits', () => {
  clause('limits.message');
  it('at most 10000 characters per message', async () => {
    const { body } = await inquire({ message: 'm'.repeat(10_000) });
    expect(pathsOf(await inquire({ message: 'm'.repeat(10_001) }))).toEqual(['message']);
    const path = `/inquiries/${body.id}/messages`;
    expect((await service.post(path, { message: 'm'.repeat(10_000) })).status).toBe(201);
    expect(pathsOf(await service.post(path, { message: 'm'.repeat(10_001) }))).toEqual(['message']);
    const reply = { authorName: 'Chris', body: 'm'.repeat(10_001) };
    expect(pathsOf(await service.post(`/admin/inquiries/${body.id}/reply`, reply, OPERATOR))).toEqual([
      'body',
    ]);
  });

  clause('limits.thread');
  it('at most 200 messages per thread', { timeout: 60_000 }, async () => {
    const { body } = await inquire();
    const path = `/inquiries/${body.id}/messages`;
    for (let message = 2; message <= 200; message += 1) {
      expect((await service.post(path, { message: `${message}` })).status).toBe(201);
    }
    const { status, body: refused } = await service.post(path, { message: '201' });
    expect([status, refused.code]).toEqual([409, 'inquiry_full']);
    const thread = await service.get(`/inquiries/${body.id}/thread`);
    expect(thread.body.messages).toHaveLength(200);
  });
});

describe('GET /relay/attachments/{id}', () => {
  clause('inquiries.bytes');
  it('returns the attachment bytes with ETag and X-Content-SHA256 integrity headers', async () => {
    const { body } = await inquire({ attachments: [file('the bytes')] });
    const [{ url, sha256 } = {}] = body.attachments as Body[];
    const response = await service.market.request('GET', String(url));
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('the bytes');
    expect(sha256).toBe(await sha256Hex('the bytes'));
    expect(response.headers.get('x-content-sha256')).toBe(sha256);
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toBe(`"${sha256}"`);
    const again = await service.market.request('GET', String(url), { headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    const head = await service.market.request('HEAD', String(url));
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });

  it('an id that is not there is 404, signed', async () => {
    const { status, body } = await service.get(`/relay/attachments/${NOWHERE}`);
    expect([status, body.code]).toEqual([404, 'attachment_not_found']);
  });
});

describe('MCP', () => {
  const argumentsOf = (name: string) => {
    const operation = mcpOperations.find(({ mcp }) => mcp?.tool === name);
    return Object.keys(operation?.input.shape ?? {});
  };
  const face = createMcpFace(service.market);

  clause('tool.contact-marketplace');
  it('contact_marketplace: subject*, message*, category, name, email, submittedBy', async () => {
    for (const argument of ['subject', 'message', 'category', 'name', 'email', 'submittedBy']) {
      expect(argumentsOf('contact_marketplace')).toContain(argument);
    }
    const given = { ...QUESTION, category: 'c', name: 'n', email: 'a@example.com', submittedBy: 'agent' };
    const { structuredContent } = await face.callTool('contact_marketplace', given);
    const { id } = structuredContent as Body;
    const { body: thread } = await service.get(`/inquiries/${id}/thread`);
    const { name, ...shown } = given;
    expect(thread.inquiry).toMatchObject(shown);
    expect((thread.messages as Body[])[0]).toMatchObject({ authorName: name, body: QUESTION.message });
  });

  clause('tool.submit-idea');
  it('submit_idea: title*, description*, category, submittedBy, impact', async () => {
    const idea = { title: 't', description: 'd', category: 'c', submittedBy: 's', impact: 'i' };
    expect(argumentsOf('submit_idea').sort()).toEqual(Object.keys(idea).sort());
    const { structuredContent } = await face.callTool('submit_idea', idea);
    expect(structuredContent).toMatchObject(idea);
    const listed = await service.get('/admin/ideas', OPERATOR);
    expect(listed.body).toMatchObject({ total: 1, ideas: [idea] });
    for (const missing of ['title', 'description']) {
      const { [missing]: _, ...rest } = idea as Body;
      expect(pathsOf(await service.post('/ideas', rest))).toEqual([missing]);
    }
  });
});
