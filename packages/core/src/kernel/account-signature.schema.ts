import * as z from 'zod';

/** The signature of a contract account may be long: it can hold the code that deploys the account. */
const MAX_CHARACTERS = 20_000;

/** Of an account on a chain, in any of its forms. */
export const accountSignature = z
  .string()
  .max(MAX_CHARACTERS)
  .regex(/^0x([0-9a-fA-F]{2})+$/, 'Hexadecimal, with 0x.');
