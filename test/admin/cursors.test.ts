import { expect, it } from 'vitest';
import { describeOnBoth, openIn } from '../store/databases.ts';
import { openAdmin } from './open-admin.ts';

const invalid = ['AAAA', '%00', '-1', '1e300', '9007199254740993', 'order:9104', `1.${'%00'}`, 'x'.repeat(10_000)];

describeOnBoth('a place in a list that is none', (database) => {
  it.each([
    '/subjects?',
    '/subjects?attention=refused&',
    '/announcements?',
    '/announcements?state=dead-lettered&',
    '/quarantine?',
    '/audit?',
    '/bulk?',
  ])('is a mistake of the request: GET %s', async (path) => {
    const { get } = await openAdmin({ store: await openIn(database) });
    for (const after of invalid) {
      const { status, body } = await get(`${path}after=${after}`);
      expect([after.slice(0, 20), status], JSON.stringify(body)).toEqual([after.slice(0, 20), 400]);
      expect(body.detail).toMatch(/after/);
    }
  });
});
