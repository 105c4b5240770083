import { z } from 'zod';
import { identifier, lenient, withoutAbsent } from './resource.ts';

/** Reads the snapshot of an item. No field is required, since none is documented. */
export const itemSchema = z
  .object({
    sku: lenient(z.string()),
    deactivated: lenient(z.boolean()),
    customeridentifier: identifier,
    readonly: lenient(z.object({ deactivated: lenient(z.boolean()), customeridentifier: identifier })),
  })
  .transform(({ sku, ...wire }) => {
    const { id: customerId, name: customerName } = wire.readonly?.customeridentifier ?? wire.customeridentifier ?? {};
    const deactivated = wire.readonly?.deactivated ?? wire.deactivated;
    return { snapshot: withoutAbsent({ deactivated, referenceNumber: sku, customerId, customerName }) };
  });
