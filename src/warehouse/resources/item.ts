import { z } from 'zod';
import { id, lenient } from './resource.ts';

const customer = lenient(z.object({ id: lenient(id), name: lenient(z.string()) }));

/** An item with its keys in lower case, tolerant of everything that it lacks: its fields are not published. */
export const itemSchema = z
  .object({
    sku: lenient(z.string()),
    deactivated: lenient(z.boolean()),
    customeridentifier: customer,
    readonly: lenient(z.object({ deactivated: lenient(z.boolean()), customeridentifier: customer })),
  })
  .transform(({ sku, ...wire }) => {
    const { id: customerId, name: customerName } = wire.readonly?.customeridentifier ?? wire.customeridentifier ?? {};
    return {
      snapshot: {
        deactivated: wire.readonly?.deactivated ?? wire.deactivated ?? false,
        ...(sku && { referenceNumber: sku }),
        ...(customerId && { customerId }),
        ...(customerName && { customerName }),
      },
    };
  });
