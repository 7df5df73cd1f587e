import { type SaleStep, stepLine } from '../../order/sale-steps.ts';
import { Drawn } from '../drawn.tsx';

/** The steps of a sale, on the server. */
export function SaleSteps({ steps }: { steps: readonly SaleStep[] }) {
  return <Drawn outline={stepLine(steps)} />;
}
