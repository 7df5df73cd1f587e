import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPOSITORY } from '../repository.ts';
import { accessTable, unknownTables } from './access-table.ts';
import { readWorkerConfigs } from './worker-configs.ts';

const workers = readWorkerConfigs();
const table = accessTable(workers);

/** The rows of the table in docs/security.md: what, which Workers, why. */
function documentedRows(): { thing: string; holders: string[]; reason: string }[] {
  const text = readFileSync(join(REPOSITORY, 'docs/security.md'), 'utf8');
  const section = text.split('\n## ').find((part) => part.startsWith('What each Worker can reach')) ?? '';
  return [...section.matchAll(/^\| (.+?) \| (.+?) \| (.*?) \|$/gm)]
    .map(([, thing = '', holders = '', reason = '']) => ({
      thing: thing.replaceAll('`', ''),
      holders: holders.split(', ').sort(),
      reason: reason.trim(),
    }))
    .filter(({ thing }) => thing !== 'what' && !thing.startsWith('---'));
}

describe('what each Worker can reach', () => {
  it('is what docs/security.md lists, with a reason for each', () => {
    const rows = documentedRows();
    expect(Object.fromEntries(rows.map(({ thing, holders }) => [thing, holders]))).toEqual(table);
    for (const { thing, reason } of rows) expect(reason.length, thing).toBeGreaterThan(20);
  });

  it('holds no kind of binding that the table would not show', () => {
    for (const { path } of workers) {
      expect(unknownTables(readFileSync(join(REPOSITORY, path), 'utf8')), path).toEqual([]);
    }
    expect(unknownTables('[[kv_namespaces]]\nbinding = "KV"\n')).toEqual(['kv_namespaces']);
    expect(unknownTables('send_email = [{ name = "MAIL" }]\n')).toEqual(['send_email']);
  });

  it('the key that moves money is where nothing else is, and where nobody outside calls', () => {
    expect(table.X402_RELAYER_KEY).toEqual(['treasury']);
    expect(Object.keys(table).filter((thing) => table[thing]?.includes('treasury'))).toEqual([
      'X402_RELAYER_KEY',
    ]);
    const callers = Object.keys(table).filter((thing) => thing.endsWith(' treasury'));
    expect(callers.flatMap((thing) => table[thing])).toEqual(['jobs', 'x402']);
  });

  it('the door, the relay and uploads are for strangers first: no data of others, and no secret but what the door signs with', () => {
    const reach = (worker: string) => Object.keys(table).filter((thing) => table[thing]?.includes(worker));
    expect(reach('ingress')).toEqual(['SIGNING_KEY', 'INGRESS_SIGNING_KEY']);
    expect(reach('relay')).toEqual([]);
    expect(reach('uploads')).toEqual(['bucket marketplace-attachments']);
  });

  it('the operator’s secret is where /admin is, and pages have no secret and no data', () => {
    expect(table.ADMIN_SECRET).toEqual(['api']);
    expect(Object.keys(table).filter((thing) => table[thing]?.includes('site'))).toEqual(['Worker api']);
  });
});
