import { randomUUID } from 'node:crypto';
import type { Announcement } from '../../activities/ports/announcing.ts';

/** Type of announcements that try a destination. They are about no subject. */
export const TEST_TYPE = 'dockline.test';

/** Composes an announcement that says that it is a test, as a CloudEvent without `subject`, `sequence` and `partitionkey`. */
export function createTestAnnouncement(tenant: string, now = Date.now()): Announcement {
  const id = `test/${randomUUID()}`;
  const body = {
    ...{ specversion: '1.0', id, source: `/dockline/${encodeURIComponent(tenant)}`, type: TEST_TYPE },
    ...{ time: new Date(now).toISOString(), datacontenttype: 'application/json' },
    data: { tenant, message: 'This is a test of the connection. It is about no order, and nothing has to be done.' },
  };
  return { id, revision: 0, body: JSON.stringify(body) };
}
