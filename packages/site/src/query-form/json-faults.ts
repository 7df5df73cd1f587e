import type { StrictJsonReason } from '@agent-marketplace/protocol/json/strict-json.ts';

/** What is wrong with a text that should be JSON, in words. */
export const JSON_FAULTS: Readonly<Record<StrictJsonReason, string>> = {
  invalid:
    'This is not JSON. Texts and names stand in double quotes, and commas between members, none after the last.',
  too_deep: 'It is nested too deeply.',
  too_many_values: 'It has too many values.',
  duplicate_key: 'It has a member twice.',
  number_not_exact: 'A number in it has more digits than can be kept exactly.',
  lone_surrogate: 'A text in it has half of a character.',
};
