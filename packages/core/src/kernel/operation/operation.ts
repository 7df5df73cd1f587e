import type { Digest } from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import type * as z from 'zod';
import type { ErrorDefinition, ErrorKind, Refusal } from '../errors.ts';
import type { OwnPolicies } from '../policies/policies.ts';
import type { Statement } from '../ports/database.ts';
import type { Ports } from '../ports/ports.ts';
import type { RatePolicy } from '../ports/rate-limiter.ts';
import type { FilesOfBody } from '../ports/uploads.ts';
import type { SpendPolicy } from '../spend-policy.ts';
import type { EpochMs, IsoTime } from '../time.ts';
import type { McpBinding } from '../tools/mcp-binding.ts';
import type { AuditSubject } from './audit-trail.ts';
import { choicesOf } from './choices.ts';
import { closedInput } from './closed-input.ts';
import type { KeyScope, NeededScope } from './key-scopes.ts';
import type { Operator, OperatorRole } from './operators/operator.ts';

/**
 * Who may call: anyone, anyone with an optional key, any agent, an agent that sells, or an operator. Everything under
 * /admin is for operators only.
 */
export type Auth = 'none' | 'optional' | 'agent' | 'seller' | 'operator';

/** The agent to whom an API key belongs. */
export interface AgentCaller {
  readonly agentId: string;
  readonly isSeller: boolean;
  /** An agent of the operator's smoke tests: it deals only with others of its kind, and moves no money. */
  readonly isSmokeTest: boolean;
  /** By an operator: it may call what is `openToSuspended` only. */
  readonly isSuspended: boolean;
  /** When the account is erased, unless that is cancelled before; null: it is not to be. */
  readonly erasesAt: IsoTime | null;
  /** The key that calls, and what it may do. */
  readonly keyId: string;
  readonly scopes: readonly KeyScope[];
  /** Of the agent and not of one key, so that a request may be repeated with the key that took this one's place. */
  readonly idempotencyScope: string;
  /** What the key may spend: its own policy first, then those above it; empty: as much as the agent. */
  readonly policies: readonly SpendPolicy[];
}

/** What an API key was found to be. Only whoever has the key learns that it ended. */
export type KeyLookup =
  | { readonly kind: 'valid'; readonly caller: AgentCaller }
  | { readonly kind: 'unknown' | 'revoked' | 'expired' };

export type CallerFor<A extends Auth> = A extends 'none' | 'operator'
  ? null
  : A extends 'optional'
    ? AgentCaller | null
    : AgentCaller;

/** What a handler gets in addition to its input. */
export interface OperationContext<A extends Auth = Auth> {
  readonly ports: Ports;
  readonly settings: Settings;
  readonly caller: CallerFor<A>;
  /** The time of the request, the same in every row and receipt that it writes. */
  readonly now: EpochMs;
  readonly requestId: string;
  /** The API root as the caller reaches it, without a trailing slash. */
  readonly baseUrl: string;
  /** Who acts for the marketplace, where the operation declares `leastRole`; never null where only operators may call. */
  readonly operator: A extends 'operator' ? Operator : Operator | null;
  /** Those of the operation's `filterFields` that had a value that is none of their own: nothing matches. */
  readonly unmatchedFields: readonly string[];
  /** Where the request came from: an IPv4 address, the /64 of an IPv6 address. */
  readonly network: string;
  /** As the request carried it; null: it carried none. */
  readonly idempotencyKey: string | null;
  /** The HTTP Referer of the request, where the transport has one. */
  readonly referer: string | null;
  /** The values of fields in headers, also where the body has another value. */
  readonly headerFields: Readonly<Record<string, string>>;
  /** Where the operation `digestsBody`: the SHA-256 of the body as it was sent, of nothing where it had none. */
  readonly bodyDigest: Digest | null;
  /**
   * Writes to the market database, all or nothing. With an Idempotency-Key the outcome is recorded in
   * the same transaction, so a retry after a lost reply finds it. `outcome` is what a replay starts
   * from: for most operations the answer itself, never a secret or a deliverable.
   */
  commit(
    statements: readonly Statement[],
    outcome: object | null,
    /** Where the outcome does not say what became of the operator's subject, or its id was not known before. */
    audited?: { readonly subjectId?: string | null; readonly after?: object },
  ): Promise<unknown[][]>;
  /**
   * Refuses with `daily_limit_reached` where the caller's quota is spent: to be called before anybody outside is.
   * Operations that move no money and have a `prefetch` or a caller with a key need not.
   */
  requireQuota(): Promise<void>;
  /** Refuses where the caller's key is no longer valid: for what waited since it was looked up. */
  requireKey(): Promise<void>;
  /** The sizes of the files that are stored already, by what stands in the body in their place. */
  readonly storedFiles: ReadonlyMap<string, number>;
  /**
   * The statements, counted in the caller's daily quota, which aborts them where it is spent. `commit` does it for
   * operations that move no money; the others count what they write for callers who do not pay. With `files`, they
   * announce bytes of attachments, which have a quota of their own.
   */
  withinQuota(statements: readonly Statement[], files?: { readonly bytes: number }): readonly Statement[];
  /**
   * A UUID that is the same for every attempt of one Idempotency-Key: a retry finds the row that the first attempt
   * wrote before its outcome was known. Without a key, and in a replay, a fresh one. A key may be used again a day
   * later, so the row of this id may belong to an earlier request.
   */
  stableId(): Promise<string>;
}

