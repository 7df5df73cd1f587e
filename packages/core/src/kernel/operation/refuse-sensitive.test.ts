import { describe, expect, it } from 'vitest';
import { Refusal } from '../errors.ts';
import { refuseSensitive } from './refuse-sensitive.ts';

function messageFor(text: string): string | undefined {
  try {
    refuseSensitive({ publicFields: ['text'] }, { text });
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.details.fields?.[0]?.message;
  }
}

describe('what must not be published is named', () => {
  it.each([
    ['-----BEGIN PRIVATE KEY-----', 'a private key'],
    [`AKIA${'A'.repeat(16)}`, 'a cloud credential'],
    [`ghp_${'a'.repeat(36)}`, 'an API credential'],
    [`eyJ${'a'.repeat(9)}.eyJ${'a'.repeat(9)}.${'a'.repeat(9)}`, 'a JSON Web Token'],
    ['4111 1111 1111 1111', 'a payment card number'],
    ['123-45-6789', 'a social security number'],
  ])('%s', (text, name) => {
    expect(messageFor(text)).toBe(`This looks like ${name}.`);
  });

  it('and nothing else is', () => {
    expect(messageFor('Tides of today')).toBeUndefined();
  });
});
