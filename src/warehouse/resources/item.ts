import { z } from 'zod';
import { id, lenient } from './resource.ts';

const customer = lenient(z.object({ id: lenient(id), name: lenient(z.string()) }));

/** Reads the snapshot of an item. No field is required, since none is documented. */
export const itemSchema = z
  .object({
    sku: lenient(z.string()),
    deactivated: lenient(z.boolean()),
    customeridentifier: customer,
    readonly: lenient(z.object({ deactivated: lenient(z.boolean()), customeridentifier: customer })),
  })
  .transform(({ sku, ...wire }) => {
    const { id: customerId, name: customerName } = wire.readonly?.customeridentifier ?? wire.customeridentifier ?? {};
    const deactivated = wire.readonly?.deactivated ?? wire.deactivated;
    return {
      snapshot: {
        ...(deactivated !== undefined && { deactivated }),
        ...(sku && { referenceNumber: sku }),
        ...(customerId && { customerId }),
        ...(customerName && { customerName }),
      },
    };
  });
