import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** The fields of an answer as a seller that polls may send them. */
interface DeliveryAnswerFields {
  readonly data?: JsonObject | undefined;
  /** Of a listing that is priced by units: beside the data. */
  readonly units?: number | undefined;
  readonly available?: false | undefined;
  readonly nonce?: string | undefined;
}

/** The reply that a webhook would have made, or null unless exactly one form was chosen. */
export function deliveryAnswer({ data, units, available, nonce }: DeliveryAnswerFields): JsonObject | null {
  const forms: JsonObject[] = [];
  if (data !== undefined) forms.push(units === undefined ? { data } : { data, units });
  else if (units !== undefined) return null;
  if (available !== undefined) forms.push({ available });
  if (nonce !== undefined) forms.push({ nonce });
  const [form, ...others] = forms;
  return form !== undefined && others.length === 0 ? form : null;
}