/** The figures a deployment chooses. */
export interface Settings {
  /** `loopback` is for development: seller endpoints on http://localhost are let through. */
  readonly sellerEndpoints: 'public' | 'loopback';
  /** The address of the site, which claim links point to. */
  readonly siteUrl: string | null;
  /** Documents of the operator that take the place of the site's. */
  readonly policies: OwnPolicies;
  /** How long the money of a delivered sale stays in escrow; 72 by default. */
  readonly escrowHoldHours: number;
  /** How long a seller has to ship a physical order after the purchase was delivered; 14 by default. */
  readonly shipmentDeadlineDays: number;
  /** How long a change of where a seller is paid can be cancelled; 48 by default. */
  readonly payoutChangeHours: number;
  /** How many calendar years records of money are kept after the one they are of; 10 by default. */
  readonly recordsYears: number;
  /** Whether the deployment sends mail, from this Worker or another. */
  readonly sendsMail: boolean;
}

/** A read that can also be had as server-sent events, one answer after another. All are names of fields. */
export interface StreamBinding {
  /** Of the input: where the answer begins, a number. */
  readonly position: string;
  /** Of the output: where the next one begins; the same as before, where there is nothing new. */
  readonly next: string;
  /** Of the input: for how many seconds an answer may be held back. */
  readonly wait: string;
}

export interface HttpBinding {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** With `{name}` for path parameters. */
  readonly path: string;
  readonly status: 200 | 201 | 202;
  /** Operation field → wire name, where they differ. */
  readonly names?: Readonly<Record<string, string>>;
  /** Operation field → header that may carry it instead. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The field that holds the whole query string, as texts by name; a repeated parameter is a list. The other fields
   * then come from the path and from headers only.
   */
  readonly queryField?: string;
  /** Headers of this operation's answers, in addition to those of every answer: name → description. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly maxBodyBytes?: number;
  /** The handler is told the digest of the body, byte for byte. */
  readonly digestsBody?: true;
  readonly stream?: StreamBinding;
  /** Files in the body. A body that is larger than others may be is read elsewhere, and its files stored there. */
  readonly files?: FilesOfBody;
  /** For a body that repeats what the platform wrote: nested deeper than other input, and with doubles written as integers. */
  readonly repeatsOwnJson?: true;
}

/** By the field that is left out. */
export type ClientDefaults = Readonly<Record<string, { readonly with: string; readonly value: string }>>;

/** Where an operation is grouped in the documentation. */
export type Area =
  | 'Agents'
  | 'Catalogue'
  | 'Listings'
  | 'Purchasing'
  | 'Selling'
  | 'Ingress'
  | 'Inquiries'
  | 'Provenance'
  | 'Meta';

/**
 * How a repeated Idempotency-Key is answered: `stored` sends the recorded outcome as the body, `stored_link` does for
 * answers with a link that opens something (without an API key only for an Idempotency-Key that is hard to guess),
 * `refused` is for answers with a secret, and a function builds the answer from the recorded outcome and the input, which is that of the first time.
 */
export type Replay<A extends Auth, Output> =
  | 'stored'
  | 'stored_link'
  | 'refused'
  | ((ctx: OperationContext<A>, outcome: Json, input: Readonly<Record<string, unknown>>) => Promise<Output>);

/**
 * A complete answer with its provenance, stored so that a repetition is equal to the byte. A handler returns it instead
 * of its output.
 */
