import type { Customer } from '../objects.ts';
import { find, newId, seconds } from '../world.ts';
import { endpoint, noParams } from './endpoint.ts';
import { email, expand, metadata, params, text } from './params.ts';

const create = params({}, { email, name: text(256), description: text(), metadata, expand });

export const customerEndpoints = [
  endpoint('POST', '/v1/customers', create, (world, input) => {
    const customer: Customer = {
      id: newId('cus', 14),
      object: 'customer',
      created: seconds(world),
      description: input.description ?? null,
      email: input.email ?? null,
      livemode: false,
      metadata: input.metadata ?? {},
      name: input.name ?? null,
    };
    world.state.customers[customer.id] = customer;
    world.emit('customer.created', customer);
    return customer;
  }),
  endpoint('GET', '/v1/customers/:id', noParams, (world, _, id) =>
    find(world.state.customers, id, { what: 'customer', param: 'id' }),
  ),
];
