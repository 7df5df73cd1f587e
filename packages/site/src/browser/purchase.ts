import { checkReceipt } from './parts/order/check-receipt.ts';

document.addEventListener('live', checkReceipt);
await checkReceipt();
