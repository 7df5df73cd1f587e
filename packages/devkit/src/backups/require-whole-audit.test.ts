import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import { requireWholeAudit } from './require-whole-audit.ts';

let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  database.exec(`CREATE TABLE operator_actions (sequence INTEGER PRIMARY KEY, previous_digest TEXT, digest TEXT);
    INSERT INTO operator_actions VALUES (1, NULL, 'a'), (2, 'a', 'b'), (3, 'b', 'c')`);
});

it('takes a chain of which each entry follows from the one before, and an empty one', () => {
  requireWholeAudit(database);
  database.exec('DELETE FROM operator_actions');
  requireWholeAudit(database);
});

it.each([
  ['lacks its first entries', 'DELETE FROM operator_actions WHERE sequence < 3', 3],
  ['lacks one in between', 'DELETE FROM operator_actions WHERE sequence = 2', 3],
  ['has another', "UPDATE operator_actions SET digest = 'x' WHERE sequence = 1", 2],
] as const)('refuses one that %s', (_, sql, entry) => {
  database.exec(sql);
  expect(() => requireWholeAudit(database)).toThrow(`broken before its entry ${entry}`);
});
