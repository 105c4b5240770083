import { openStore } from '../../src/store/store.ts';

const [url = '', subjectKey = ''] = process.argv.slice(2);
const { inbox } = await openStore({ url });
await inbox.claim(subjectKey, async (rows) => {
  const waiting = await rows.waiting(100);
  await rows.markDispatched(waiting.map(({ id }) => id));
  console.log('claimed');
  await new Promise(() => setInterval(() => {}, 1000));
});
