export {
  type ClosedRail,
  closedByCost,
  closedByCostFor,
  closedRailsField,
  findClosed,
  readSpentOn,
} from './closed-rails.ts';
export { subsidyErrors } from './subsidies.errors.ts';
export { DEFAULT_SUBSIDIES, type Spent } from './subsidy.rules.ts';
export {
  type CostlyTopUp,
  giveSubsidyBack,
  giveTopUpSubsidyBack,
  isClosure,
  recordTopUpSubsidy,
  refusalOf,
  requireSubsidy,
  type SubsidyPorts,
  subsidyRefusal,
  takeSubsidy,
  takeTopUpSubsidy,
} from './take-subsidy.ts';
