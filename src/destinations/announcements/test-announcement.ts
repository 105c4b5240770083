import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { OutgoingAnnouncement } from '../../domain/outgoing.ts';
import { type Permitted, permitAnyone } from '../../domain/permission.ts';

export const TEST_TYPE = 'dockline.test';

export const testAnnouncementSchema = z.strictObject({
  specversion: z.literal('1.0'),
  id: z.string().regex(/^test\//),
  source: z.string(),
  type: z.literal(TEST_TYPE),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json'),
  data: z.strictObject({ tenant: z.string(), message: z.string() }),
});

/** Without `subject`, `sequence` and `partitionkey`. */
export function createTestAnnouncement(tenant: string, now = Date.now()): Permitted<OutgoingAnnouncement> {
  const id = `test/${randomUUID()}`;
  const body: z.infer<typeof testAnnouncementSchema> = {
    specversion: '1.0',
    id,
    source: `/dockline/${encodeURIComponent(tenant)}`,
    type: TEST_TYPE,
    time: new Date(now).toISOString(),
    datacontenttype: 'application/json',
    data: { tenant, message: 'This is a test of the connection. It is about no order, and nothing has to be done.' },
  };
  return permitAnyone({ id, revision: 0, previous: null, isReplay: false, body: JSON.stringify(body) });
}

export const isTest = ({ id }: Pick<OutgoingAnnouncement, 'id'>): boolean => id.startsWith('test/');
