import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { DAY_MS } from '@agent-marketplace/core/kernel/time.ts';
import { takeOffMarket } from '@agent-marketplace/core/listings/index.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { mcpOperations } from '@agent-marketplace/core/operations/mcp.ts';
import { eraseAccount } from '@agent-marketplace/core/privacy/erasure/erase-account.ts';
import { erasureDigest } from '@agent-marketplace/core/privacy/erasure/erasure-digest.ts';
import {
  changedInput,
  type InputPart,
  inputParts,
} from '@agent-marketplace/core/testing/fixtures/input-parts.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { testBindings } from '@agent-marketplace/core/testing/marketplace/workers-bindings.ts';
import { argumentNames, type ToolOperation } from '@agent-marketplace/core/transport/mcp/names.ts';
import { expect, it } from 'vitest';
import { send } from './requests.ts';
import { goodRequest } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// A mark in every text that the schemas of all operations let somebody send: over REST and as a tool, with a key and without,
// in headers, with a payment, and in what operators write. Then everybody is erased, and all storage is searched.

/** No part of a text that anything else writes. */
const MARK = 'zqmark';
/** In what no account is known to have written. */
const STRANGERS_MARK = 'zqfree';
const YEAR_MS = 366 * DAY_MS;

/** Ids, dates and choices have no room for a text, nor does what only these shapes fit. */
const isShaped = ({ schema: { enum: values, const: one, format = '', pattern } }: InputPart) =>
  values !== undefined ||
  one !== undefined ||
  /^(uuid|date|date-time)$/.test(format) ||
  (pattern !== undefined && SHAPES.includes(pattern));

const SHAPES = [
  // A position in a list.
  '^\\d{1,3}\\.\\d{1,9}$',
  '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z_[0-9A-Za-z_-]{1,80}$',
  // A signature, a nonce, a digest.
  '^0x[0-9a-fA-F]{64}$',
  '^0x([0-9a-fA-F]{2})+$',
  '^sha256:[0-9a-f]{64}$',
  '^[0-9a-f]{64}$',
  // A country.
  '^[A-Za-z]{2}$',
];

const isText = (part: InputPart) => part.schema.type === 'string' && !isShaped(part);

/** Any JSON: a query, a preview, an answer. */
const isOpen = ({ schema: { type, properties, additionalProperties: rest } }: InputPart) =>
  type === 'object' &&
  properties === undefined &&
  (typeof rest !== 'object' || Object.keys(rest).length === 0);

const AT_MOST_OF_TEXT = 60;

function markedValue({ path, schema }: InputPart, mark: string): unknown {
  if (schema.type === 'object') return { [mark]: mark };
  if (path.at(-1) === 'callbackUrl') return `http://localhost:9/${mark}`;
  if (schema.format === 'email') return `${mark}@example.com`;
  if (schema.format === 'uri') return `https://${mark}.example.com/`;
  if (path.at(-1) === 'siteOrigin') return `https://${mark}.example.com`;
  if (path.at(-1) === 'contentBase64') return btoa(mark);
  const most = Math.min(schema.maxLength ?? AT_MOST_OF_TEXT, AT_MOST_OF_TEXT);
  return mark.padEnd(Math.max(schema.minLength ?? 0, mark.length), 'x').slice(0, Math.max(most, mark.length));
}

/** Written about the marketplace itself: the account of nobody owns it. */
const OF_THE_MARKETPLACE = new Set([
  'adjustLedger',
  'changeOperatorRole',
  'closeLedgerPeriod',
  'configureDesignations',
  'createOperator',
  'rebuildSearchIndex',
  'recordAffiliatedReceipt',
  'retryCardEvent',
  'retryMessage',
  'revokeOperator',
  'rotateOperatorSecret',
]);
/** Nobody with an account wrote it, also where a key came along. */
const OF_STRANGERS = new Set(['submitIdea']);
/** They write into a thread: into one that an account opened, and into one of a stranger. */
const IN_THREADS = new Set(['followUpInquiry', 'replyToInquiry', 'closeInquiry']);

type Writer = 'account' | 'stranger';

interface Entry {
  readonly name: string;
  readonly operation: AnyOperation;
  readonly part: InputPart;
  readonly mark: string;
  readonly writer: Writer;
}

function writersOf({ name, auth }: AnyOperation): readonly Writer[] {
  if (OF_STRANGERS.has(name)) return ['stranger'];
  return auth === 'optional' || IN_THREADS.has(name) ? ['account', 'stranger'] : ['account'];
}

