/** The token of a mailed link: behind the fragment, which no server sees, and not left in the address. */
export function takeMailedToken(): string | null {
  // A link that is opened where its page is open already only changes the fragment.
  addEventListener('hashchange', () => location.reload());
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) history.replaceState(null, '', location.pathname);
  return token;
}
