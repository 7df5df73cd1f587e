import { isJsonObject, type Json } from '../json/json.ts';
import { type SchemaKeyword, schemaMessage } from './schema-messages.rules.ts';

/** A part of a value that does not fit. `path` has the names of the value's own members. */
export interface ValueFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Whether a value fits a part of a schema. */
export type Check = (evaluation: Evaluation, value: Json) => boolean;

/** What an evaluation may cost, in steps of about 25 ns: so many, and so many more for each value that is judged. */
export interface StepLimit {
  readonly steps: number;
  readonly stepsPerValue: number;
}

/** About 10 ms of processor time. */
const STEPS = 400_000;
/** Queries are judged in the Workers that handle money. */
export const QUERY_LIMIT: StepLimit = { steps: STEPS, stepsPerValue: 0 };
/** A value of a deliverable costs more than 8 steps to read. 200,000 values in flat rows take a million steps. */
export const DATA_LIMIT: StepLimit = { steps: STEPS, stepsPerValue: 8 };
const MAX_FAULTS = 20;
/** Characters are compared and counted fast: so many of them are one step. */
const CHARACTERS_A_STEP = 16;

/** The evaluation would take more than its limit. */
export class TooManySteps extends Error {}

/** One evaluation of a schema: its steps, each counted before it is taken, and the faults that it found. */
export class Evaluation {
  readonly faults: ValueFault[] = [];
  readonly #path: (string | number)[] = [];
  readonly #root: Json;
  readonly #stepsPerValue: number;
  #stepsLeft: number;
  #isExtended = false;
  /** Inside an alternative, what does not fit is no fault yet. */
  #quiet = 0;

  constructor(root: Json, { steps, stepsPerValue }: StepLimit) {
    this.#root = root;
    this.#stepsPerValue = stepsPerValue;
    this.#stepsLeft = steps;
  }

  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) this.#extend();
  }

  /** Values are counted only where the steps that everything may take do not suffice. */
  #extend(): void {
    if (!this.#isExtended && this.#stepsPerValue > 0) {
      this.#isExtended = true;
      this.#stepsLeft += this.#stepsPerValue * countValues(this.#root);
    }
    if (this.#stepsLeft < 0) throw new TooManySteps();
  }

  spendText(text: string): void {
    this.spend(text.length / CHARACTERS_A_STEP);
  }

  fault(message: string): false {
    if (this.#quiet === 0 && this.faults.length < MAX_FAULTS)
      this.faults.push({ path: [...this.#path], message });
    return false;
  }

  require(isGood: boolean, keyword: SchemaKeyword): boolean {
    return isGood || this.fault(schemaMessage(keyword));
  }

  /** Every fault is of interest, unless only the verdict is. */
  all(checks: readonly Check[], value: Json): boolean {
    this.spend(checks.length);
    let isGood = true;
    for (const check of checks) {
      if (check(this, value)) continue;
      if (this.#quiet > 0) return false;
      isGood = false;
    }
    return isGood;
  }

  quietly(check: Check, value: Json): boolean {
    this.#quiet += 1;
    const isGood = check(this, value);
    this.#quiet -= 1;
    return isGood;
  }

  at(name: string | number, check: Check, value: Json): boolean {
    this.#path.push(name);
    const isGood = check(this, value);
    this.#path.pop();
    return isGood;
  }

  isSame(one: Json, other: Json): boolean {
    this.spend(1);
    if (typeof one === 'string' && typeof other === 'string') {
      if (one.length !== other.length) return false;
      this.spendText(one);
      return one === other;
    }
    if (Array.isArray(one) && Array.isArray(other))
      return one.length === other.length && one.every((item, index) => this.isSame(item, other[index]));
    if (!isJsonObject(one) || !isJsonObject(other)) return one === other;
    const names = Object.keys(one);
    const count = Object.keys(other).length;
    this.spend(count);
    return (
      names.length === count &&
      names.every((name) => Object.hasOwn(other, name) && this.isSame(one[name] as Json, other[name] as Json))
    );
  }
}

function countValues(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const part of Array.isArray(value) ? value : Object.values(value)) count += countValues(part);
  return count;
}
