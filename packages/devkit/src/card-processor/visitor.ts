/** What a person does on the hosted pages, by plain HTTP: for tests and demonstrations. */

export interface PageVisit {
  readonly status: number;
  /** Where the page sends its visitor next; null where it does not. */
  readonly location: string | null;
  readonly text: string;
}

/** Enters a card on a checkout or setup page, and tells its bank yes if that asks. */
export async function enterCard(
  url: string,
  cardNumber: string,
  authentication: 'complete' | 'fail' = 'complete',
): Promise<PageVisit> {
  const visit = await submit(url, { card_number: cardNumber, expiry: '12/34', cvc: '123' });
  return visit.text.includes('name="authentication"') ? submit(url, { authentication }) : visit;
}

/** Fills in an onboarding page. */
export function enterPayoutDetails(
  url: string,
  outcome: 'complete' | 'leave' | 'pending' = 'complete',
): Promise<PageVisit> {
  return submit(url, { legal_name: 'Test Seller', bank_account: '000123456789', outcome });
}

async function submit(url: string, fields: Readonly<Record<string, string>>): Promise<PageVisit> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, location: response.headers.get('location'), text };
}