export class ExactAnswer {
  readonly body: Uint8Array;
  /** The digest of the body without provenance. */
  readonly digest: Digest;
  readonly replayed: boolean;

  constructor(body: Uint8Array, digest: Digest, replayed: boolean) {
    this.body = body;
    this.digest = digest;
    this.replayed = replayed;
  }
}

export interface FileDescription {
  readonly digest: Digest;
  readonly contentType: string;
  /** Without a path, and safe to use when saving the file. */
  readonly filename: string;
}

/**
 * The answer of an operation with `file`: a file instead of JSON. Its bytes are read only if the caller does not have
 * them already; reading may throw a Refusal.
 */
export class FileAnswer {
  readonly description: FileDescription;
  readonly read: () => Promise<Uint8Array>;

  constructor(description: FileDescription, read: () => Promise<Uint8Array>) {
    this.description = description;
    this.read = read;
  }
}

/** An output with additional headers. A handler returns it instead of its output. */
export class WithHeaders<Output extends object> {
  readonly output: Output;
  readonly headers: Readonly<Record<string, string>>;

  constructor(output: Output, headers: Readonly<Record<string, string>>) {
    this.output = output;
    this.headers = headers;
  }
}

/** For operations that refuse with a statement of their own instead of a problem. */
export interface SignedRefusals {
  readonly output: z.ZodType;
  /** The kinds of refusals that it answers this way; all by default. */
  readonly kinds?: readonly ErrorKind[];
  /** Null: answer with a problem. `fields` is empty if the input could not be read. */
  answer(
    refusal: Refusal,
    request: {
      readonly ports: Ports;
      readonly now: EpochMs;
      readonly fields: Readonly<Record<string, unknown>>;
    },
  ): Promise<{ readonly refusal: Refusal; readonly body: object } | null>;
}

/**
 * One thing the marketplace can do. REST routes, MCP tools, OpenAPI, the SDK and the contract tests are
 * derived from these objects; see docs/adr/0001-operations.md.
 */
export interface Operation<
  A extends Auth = Auth,
  Shape extends z.ZodRawShape = z.ZodRawShape,
  Output extends object = object,
  Prefetched = unknown,
> {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly area: Area;
  readonly auth: A;
  /** The least role of an operator who calls. Required where only operators may; elsewhere, what they may do besides. */
  readonly leastRole?: OperatorRole;
  /** Open to accounts that are to be erased, though it is no read. */
  readonly whileErasing?: true;
  /** What the caller's key must be for. Required wherever a key is taken. */
  readonly scope?: NeededScope;
  readonly input: z.ZodObject<Shape>;
  /** Fields that people outside the deal will see. Secrets and card numbers in them are refused. */
  readonly publicFields?: readonly (keyof Shape & string)[];
  /**
   * Fields that are passed on or compared unchanged and may contain any text, also U+0000. They are never stored as
   * text, only as a digest or as JSON, which escapes U+0000.
   */
  readonly opaqueFields?: readonly (keyof Shape & string)[];
  /** Fields of a read that are ignored, and said to be, where their value is none of the schema's. */
  readonly advisoryFields?: readonly (keyof Shape & string)[];
  /** Fields of a list that match nothing, and are said to, where their value is none of the schema's: `unmatchedFields`. */
  readonly filterFields?: readonly (keyof Shape & string)[];
  /**
   * What the SDK and the tools send for a field that is left out, where another one is sent. Over REST the schema's
   * default holds.
   */
  readonly clientDefaults?: ClientDefaults;
  /** Unknown fields are ignored instead of refused. Public reads do so anyway. */
  readonly ignoresUnknownFields?: true;
  readonly output: z.ZodType;
  /** Members of the answer, besides `notice` and `agent_notice`, whose texts are the marketplace's own and may name operations. */
  readonly ownTexts?: readonly string[];
  readonly errors: readonly ErrorDefinition[];
  readonly http: HttpBinding;
  /** An operation for the operator only is never a tool. */
  readonly mcp?: A extends 'operator' ? never : McpBinding;
  readonly rate: RatePolicy;
  /**
   * How long a public answer, the same for everyone, may be cached. Without it no shared cache stores the answer: it may
   * be meant for those who know an id or a link.
   */
  readonly cache?: { readonly freshSeconds: number; readonly staleIfErrorSeconds: number };
  /**
   * What of the answer may be some seconds late for whoever sends no key: such readers are answered by a copy of the
   * database near them. Without it, everybody is answered by the primary.
   */
  readonly lag?: string;
  /** Required on everything that changes something. */
  readonly replay?: Replay<A, Output>;
  /** Whether a suspended agent may call it; by default, where it is a read that moves no money. */
  readonly openToSuspended?: boolean;
  /**
   * What of the request goes into the audit chain, with what `commit` writes. Required on everything that operators
   * change; null: this call is not an operator's. A read that declares it opens what a person wrote or is: each is an
   * entry, recorded before it is answered.
   */
  audit?(input: z.output<z.ZodObject<Shape>>): AuditSubject | null;
  /** Whether the operation can move money. Its errors then contain `charged`. */
  readonly movesMoney?: boolean;
  /** The fields that can hold a payment: one that was sent before may have been charged, though this request is refused unread. */
  readonly paymentFields?: readonly string[];
  readonly refusals?: SignedRefusals;
  /** The media types of the answer, where it is a file (`FileAnswer`). Refusals are JSON. */
  readonly file?: { readonly mediaTypes: readonly string[] };
  /**
   * Reads that do not depend on the caller. They share one round trip with the look-up of the API key, and their result
   * is used only if the caller may proceed.
   */
  prefetch?(ports: Ports, input: z.output<z.ZodObject<Shape>>, now: EpochMs): Promise<Prefetched>;
  handle(
    ctx: OperationContext<A>,
    input: z.output<z.ZodObject<Shape>>,
    prefetched: Prefetched,
  ): Promise<Output | ExactAnswer | WithHeaders<Output>>;
}

