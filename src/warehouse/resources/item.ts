import { readerOf } from '../../base/json.ts';
import { customersIn } from '../../domain/catalogue/record-customer.ts';
import { readFlag, readText } from '../../domain/wire-values.ts';
import type { RetrievedSubject } from '../gets.ts';
import { disputed, factReader, readIdentifier, withoutAbsent } from './resource.ts';

/** Reads the snapshot of an item. No field is required, since none is documented. */
export function readItem(record: unknown): Omit<RetrievedSubject, 'body'> {
  const read = readerOf(record);
  const fact = factReader(read);
  const customer = readIdentifier(fact, 'customeridentifier');
  const snapshot = withoutAbsent({
    deactivated: readFlag(fact('deactivated')),
    referenceNumber: readText(read('sku')),
    customerId: customer.id,
    customerName: customer.name,
  });
  return customersIn(read).length > 1 ? disputed({ snapshot }) : { snapshot };
}
