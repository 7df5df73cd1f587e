export { exportAnnualTotals } from './export-annual-totals.ts';
export { getAnnualTotals } from './get-annual-totals.ts';
export { getStatement } from './get-statement.ts';
export { getStatementFile } from './get-statement-file.ts';
export { listAnnualTotals } from './list-annual-totals.ts';
export { listPurchaseDocuments } from './list-purchase-documents.ts';
export { listStatements } from './list-statements.ts';