/** An operation without its type parameters, as in lists. */
// biome-ignore lint/suspicious/noExplicitAny: input and caller types vary per operation and meet only in runOperation.
export type AnyOperation = Operation<any, any, any, any>;

/** Whether anybody may read it, so that no request is refused for something that it need not have sent. */
export function isPublicRead({ auth, http, input, movesMoney }: AnyOperation): boolean {
  if (http.method !== 'get' || movesMoney) return false;
  // What a link's token opens is for whoever has it.
  return auth === 'none' || (auth === 'optional' && !('token' in input.shape));
}

/** What is said of an operation beside its summary, with what its answers may be late in; undefined: nothing. */
export function descriptionOf({ description, lag }: AnyOperation): string | undefined {
  if (lag === undefined) return description;
  const notice = `May be some seconds late without a key or \`X-D1-Bookmark\`: ${lag}`;
  return description === undefined ? notice : `${description} ${notice}`;
}

/** What a suspended agent may still do: read, and what the operation declares. */
export function isOpenToSuspended({ openToSuspended, replay, movesMoney }: AnyOperation): boolean {
  return openToSuspended ?? (replay === undefined && movesMoney !== true);
}

/** The choices that anybody may leave out of a public read: any other word than theirs is as if none had been chosen. */
function openChoices<Shape extends z.ZodRawShape>(operation: {
  readonly input: z.ZodObject<Shape>;
  readonly filterFields?: readonly string[];
}): (keyof Shape & string)[] {
  if (!isPublicRead(operation as unknown as AnyOperation)) return [];
  const { filterFields = [], input } = operation;
  const isOptional = (field: string) =>
    (input.shape[field] as unknown as z.ZodType).safeParse(undefined).success;
  const choices = choicesOf({ input: input as unknown as z.ZodObject });
  return [...choices].filter((field) => isOptional(field) && !filterFields.includes(field));
}

/** Whoever takes a key says what the key must be for. */
type ScopeFor<A extends Auth> = A extends 'none' | 'operator'
  ? { readonly scope?: never }
  : { readonly scope: NeededScope };

export function defineOperation<
  A extends Auth,
  Shape extends z.ZodRawShape,
  OutputSchema extends z.ZodType<object>,
  Prefetched = undefined,
>(
  operation: Omit<Operation<A, Shape, z.output<OutputSchema>, Prefetched>, 'output'> & {
    readonly output: OutputSchema;
  } & ScopeFor<A>,
): Operation<A, Shape, z.output<OutputSchema>, Prefetched> {
  const advisoryFields = [...new Set([...(operation.advisoryFields ?? []), ...openChoices(operation)])];
  // Unknown fields are refused, unless they are left out before.
  return { ...operation, advisoryFields, input: closedInput(operation.input) };
}
