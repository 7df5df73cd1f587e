import type { Json } from '@agent-marketplace/protocol/json/json.ts';
import examples from './examples.json' with { type: 'json' };

/** An exchange with a marketplace: what was sent, by wire names, and what was answered. */
export interface OperationExample {
  readonly parameters: Readonly<Record<string, Json>>;
  readonly body: Readonly<Record<string, Json>>;
  /** A file's beginning by its media type, where the operation answers one that is text. */
  readonly answer: Readonly<Record<string, Json>>;
}

/** By operation. Recorded by test/contract/recorded-examples.test.ts. */
export const operationExamples = examples as unknown as Readonly<Record<string, OperationExample>>;
