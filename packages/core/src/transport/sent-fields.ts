import { commonErrors, Refusal } from '../kernel/errors.ts';
import type { WireNames } from './wire-names.ts';

/** Carries the API key of a client that does not send it as a header. */
export const API_KEY_FIELD = 'api_key';

/** The fields and API keys of one request, gathered under the operation's own names. */
export class SentFields {
  readonly fields: Record<string, unknown> = {};
  readonly apiKeys: string[];
  readonly #toField: WireNames['toField'];

  constructor({ toField }: WireNames, apiKeys: readonly string[]) {
    this.#toField = toField;
    this.apiKeys = [...apiKeys];
  }

  /** Null says the same as leaving the field out, so another spelling of it wins. Two different values are refused. */
  add(wireName: string, value: unknown): void {
    if (wireName === API_KEY_FIELD) {
      if (value !== null) this.apiKeys.push(String(value));
      return;
    }
    const field = this.#toField(wireName);
    const earlier = this.valueOf(field);
    if (earlier === null) this.set(field, value);
    else if (value !== null && JSON.stringify(earlier) !== JSON.stringify(value)) {
      throw new Refusal(commonErrors.validation_failed, {
        fields: [{ message: 'It was sent twice, with different values: send one of them.', path: wireName }],
      });
    }
  }

  valueOf(field: string): unknown {
    return Object.hasOwn(this.fields, field) ? this.fields[field] : null;
  }

  set(field: string, value: unknown): void {
    defineMember(this.fields, field, value);
  }
}

/** A plain assignment would drop a member named `__proto__`, which must be refused like any unknown member. */
export function defineMember(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
}