/** Of operators, what they write: what they look for is theirs. */
const isOfSomebody = ({ name, auth, replay }: AnyOperation) =>
  !OF_THE_MARKETPLACE.has(name) && (auth !== 'operator' || replay !== undefined);

const ENTRIES: readonly Entry[] = apiOperations.filter(isOfSomebody).flatMap((operation) =>
  inputParts(operation)
    .filter((part) => isText(part) || isOpen(part))
    .flatMap((part, at) =>
      writersOf(operation).map((writer) => ({
        name: `${operation.name}.${part.path.join('.')}`,
        operation,
        part,
        writer,
        mark: `${writer === 'account' ? MARK : STRANGERS_MARK}${operation.name.toLowerCase().slice(0, 18)}${at}q`,
      })),
    ),
);

/** `table.column` of each value with the text. */
async function placesOf(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const database of [testBindings.DB, testBindings.SEARCH]) {
    const tables = await database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
      .all<{ name: string }>();
    for (const { name: table } of tables.results) {
      const columns = await database
        .prepare('SELECT name FROM pragma_table_xinfo(?)')
        .bind(table)
        .all<{ name: string }>();
      for (const { name } of columns.results) {
        const sql = `SELECT 1 FROM ${table} WHERE instr(CAST("${name}" AS TEXT), ?) > 0 LIMIT 1`;
        if (await database.prepare(sql).bind(text).first()) found.push(`${table}.${name}`);
      }
    }
  }
  return found.sort();
}

async function everybody(): Promise<string[]> {
  const { results } = await testBindings.DB.prepare('SELECT id FROM agents').all<{ id: string }>();
  return results.map(({ id }) => id);
}

const TAX = { country: 'PT', taxNumber: '501964843' };
const FILE = { filename: 'map.txt', contentType: 'text/plain', contentBase64: btoa('A map.') };

async function requestWith(world: World, { operation, part, mark, writer }: Entry) {
  const good = await goodRequest(world, operation);
  const isByKey = operation.auth === 'optional' && writer === 'account';
  const thread = IN_THREADS.has(operation.name) && writer === 'account' ? await ownThread(world) : {};
  const holder = { attachments: { attachments: [FILE] }, tax: { tax: TAX } }[part.path[0] ?? ''];
  const whole = { ...good.input, ...thread, ...holder };
  return {
    ...good,
    ...(isByKey ? { apiKey: good.apiKey ?? world.buyer.apiKey } : {}),
    // What every request may carry as well.
    headers: {
      ...good.headers,
      'idempotency-key': `${mark}k`,
      referer: `https://${mark}.example/`,
      'user-agent': mark,
    },
    input: changedInput(operation, whole, part.path, () => markedValue(part, mark)),
  };
}

async function ownThread({ perform, buyer }: World) {
  const { id } = await perform('submitInquiry', { subject: 'A question', message: 'How?' }, buyer);
  return { inquiryId: id };
}

async function enterAsTool(
  world: World,
  face: ReturnType<typeof createMcpFace>,
  entry: Entry,
): Promise<void> {
  const operation = entry.operation as ToolOperation;
  const { input, apiKey } = await requestWith(world, { ...entry, mark: `${entry.mark}t` });
  const { toWire } = argumentNames(operation);
  const named = Object.fromEntries(Object.entries(input).map(([field, value]) => [toWire(field), value]));
  await face.callTool(operation.mcp.tool, { ...named, ...(apiKey === undefined ? {} : { api_key: apiKey }) });
}

/** What of it stays, one by one. */
const STAYS = {
  'what was published and signed': [
    'listings.context_tags',
    'listings.demographics',
    'listings.description',
    'listings.example_query',
    'listings.images',
    'listings.input_schema',
    'listings.output_schema',
    'listings.preview',
    'listings.subcategory',
    'listings.title',
  ],
  'consents, for 6 years': ['health_consents.signer_legal_name'],
  'tax records and records of money, 10 years': ['paid_elsewhere.evidence', 'seller_tax_details.tax_number'],
} as const;

/** What nobody with an account sent, until its time is over. */
const STRANGERS: readonly string[] = [
  'audit_texts.texts',
  'ideas.category',
  'ideas.description',
  'ideas.impact',
  'ideas.submitted_by',
  'ideas.title',
  'inquiries.category',
  'inquiries.closed_reason',
  'inquiries.email',
  'inquiries.name',
  'inquiries.subject',
  'inquiries.submitted_by',
  'inquiry_attachments.filename',
  'inquiry_messages.author_name',
  'inquiry_messages.body',
];

