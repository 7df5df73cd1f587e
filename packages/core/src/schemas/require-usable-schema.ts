import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { findObjectFault, findSchemaFault } from '@agent-marketplace/protocol/schemas/schema-fault.rules.ts';
import { findWorkFault } from '@agent-marketplace/protocol/schemas/schema-work.rules.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';

/** Refuses a schema that cannot be evaluated, or that no object fits. `what` names the object that it is for. */
export function requireUsableSchema(field: string, schema: JsonObject | undefined, what: string): void {
  if (schema === undefined) return;
  const fault = findSchemaFault(schema) ?? findObjectFault(schema, what) ?? findWorkFault(schema);
  if (fault === null) return;
  const path = [field, ...fault.path].join('.');
  throw new Refusal(commonErrors.validation_failed, { fields: [{ message: fault.message, path }] });
}
