export { deleteExpired } from './retention/expiries.store.ts';
