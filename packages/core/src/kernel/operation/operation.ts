import type { z } from 'zod';
import type { Digest } from '../crypto/signed-statement.ts';
import type { ErrorDefinition, ErrorKind, Refusal } from '../errors.ts';
import type { Json } from '../json/json.ts';
import type { Statement } from '../ports/database.ts';
import type { Ports } from '../ports/ports.ts';
import type { RatePolicy } from '../ports/rate-limiter.ts';
import type { EpochMs } from '../time.ts';
import { closedInput } from './closed-input.ts';

/**
 * Who may call: anyone, anyone with an optional key, any agent, an agent that sells, or who holds the operator's
 * secret. Everything under /admin is the operator's alone.
 */
export type Auth = 'none' | 'optional' | 'agent' | 'seller' | 'operator';

/** The agent behind an API key, as far as every operation may need it. */
export interface AgentCaller {
  readonly agentId: string;
  readonly isSeller: boolean;
  /** A fixture of the operator: it deals with its like only, and moves no money. */
  readonly isSmokeTest: boolean;
}

export type CallerFor<A extends Auth> = A extends 'none' | 'operator'
  ? null
  : A extends 'optional'
    ? AgentCaller | null
    : AgentCaller;

/** What a handler gets besides its input. */
export interface OperationContext<A extends Auth = Auth> {
  readonly ports: Ports;
  readonly settings: Settings;
  readonly caller: CallerFor<A>;
  /** The time of the request: every row and receipt it writes carries the same. */
  readonly now: EpochMs;
  readonly requestId: string;
  /** The API root as the caller reaches it, without a trailing slash. */
  readonly baseUrl: string;
  /** Set when the request carried the operator's secret; where only the operator may call, always. */
  readonly isOperator: boolean;
  /** The HTTP Referer of the request, where the transport has one. */
  readonly referer: string | null;
  /** Fields as headers give them, also where the body has them and differs. */
  readonly headerFields: Readonly<Record<string, string>>;
  /**
   * Writes to the market database, all or nothing. With an Idempotency-Key the outcome is recorded in
   * the same transaction, so a retry after a lost reply finds it. `outcome` is what a replay starts
   * from: for most operations the answer itself, never a secret or a deliverable.
   */
  commit(statements: readonly Statement[], outcome: object | null): Promise<unknown[][]>;
  /**
   * A UUID that each try of one Idempotency-Key gets again, for what must be written before the outcome is
   * known: a retry finds what the first try left. Without a key, and in a replay, a fresh one. A key may be
   * used anew a day later, so what has this id may be of an earlier request.
   */
  stableId(): Promise<string>;
}

/** The figures a deployment chooses. */
export interface Settings {
  /** `loopback` is for development: seller endpoints on http://localhost are let through. */
  readonly sellerEndpoints: 'public' | 'loopback';
  /** Where people meet the marketplace: claim links point there. */
  readonly siteUrl: string | null;
  /** How long the money of a delivered sale waits for a dispute; 72 where nothing is set. */
  readonly escrowHoldHours: number;
  /** How long a seller has to ship a physical order once it is delivered; 14 where nothing is set. */
  readonly shipmentDeadlineDays: number;
  /** Whether mail is sent at all; by which Worker is another matter. */
  readonly sendsMail: boolean;
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
   * The field that takes the whole query string, as texts by name; one that is given more than once is a list.
   * Other fields then come from the path and from headers only.
   */
  readonly queryField?: string;
  /** Headers of answers beside those that every answer has: name → what it tells. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly maxBodyBytes?: number;
  /** Where a body repeats what the platform wrote, which is nested deeper than what others may send. */
  readonly maxBodyDepth?: number;
}

export interface McpBinding {
  readonly tool: string;
  readonly title: string;
  /**
   * For a model that must choose between tools: what it does, when to use it, what it costs, and what
   * comes next.
   */
  readonly description: string;
  /** Operation field → argument, where that is not the field in snake_case. */
  readonly names?: Readonly<Record<string, string>>;
  readonly hints: { readonly readOnly: boolean; readonly destructive: boolean; readonly idempotent: boolean };
}

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
 * How a repeated Idempotency-Key is answered: `stored` gives the recorded outcome as the body, `refused`
 * is for answers that hold a secret, a function makes the answer from the recorded outcome.
 */
