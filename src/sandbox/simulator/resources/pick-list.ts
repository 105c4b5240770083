import type { OrderState, PickJob } from '../state/order.ts';
import { link, omitNulls, type Resource } from './resource.ts';

/** What a pick job has to bring; its fields are a guess, as no pick list was published. */
export function toPickListResource(order: OrderState, job: PickJob): Resource {
  return {
    readOnly: omitNulls({ pickJobId: job.id, isDone: job.status === 'done', assignedTo: job.assigned }),
    lines: order.lines.map(({ orderItemId, item, qty, picked }, index) => ({
      orderId: order.id,
      orderItemId,
      itemIdentifier: item,
      qty,
      qtyPicked: picked || (job.status === 'done' && !(job.incomplete && index === 0)) ? qty : 0,
    })),
    _links: { self: link(`/orders/pickjobs/${job.id}/picklist`) },
  };
}
