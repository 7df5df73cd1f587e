/** JSON Schemas that sellers give: which of them are usable, and what fits them. */
export { checkAgainstSchema, fitsSchema } from './check-against-schema.ts';
export { requireUsableSchema } from './require-usable-schema.ts';
