import { Agent } from 'undici';
import { steps } from '../workload.ts';

const agent = new Agent();

/** Retrieves an order from the warehouse. Throws unless it is answered 200. */
export async function getOrder(orderId: string): Promise<unknown> {
  const url = `${process.env.WAREHOUSE_BASE_URL}/orders/${orderId}?detail=orderItems,savedElements`;
  const { statusCode, body } = await agent.request({
    ...originAndPath(url),
    method: 'GET',
    headers: { authorization: 'Bearer token' },
  });
  if (statusCode === 200) return await body.json();
  await body.dump();
  throw new Error(`GET answered ${statusCode}`);
}

/** Announces a milestone of an order. Throws unless it is answered 2xx. */
export async function announce(announcement: {
  readonly orderId: string;
  readonly milestone: string;
  readonly order: unknown;
}): Promise<void> {
  await postJson(process.env.ANNOUNCE_URL ?? '', announcement);
}

/** Posts a value as JSON. Throws unless it is answered 2xx. */
export async function postJson(url: string, value: unknown): Promise<void> {
  const { statusCode, body } = await agent.request({
    ...originAndPath(url),
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });
  await body.dump();
  if (statusCode >= 300) throw new Error(`POST answered ${statusCode}`);
}

function originAndPath(url: string): { readonly origin: string; readonly path: string } {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

const milestones = new Map<string, string>(steps.map(({ name, milestone }) => [name, milestone]));

/** Returns the milestone of an event. */
export const milestoneOf = (eventType: string): string => milestones.get(eventType) ?? '';
