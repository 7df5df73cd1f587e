import { isJsonObject, type Json } from '../kernel/json/json.ts';
import { type SchemaKeyword, schemaMessage } from './schema-messages.rules.ts';

/** A part of a value that does not fit. `path` has the names of the value's own members. */
export interface ValueFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Whether a value fits a part of a schema. */
export type Check = (evaluation: Evaluation, value: Json) => boolean;

/** About 0.2 s of processor time. 200,000 values in flat rows take a million steps. */
const MAX_STEPS = 2_000_000;
const MAX_FAULTS = 20;
/** Characters are compared and counted fast: so many of them are one step. */
const CHARACTERS_A_STEP = 16;

/** The evaluation would take more than MAX_STEPS. */
export class TooManySteps extends Error {}

/** One evaluation of a schema: its steps, each counted before it is taken, and the faults that it found. */
export class Evaluation {
  readonly faults: ValueFault[] = [];
  readonly #path: (string | number)[] = [];
  #steps = 0;
  /** Inside an alternative, what does not fit is no fault yet. */
  #quiet = 0;

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > MAX_STEPS) throw new TooManySteps();
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
