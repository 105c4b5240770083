import { orderItemKey } from '../src/domain/catalogue/subject.ts';
import type { Retrieval } from './retrieval.ts';

/** Up to so many lines are fetched one by one; more of them with one GET of the whole order. */
const ONE_BY_ONE = 4;

/** GETs the lines of an order that events are about, at a number of calls that does not grow with theirs, and stores them. */
export async function getOrderItems(retrieval: Retrieval, ids: readonly string[]): Promise<void> {
  const { deps, subject, attempt } = retrieval;
  const { tenant, id: orderId } = subject;
  const put = (id: string, body: string) => deps.resources.put(tenant, 'orderItem', orderItemKey(orderId, id), body);
  if (ids.length <= ONE_BY_ONE) {
    for (const id of ids) {
      await attempt('getOrdersItem', async () =>
        put(id, await retrieval.warehouse.getOrderItem(orderId, id, retrieval.signal)),
      );
    }
    return;
  }
  const lines = await attempt('getOrdersItem', () => retrieval.warehouse.getOrderItems(orderId, retrieval.signal));
  if (!lines) return;
  for (const id of ids) {
    const body = lines.get(id);
    if (body) await put(id, body);
    else retrieval.refused.push(`getOrdersItem: GET /orders/${orderId} answered without the line ${id}`);
  }
}
