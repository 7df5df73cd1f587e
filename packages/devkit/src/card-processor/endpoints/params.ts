import type { FormHash, FormValue } from '../form.ts';
import { badParam } from '../problem.ts';

/** Checks a value at its place in the request and reads it. */
export type Rule<T> = (value: FormValue, at: string) => T;
type Rules = Readonly<Record<string, Rule<unknown>>>;
type Read<R extends Rules> = { [K in keyof R]: R[K] extends Rule<infer T> ? T : never };

/** A request's parameters: what must be there, and what may. Anything else is unknown. */
export function params<R extends Rules, O extends Rules>(required: R, optional: O) {
  const all = new Map(Object.entries({ ...required, ...optional }));
  const names = Object.keys(required);
  return (form: FormHash, at = ''): Read<R> & Partial<Read<O>> => {
    const nameOf = (key: string) => (at ? `${at}[${key}]` : key);
    const unknown = [...form.keys()].find((key) => !all.has(key));
    if (unknown !== undefined) {
      const name = nameOf(unknown);
      throw badParam(`Received unknown parameter: ${name}`, name, 'parameter_unknown');
    }
    const absent = names.find((key) => !form.has(key));
    if (absent !== undefined) {
      const name = nameOf(absent);
      throw badParam(`Missing required param: ${name}.`, name, 'parameter_missing');
    }
    const read = [...form].map(([key, value]) => [key, all.get(key)?.(value, nameOf(key))]);
    return Object.fromEntries(read) as Read<R> & Partial<Read<O>>;
  };
}

export function hash<R extends Rules, O extends Rules>(required: R, optional: O) {
  const read = params(required, optional);
  return (value: FormValue, at: string) => read(asHash(value, at), at);
}

export function list<T>(rule: Rule<T>): Rule<T[]> {
  return (value, at) => [...asHash(value, at)].map(([index, item]) => rule(item, `${at}[${index}]`));
}

export function text(maxLength = 5000): Rule<string> {
  return (value, at) => {
    if (typeof value !== 'string') throw badParam(`Invalid string: ${at}`, at);
    if (value === '') {
      const message = `You passed an empty string for '${at}'. We assume empty values are an attempt to unset a parameter; however '${at}' cannot be unset. You should remove '${at}' from your request or supply a non-empty value.`;
      throw badParam(message, at, 'parameter_invalid_empty');
    }
    if (value.length > maxLength)
      throw badParam(`Invalid string: must be at most ${maxLength} characters`, at);
    return value;
  };
}

export function oneOf<const T extends string>(...values: T[]): Rule<T> {
  return (value, at) => {
    const known = values.find((each) => each === value);
    if (known === undefined) throw badParam(`Invalid ${at}: must be one of ${values.join(', ')}`, at);
    return known;
  };
}

export const integer: Rule<number> = (value, at) => {
  if (typeof value !== 'string' || !/^-?\d{1,15}$/.test(value))
    throw badParam(`Invalid integer: ${String(value)}`, at, 'parameter_invalid_integer');
  return Number(value);
};

/** Of a charge: Stripe's limits in US dollars. */
export const chargeAmount: Rule<number> = (value, at) => {
  const amount = positive(value, at);
  if (amount < 50) throw badParam('Amount must be at least $0.50 usd', at, 'amount_too_small');
  if (amount > 99_999_999) throw badParam('Amount must be no more than $999,999.99', at, 'amount_too_large');
  return amount;
};

export const positive: Rule<number> = (value, at) => {
  const amount = integer(value, at);
  if (amount < 1)
    throw badParam('This value must be greater than or equal to 1.', at, 'parameter_invalid_integer');
  return amount;
};

export const bool: Rule<boolean> = (value, at) => oneOf('true', 'false')(value, at) === 'true';

export const url: Rule<string> = (value, at) => {
  const address = text()(value, at);
  if (!/^https?:\/\/[^/]/.test(address) || !URL.canParse(address))
    throw badParam('Not a valid URL', at, 'url_invalid');
  return address;
};

export const email: Rule<string> = (value, at) => {
  const address = text(512)(value, at);
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address))
    throw badParam(`Invalid email address: ${address}`, at, 'email_invalid');
  return address;
};

export const metadata: Rule<Record<string, string>> = (value, at) => {
  const entries = [...asHash(value, at)].map(([key, item]) => {
    if (key.length > 40) throw badParam('Metadata keys can be at most 40 characters', `${at}[${key}]`);
    return [key, text(500)(item, `${at}[${key}]`)] as const;
  });
  if (entries.length > 50) throw badParam('Metadata can have at most 50 keys', at);
  return Object.fromEntries(entries);
};

export const currency = oneOf('usd');
/** What every request may ask to be shown whole. */
export const expand = list(text());

function asHash(value: FormValue, at: string): FormHash {
  if (typeof value === 'string') throw badParam('Invalid object', at);
  return value;
}
