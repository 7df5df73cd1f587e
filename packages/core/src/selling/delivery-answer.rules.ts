import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** The fields of an answer as a seller that polls may send them. */
interface DeliveryAnswerFields {
  readonly data?: JsonObject | undefined;
  readonly available?: false | undefined;
  readonly nonce?: string | undefined;
}

/** The reply that a webhook would have made, or null unless exactly one form was chosen. */
export function deliveryAnswer({ data, available, nonce }: DeliveryAnswerFields): JsonObject | null {
  const forms: JsonObject[] = [];
  if (data !== undefined) forms.push({ data });
  if (available !== undefined) forms.push({ available });
  if (nonce !== undefined) forms.push({ nonce });
  const [form, ...others] = forms;
  return form !== undefined && others.length === 0 ? form : null;
}
