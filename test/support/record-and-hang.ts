import { openStore } from '../../src/app/store.ts';
import { orderOf } from './make.ts';

// Program for tests: begins to record an order's events, prints their number, and hangs in the transaction.
const [location = '', id = '', ...eventIds] = process.argv.slice(2);
const { subjects } = await openStore(JSON.parse(location));
await subjects.record(orderOf(id), eventIds, async ({ events, resources }) => {
  await resources.put('9104', 'order', id, 'half');
  console.log(events.length);
  return await new Promise<never>(() => setInterval(() => {}, 1000));
});
