import { takeMailedToken } from './parts/mailed-token.ts';

// Fills in the code of a mailed link, so that the reader has nothing to paste.
const token = takeMailedToken();
const field = document.querySelector<HTMLElement>('[data-link-code]');
const input = field?.querySelector('input');
if (field && input && token) {
  input.value = token;
  field.hidden = true;
}
