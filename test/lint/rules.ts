import { bannedNames } from './rules/banned-names.ts';
import { mainExport, operationFile } from './rules/file-names.ts';
import { databaseErrors, folderSize, railsApart } from './rules/places.ts';
import { secretComparisons } from './rules/secret-comparisons.ts';
import { statementsInText } from './rules/statements-in-text.ts';
import { tableWriters } from './rules/table-writers.ts';
import type { Rule } from './source-file.ts';

export const rules: readonly Rule[] = [
  bannedNames,
  databaseErrors,
  folderSize,
  mainExport,
  operationFile,
  railsApart,
  secretComparisons,
  statementsInText,
  tableWriters,
];
