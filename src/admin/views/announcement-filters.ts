import { z } from 'zod';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import { explained, moment, names, text } from '../queries.ts';
import { announcementStates } from './announcement-row.ts';

/** States by which announcements are listed: `failing` are those unsent that were tried. */
export const listedStates = [...announcementStates, 'failing'] as const;

/** Filters of the list of announcements. */
export const announcementFilters = {
  state: z
    .enum(listedStates)
    .exactOptional()
    .describe('only in this state; failing: unsent and tried at least once; unwanted: for no destination'),
  since: moment.exactOptional().describe('only announcements created since then, or dead-lettered, with that state'),
  until: moment.exactOptional().describe('only announcements created until then, or dead-lettered, with that state'),
  kind: z.enum(subjectKinds).exactOptional().describe('only about subjects of this kind'),
  type: explained(text, 'only of this type; * stands for any text', 'order.packed').exactOptional(),
  customer: names.customer.exactOptional(),
  destination: names.destination.exactOptional(),
  tenant: names.tenant.exactOptional(),
  sort: z.enum(['newest', 'oldest']).exactOptional().describe('newest first, the default, or oldest first'),
};

/** Filters as they were parsed. */
export type AnnouncementQuery = Partial<z.output<z.ZodObject<typeof announcementFilters>>>;
