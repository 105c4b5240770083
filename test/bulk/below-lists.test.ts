import { expect, it } from 'vitest';
import { openListed } from '../admin/listed-rows.ts';
import { describeOnEither } from '../store/databases.ts';

/** Reads the fields of the form below a list that acts on all of it. */
function fieldsIn(html: string): URLSearchParams {
  const form = html.match(/<form class="actions".*?<\/form>/gs)?.find((text) => / all \d+…/.test(text)) ?? '';
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
  return new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, value]));
}

describeOnEither('a bulk action below a list', (database) => {
  it.each([
    ['quarantine', 'Reprocess 2 webhooks?'],
    ['quarantine?since=2h', 'Reprocess 1 webhook?'],
    ['subjects', 'Refresh 5 records?'],
    ['subjects?carrier=UPS', 'Refresh 1 record?'],
    ['subjects?facility=13', 'Refresh 1 record?'],
    ['subjects?id=5&open=true', 'Refresh 1 record?'],
    ['subjects?takenBy=ana&olderThan=1h', 'Refresh 1 record?'],
    ['subjects?customer=418', 'Refresh 1 record?'],
    ['subjects?olderThan=330m', 'Refresh 3 records?'],
    ['subjects?stage=picked&attention=any', 'Refresh 2 records?'],
  ])('is about what %s shows', async (path, question) => {
    const { url } = await openListed(database);
    const body = fieldsIn(await (await fetch(`${url}/board/${path}`)).text());
    const answer = await fetch(`${url}/board/bulk`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body,
    });
    expect((await answer.text()).match(/<h1[^>]*>(.*?)<\/h1>/)?.[1]).toBe(question);
  });
});
