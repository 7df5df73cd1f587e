import { checkReceipt } from './parts/order/check-receipt.ts';

// The content came with a form: a reload shows the page, and does not send that again, which asks the seller.
history.replaceState(null, '');
document.addEventListener('live', checkReceipt);
await checkReceipt();