export type Replay<A extends Auth, Output> =
  | 'stored'
  | 'refused'
  | ((ctx: OperationContext<A>, outcome: Json) => Promise<Output>);

/**
 * An answer as it goes out, provenance included: kept whole, so that a repetition is the same to the byte.
 * A handler gives it in place of its output.
 */
export class ExactAnswer {
  readonly body: Uint8Array;
  /** Of the body without provenance. */
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
  /** Of one file: without a path, and safe to save under. */
  readonly filename: string;
}

/**
 * An answer that is a file and not JSON: what an operation with `file` gives. Its bytes are read only where the
 * caller does not hold them already; reading may throw a Refusal.
 */
export class FileAnswer {
  readonly description: FileDescription;
  readonly read: () => Promise<Uint8Array>;

  constructor(description: FileDescription, read: () => Promise<Uint8Array>) {
    this.description = description;
    this.read = read;
  }
}

/** An output that goes out with further headers. A handler gives it in place of its output. */
export class WithHeaders<Output extends object> {
  readonly output: Output;
  readonly headers: Readonly<Record<string, string>>;

  constructor(output: Output, headers: Readonly<Record<string, string>>) {
    this.output = output;
    this.headers = headers;
  }
}

/** For operations whose refusals are statements of their own, signed by themselves, in place of problems. */
export interface SignedRefusals {
  readonly output: z.ZodType;
  /** The kinds that it answers so; all, where nothing is said. */
  readonly kinds?: readonly ErrorKind[];
  /** Null: this one stays a problem. `fields` is what could be read of the request. */
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
  readonly input: z.ZodObject<Shape>;
  /** Fields that others than the two parties of a deal will see: secrets and card numbers in them are refused. */
  readonly publicFields?: readonly (keyof Shape & string)[];
  /**
   * Fields that go on to another, or are compared, as they came, whatever text is in them: U+0000 too. The database
   * has none of it as a text: a digest at most, or JSON, which escapes it.
   */
  readonly opaqueFields?: readonly (keyof Shape & string)[];
  readonly output: z.ZodType;
  readonly errors: readonly ErrorDefinition[];
  readonly http: HttpBinding;
  /** What is the operator's alone is no tool of agents. */
  readonly mcp?: A extends 'operator' ? never : McpBinding;
  readonly rate: RatePolicy;
  /**
   * How long a public answer may be served again without asking; the answer is the same for everyone. Without it, no
   * shared cache keeps the answer: it may be for whoever holds an id or a link.
   */
  readonly cache?: { readonly freshSeconds: number; readonly staleIfErrorSeconds: number };
  /** Required on everything that changes something. */
  readonly replay?: Replay<A, Output>;
  /** Whether money can move: error answers then say `charged`. */
  readonly movesMoney?: boolean;
  readonly refusals?: SignedRefusals;
  /** Set where the answer is a file (`FileAnswer`), which then can be of these media types. Refusals stay JSON. */
  readonly file?: { readonly mediaTypes: readonly string[] };
  /**
   * Reads that do not depend on who calls. They share their round trip with the look-up of the API key;
   * what they find is used only if the caller may proceed.
   */
  prefetch?(ports: Ports, input: z.output<z.ZodObject<Shape>>, now: EpochMs): Promise<Prefetched>;
  handle(
    ctx: OperationContext<A>,
    input: z.output<z.ZodObject<Shape>>,
    prefetched: Prefetched,
  ): Promise<Output | ExactAnswer | WithHeaders<Output>>;
}

/** An operation whose types were forgotten, as lists hold them. */
// biome-ignore lint/suspicious/noExplicitAny: input and caller types vary per operation and meet only in runOperation.
export type AnyOperation = Operation<any, any, any, any>;

export function defineOperation<
  A extends Auth,
  Shape extends z.ZodRawShape,
  OutputSchema extends z.ZodType<object>,
  Prefetched = undefined,
>(
  operation: Omit<Operation<A, Shape, z.output<OutputSchema>, Prefetched>, 'output'> & {
    readonly output: OutputSchema;
  },
): Operation<A, Shape, z.output<OutputSchema>, Prefetched> {
  // Fields that the operation does not know are refused, never ignored.
  return { ...operation, input: closedInput(operation.input) };
}
