import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { fitsSchema } from '../schemas/index.ts';
import { CLAIM } from './integrity.rules.ts';

/** Whether data is what the listing promises. The seller's claim of a digest need not be in the schema, and may be. */
export function fitsOutputSchema(outputSchema: JsonObject | null, data: JsonObject): boolean {
  if (outputSchema === null || fitsSchema(outputSchema, data)) return true;
  if (!Object.hasOwn(data, CLAIM)) return false;
  return fitsSchema(
    outputSchema,
    Object.fromEntries(Object.entries(data).filter(([name]) => name !== CLAIM)),
  );
}
