/** For sellers: try the endpoint before it is registered anywhere. */
export { describeReport } from './describe-report.ts';
export { createTestBuyer, type Endpoint, type TestBuyer, type TestPurchase } from './test-buyer.ts';
export type { ReportVerdict, TestReport } from './test-report.ts';
