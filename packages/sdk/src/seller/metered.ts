import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** Data of a listing that is priced by units, with how many the query used. Made by `metered`. */
export class MeteredData {
  readonly data: JsonObject;
  readonly units: number;

  constructor(data: JsonObject, units: number) {
    if (!Number.isSafeInteger(units) || units < 1)
      throw new TypeError(`${units} is no number of units: give a whole number, 1 or more.`);
    this.data = data;
    this.units = units;
  }
}

/**
 * What `deliver` returns for a listing that is priced by units. The buyer is charged for so many. More than the listing's
 * `maxUnits` are not charged, and the data is not shown.
 *
 * @throws TypeError if `units` is no whole number, 1 or more.
 */
export function metered(data: JsonObject, units: number): MeteredData {
  return new MeteredData(data, units);
}

/** An answer as it is kept and sent: the text of its data, behind its units where it is metered. */
export interface AnswerText {
  readonly data: string;
  /** Null: it is not metered. */
  readonly units: number | null;
}

/** One text for both, as stores keep texts. That of data alone begins with a brace. */
export function joinAnswer({ data, units }: AnswerText): string {
  return units === null ? data : `${units} ${data}`;
}

export function splitAnswer(text: string): AnswerText {
  const start = text.indexOf('{');
  return { data: text.slice(start), units: start === 0 ? null : Number(text.slice(0, start)) };
}
