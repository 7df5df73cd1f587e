import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { pageAsRead } from '../log/page-as-read.ts';

/** Answers of `GET /proof/demand` as they came, each with its signature. */
export interface DemandLedgerPages {
  /** All pages of `ledger`. */
  readonly rows: readonly string[];
  /** All pages of `removedRows`, read after the rows: what leaves the ledger meanwhile is among them. */
  readonly removed: readonly string[];
  /** All pages of `affiliatedRail.ledger`. */
  readonly affiliated: readonly string[];
}

/** @param ask gives the body of `GET /proof/demand` with these query parameters. */
export async function readDemandLedger(
  ask: (query: Readonly<Record<string, string>>) => Promise<string>,
): Promise<DemandLedgerPages> {
  async function readAll(
    name: string,
    limit: number,
    listOf: (page: JsonObject) => Json | undefined,
  ): Promise<string[]> {
    const texts: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = { limit: String(limit), ...(cursor === '' ? {} : { [name]: cursor }) };
      const text = await ask(query);
      texts.push(text);
      const list = listOf(pageAsRead(text));
      const next = isJsonObject(list) ? list.nextCursor : null;
      cursor = typeof next === 'string' ? next : null;
    }
    return texts;
  }
  const rows = await readAll('cursor', 1000, (page) => page);
  const removed = await readAll('removedCursor', 1, (page) => page.removedRows);
  const affiliated = await readAll('affiliatedCursor', 1, (page) => page.affiliatedRail);
  return { rows, removed, affiliated };
}
