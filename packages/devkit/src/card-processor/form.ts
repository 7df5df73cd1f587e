import { badParam } from './problem.ts';

/** A form value: text, or named values inside it. A list has the names 0, 1, 2, … */
export type FormValue = string | FormHash;
export type FormHash = Map<string, FormValue>;

/** Reads `a[b][0]=c` as Stripe does; `a[]=c` adds to a list. */
export function parseForm(text: string): FormHash {
  const form: FormHash = new Map();
  for (const [name, value] of new URLSearchParams(text)) put(form, path(name), value, name);
  return form;
}

function path(name: string): string[] {
  const [head = '', ...rest] = name.split('[');
  return [head, ...rest.map((part) => part.replace(/\]$/, ''))];
}

function put(hash: FormHash, [name = '', ...inner]: string[], value: string, full: string): void {
  const key = name === '' ? String(hash.size) : name;
  if (inner.length === 0) {
    hash.set(key, value);
    return;
  }
  const known = hash.get(key) ?? new Map<string, FormValue>();
  if (typeof known === 'string') throw badParam(`Invalid value for ${full}.`, full);
  hash.set(key, known);
  put(known, inner, value, full);
}

/** The same text for the same parameters, whatever their order. */
export function canonicalForm(value: FormValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  const names = [...value.keys()].sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalForm(value.get(name) ?? '')}`)}}`;
}
