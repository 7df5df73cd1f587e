import { MOST_LOGS } from '@agent-marketplace/core/compose/log-configuration.ts';
import { RefusalToStart } from '../refusal-to-start.ts';

/** The number of the log after the one that these variables configure. */
export function numberOfNextLog({ LOG_NUMBER }: { readonly LOG_NUMBER?: string | undefined }): number {
  const number = Number(LOG_NUMBER || '1') + 1;
  if (number > MOST_LOGS) throw new RefusalToStart(`There are ${MOST_LOGS} logs already.`);
  return number;
}

export const variablesOfLog = (number: number, isFormerKeyStolen: boolean) => ({
  LOG_FORMER_KEY_STOLEN: String(isFormerKeyStolen),
  LOG_NUMBER: String(number),
});
