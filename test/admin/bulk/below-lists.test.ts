import { describe, expect, it } from 'vitest';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { quarantinedEntry } from '../../support/make.ts';
import { openAdmin } from '../open-admin.ts';
import { record } from '../record.ts';

const at = Date.UTC(2026, 2, 2, 10);

async function serve() {
  const store = await openTemporaryStore({ now: () => at });
  await store.inbox.add([
    { ...quarantinedEntry('9104:1'), receivedAt: at - 86_400_000 },
    { ...quarantinedEntry('9104:2'), receivedAt: at },
  ]);
  for (const [id, carrier] of [
    ['31', 'UPS'],
    ['32', 'FedEx'],
  ] as const) {
    await record(store, `order:9104:${id}`);
    await store.db
      .updateTable('subjects')
      .set({ facts: JSON.stringify({ carrier }) })
      .where('subject_id', '=', id)
      .execute();
  }
  return { store, ...(await openAdmin({ store })) };
}

/** Reads the fields of the form below a list that acts on all of it. */
function fieldsIn(html: string): URLSearchParams {
  const form = html.match(/<form class="bulk".*?<\/form>/gs)?.find((text) => / all \d+…/.test(text)) ?? '';
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
  return new URLSearchParams(Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])));
}

describe('a bulk action below a list', () => {
  it.each([
    ['/board/quarantine', 'Replay 2 webhooks?'],
    ['/board/quarantine?since=2026-03-02', 'Replay 1 webhook?'],
    ['/board/subjects', 'Refresh 2 records?'],
    ['/board/subjects?carrier=UPS', 'Refresh 1 record?'],
    ['/board/subjects?id=32', 'Refresh 1 record?'],
  ])('is about what %s shows', async (path, question) => {
    const { url } = await serve();
    const body = fieldsIn(await (await fetch(url + path)).text());
    const answer = await fetch(`${url}/board/bulk`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body,
    });
    expect((await answer.text()).match(/<h1[^>]*>(.*?)<\/h1>/)?.[1]).toBe(question);
  });
});
