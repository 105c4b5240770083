import { receive, type Subject } from '../../consumer/workflow/src/index.ts';

/** Follows an order until it has shipped or never will, as a workflow of somebody else does. */
export async function fulfillment(subject: Subject) {
  const order = receive('order');
  const created = await order.until('created');
  const end = await order.until(['confirmed', 'canceled']);
  return { subject, milestones: order.milestones(), missing: created.data.missing, ended: end.type };
}