/** Marks that are refused, and why. */
const REFUSED = {
  'it has to be the code of a link, a nonce, a signature or a credential': [
    'addDisputeStatement.token',
    'answerDelivery.nonce',
    'bindPayoutWallet.nonce',
    'cancelErasure.token',
    'cancelPayoutChange.token',
    'challengePasskey.token',
    'challengePayer.payer',
    'challengePayoutWallet.address',
    'claimEndpoint.token',
    'claimPayouts.token',
    'completeRecovery.token',
    'createAppeal.token',
    'decideApproval.token',
    'disputePurchase.token',
    'enrolPasskey.passkey.id',
    'enrolPasskey.passkey.rawId',
    'enrolPasskey.passkey.response.attestationObject',
    'enrolPasskey.passkey.response.clientDataJSON',
    'enrolPasskey.token',
    'getClaim.token',
    'getDispute.token',
    'getDisputeAttachment.token',
    'getPurchase.token',
    'getReportStatus.token',
    'listPurchaseDocuments.token',
    'openRecovery.token',
    'provePayer.message',
    'readApprovalQuery.token',
    'readInbox.cursor',
    'verifyEmail.token',
  ],
  'it has to be the name of something that is there': [
    'changeKeyPolicy.rails.[]',
    'changeKeyPolicy.verticals.[]',
    'createKey.policy.rails.[]',
    'createKey.policy.verticals.[]',
    'createAlert.vertical',
    'createListing.vertical',
    'getAgent.handle',
    'getListingImage.image',
    'getVertical.slug',
    'removePasskey.passkeyId',
    'requestRecovery.handle',
    'sendMessage.handle',
    'settleClaim.disputeId',
    'verifyAffiliatedReceipt.receiptId',
  ],
  'it has to be a month': ['getStatement.month', 'getStatementFile.month'],
};

it('a mark in every text that somebody can send is in no storage after an erasure, but for the exceptions', async () => {
  const world = await createWorld();
  const face = createMcpFace(world.market);
  const tools = new Set((mcpOperations as readonly ToolOperation[]).map(({ name }) => name));
  const refused = new Set<string>();
  for (const entry of ENTRIES) {
    const sent = await requestWith(world, entry);
    if ((await send(world.market, entry.operation, sent)).status >= 300) refused.add(entry.name);
    if (tools.has(entry.operation.name)) await enterAsTool(world, face, entry);
  }
  const x402 = createQueryMarketplace();
  const listing = await x402.sales.listing({ priceCents: 5 });
  const parameters = `?note=${MARK}x402`;
  const payment = await x402.pay(x402.newPayer(), listing.id, 2, { parameters });
  expect((await x402.query(listing.id, payment, parameters)).status).toBe(200);
  await world.market.background.settled();
  expect([...refused].sort(), 'A new text has to be taken with a mark in it, or named in REFUSED.').toEqual(
    Object.values(REFUSED).flat().sort(),
  );
  expect((await placesOf(MARK)).length).toBeGreaterThan(40);
  const { attachments, jobs, log } = world.market;
  const objects = () => [...attachments.objects.values()].map((bytes) => new TextDecoder().decode(bytes));
  expect(objects().join()).toContain(MARK);

  const ports = world.market.newPorts();
  for (const id of await everybody()) {
    while (await takeOffMarket(ports, id, 'The account is to be erased.'));
    await ports.market.commit(eraseAccount(id, await erasureDigest(id)));
  }
  world.market.clock.advance(2 * DAY_MS);
  await runEveryMinute(world.market.newPorts());
  const stays: string[] = Object.values(STAYS).flat();
  expect(
    await placesOf(MARK),
    'What is left of the mark: a column that erasure has to clear has the kind `text` in packages/core/src/privacy/held/*.data.ts; one that stays on purpose is named in STAYS.',
  ).toEqual(stays.sort());
  expect(objects().join()).not.toContain(MARK);
  expect(await placesOf(STRANGERS_MARK)).toEqual(STRANGERS);
  for (let year = 0; year < 3; year += 1) {
    world.market.clock.advance(YEAR_MS);
    await runEveryMinute(world.market.newPorts());
  }
  expect(await placesOf(STRANGERS_MARK)).toEqual([]);
  for (const place of [objects(), log.lines, jobs.sent, [...x402.claims.claims]]) {
    expect(JSON.stringify(place)).not.toMatch(new RegExp(`${MARK}|${STRANGERS_MARK}`));
  }
}, 240_000);
