import type { JobMessage } from '@agent-marketplace/core/kernel/ports/job-queue.ts';

/** What a request makes the Worker do that is not its own work. `Text` is a string, or how one is made. */
export type Step<Text> =
  | {
      readonly kind: 'database';
      /** The constraint that its session begins with; null: it has none. */
      readonly session: string | null;
      readonly statements: readonly {
        readonly sql: string;
        readonly params: readonly (Text | number | null)[];
      }[];
    }
  /** By the runtime, over so many bytes. */
  | { readonly kind: 'digest'; readonly bytes: number }
  | { readonly kind: 'signature' | 'mac'; readonly bytes: number }
  /** The request to a seller, as JSON. */
  | { readonly kind: 'relay'; readonly request: Text }
  | { readonly kind: 'wake'; readonly agentId: Text; readonly sequence: number | null }
  | { readonly kind: 'job'; readonly message: JobMessage };

/** What one request was answered with, and all that was done for it until nothing was left to do. */
export interface Recording {
  readonly status: number;
  readonly answer: string;
  readonly steps: readonly Step<string>[];
  /** So many steps were begun when it was answered. */
  readonly answeredAfter: number;
}

/** Text in order, a number standing for a value that is new in each request. */
export type Pattern = readonly (string | number)[];

/** A value that is new in each request: it begins alike, or is a time so long after the request came. */
export type FreshValue =
  | { readonly kind: 'uuid' | 'hex' | 'base64url'; readonly start: string; readonly length: number }
  | { readonly kind: 'time'; readonly offsetMs: number };

/** What can be done again, any number of times. */
export interface Replay {
  readonly fresh: readonly FreshValue[];
  readonly steps: readonly { readonly step: Step<Pattern>; readonly isBehindAnswer: boolean }[];
  readonly answer: string;
}

const TOKEN =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|[\w-]{86}|\b(?:[0-9a-f]{64}|[0-9a-f]{32})\b/g;

/** Whether two recordings of the same request did the same, so that one shows what is new in the other. */
export function areAlike(one: Recording, other: Recording): boolean {
  const shapeOf = ({ steps }: Recording) =>
    JSON.stringify(
      steps.map((step) =>
        step.kind === 'database' ? [step.session, ...step.statements.map(({ sql }) => sql)] : step.kind,
      ),
    );
  return shapeOf(one) === shapeOf(other) && tokensOf(one).length === tokensOf(other).length;
}

/** Whatever differs between two recordings that are alike (ids, times, digests, signatures) is made anew each time. */
export function replayOf(one: Recording, other: Recording): Replay {
  const others = tokensOf(other);
  const tokens = tokensOf(one);
  const beganAt = Math.min(
    ...tokens
      .filter(isTime)
      .filter((token) => !others.includes(token))
      .map(Date.parse),
  );
  const places = new Map<string, number>();
  const fresh: FreshValue[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token === others[index] || places.has(token)) continue;
    places.set(token, fresh.length);
    fresh.push(freshValueOf(token, others[index] ?? '', beganAt));
  }
  const patternOf = (text: string): Pattern => {
    const pattern: (string | number)[] = [];
    let end = 0;
    for (const { 0: token, index } of text.matchAll(TOKEN)) {
      const place = places.get(token);
      if (place === undefined) continue;
      pattern.push(text.slice(end, index), place);
      end = index + token.length;
    }
    return [...pattern, text.slice(end)];
  };
  const lastCommit = one.steps
    .slice(0, one.answeredAfter)
    .findLastIndex((step) => step.kind === 'database' && step.session === 'first-primary');
  // What an isolate writes behind reads, it writes for many of them at once.
  const steps = lastCommit === -1 ? one.steps.slice(0, one.answeredAfter) : one.steps;
  return {
    fresh,
    answer: one.answer,
    steps: steps.map((step, index) => ({
      step: mapTexts(step, patternOf),
      // Nothing is answered before the last commit, and nothing is read between it and the answer.
      isBehindAnswer: lastCommit !== -1 && index > lastCommit && !('bytes' in step),
    })),
  };
}

const isTime = (token: string): boolean => token.endsWith('Z') && token.includes('T');

function freshValueOf(token: string, other: string, beganAt: number): FreshValue {
  if (isTime(token)) return { kind: 'time', offsetMs: Date.parse(token) - beganAt };
  const { length } = token;
  // An id begins like that of its seller.
  const differsAt = [...token].findIndex((letter, index) => letter !== other[index]);
  const kind = length === 36 ? 'uuid' : length === 86 ? 'base64url' : 'hex';
  return { kind, start: token.slice(0, differsAt), length };
}

function mapTexts<Text>(step: Step<string>, map: (text: string) => Text): Step<Text> {
  switch (step.kind) {
    case 'database':
      return {
        ...step,
        statements: step.statements.map(({ sql, params }) => ({
          sql,
          params: params.map((param) => (typeof param === 'string' ? map(param) : param)),
        })),
      };
    case 'relay':
      return { ...step, request: map(step.request) };
    case 'wake':
      return { ...step, agentId: map(step.agentId) };
    default:
      return step;
  }
}

function tokensOf({ steps }: Recording): string[] {
  const tokens: string[] = [];
  for (const step of steps) mapTexts(step, (text) => tokens.push(...(text.match(TOKEN) ?? [])));
  return tokens;
}
