import type { Json, JsonObject } from '../json/json.ts';
import { compileSchema } from './compile-schema.rules.ts';
import { DATA_LIMIT, Evaluation, type StepLimit, TooManySteps, type ValueFault } from './evaluation.rules.ts';

/**
 * The parts of a value that do not fit a schema, at most 20; null where judging it would take too many steps. Only the
 * keywords of `compile-schema.rules.ts` are evaluated. Whatever else an older schema holds, such as `pattern`, recursion or a
 * malformed keyword, is passed over.
 */
export function evaluateSchema(
  schema: JsonObject,
  value: Json,
  limit: StepLimit = DATA_LIMIT,
): readonly ValueFault[] | null {
  const evaluation = new Evaluation(value, limit);
  try {
    compileSchema(schema)(evaluation, value);
    return evaluation.faults;
  } catch (error) {
    if (error instanceof TooManySteps) return null;
    throw error;
  }
}
