import { describe, expect, it } from 'vitest';
import { createSdkClient, failure, HERE } from './sdk-client.ts';
import { enterPayoutDetails } from './visitor.ts';

const { stripe, saveCard, charge } = createSdkClient();

describe('accounts and transfers', () => {
  const account = (country = 'US') =>
    stripe().accounts.create({
      country,
      controller: { stripe_dashboard: { type: 'express' }, requirement_collection: 'stripe' },
      capabilities: { transfers: { requested: true } },
    });
  const link = (id: string) =>
    stripe().accountLinks.create({
      account: id,
      type: 'account_onboarding',
      return_url: `${HERE}/back`,
      refresh_url: `${HERE}/again`,
    });

  it('go through onboarding', async () => {
    const { id } = await account();
    expect(await stripe().accounts.retrieve(id)).toMatchObject({
      payouts_enabled: false,
      details_submitted: false,
      capabilities: { transfers: 'inactive' },
    });
    const { url } = await link(id);
    expect(await enterPayoutDetails(url, 'pending')).toMatchObject({ location: `${HERE}/back` });
    expect(await stripe().accounts.retrieve(id)).toMatchObject({
      payouts_enabled: false,
      details_submitted: true,
    });
    expect(await enterPayoutDetails(url)).toMatchObject({ location: `${HERE}/again` });
    await enterPayoutDetails((await link(id)).url);
    expect(await stripe().accounts.retrieve(id)).toMatchObject({
      payouts_enabled: true,
      capabilities: { transfers: 'active' },
    });
  });

  it('move money to an account, out of a charge or out of what is available', async () => {
    const { id: destination } = await account('DE');
    await enterPayoutDetails((await link(destination)).url);
    const { latest_charge } = await charge(await saveCard('4242424242424242'), { transfer_group: 'sale' });
    const source_transaction = String(latest_charge);
    const base = { currency: 'usd', destination };
    const send = (rest: object) => stripe().transfers.create({ ...base, amount: 600, ...rest });
    const sent = await send({ source_transaction, transfer_group: 'sale' });
    expect(sent).toMatchObject({ amount: 600, source_transaction, transfer_group: 'sale', reversed: false });
    const other = { source_transaction, transfer_group: 'other', amount: 100 };
    expect(await failure(send(other))).toMatchObject({ param: 'transfer_group' });
    expect(await failure(send({ source_transaction, amount: 101 }))).toMatchObject({ param: 'amount' });
    expect(await failure(send({ source_transaction: 'ch_none' }))).toMatchObject({
      code: 'resource_missing',
    });
    expect(await failure(send({ amount: 99_999 }))).toMatchObject({ code: 'balance_insufficient' });
    expect(await failure(send({ destination: 'acct_none' }))).toMatchObject({ param: 'destination' });
    const { data } = await stripe().transfers.list({ transfer_group: 'sale' });
    expect(data.map(({ id }) => id)).toEqual([sent.id]);
    expect(await stripe().transfers.retrieve(sent.id)).toMatchObject({ id: sent.id });
    const unready = { destination: (await account()).id };
    expect(await failure(send(unready))).toMatchObject({ code: 'insufficient_capabilities_for_transfer' });
  });

  it('refuse what Stripe refuses', async () => {
    expect(await failure(account('XX'))).toMatchObject({ code: 'country_unsupported', param: 'country' });
    expect(await failure(stripe().accounts.retrieve('acct_none'))).toMatchObject({ statusCode: 404 });
    expect(await failure(link('acct_none'))).toMatchObject({ param: 'account', statusCode: 400 });
  });

  it('show the balance', async () => {
    expect(await stripe().balance.retrieve()).toMatchObject({
      object: 'balance',
      available: [{ currency: 'usd', amount: expect.any(Number) }],
      pending: [{ currency: 'usd', amount: expect.any(Number) }],
    });
  });
});
