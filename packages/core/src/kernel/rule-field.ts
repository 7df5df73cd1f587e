import * as z from 'zod';
import { RULES, type Rule } from './rules.data.ts';

/** The published rule that a decision is made under. */
export const ruleField = z
  .enum(Object.keys(RULES) as [Rule, ...Rule[]])
  .describe('The published rule that is broken.')
  .meta({ id: 'Rule' });
