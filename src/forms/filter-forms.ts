import { z } from 'zod';
import { announcementTypes } from '../domain/catalogue/announced.ts';
import { subjectKinds } from '../domain/catalogue/subject.ts';
import { matchesType } from '../domain/routing.ts';

/** Forms of the changes that a destination wants. */
export const filterForms = {
  kinds: z
    .array(z.enum(subjectKinds), 'must be a list')
    .optional()
    .describe('Kinds of subjects that it wants: `[order, receipt]`. Default: all.'),
  types: z
    .array(
      z.string().refine(namesType, 'names no type of announcements, such as order.packed or receipt.*'),
      'must be a list',
    )
    .optional()
    .describe(
      'Types that it wants (docs/events.md), without `dockline.`; `*` stands for any text: `[order.packed, receipt.*, "*.canceled"]`. Default: all.',
    ),
  customers: z
    .array(z.coerce.string().min(1, 'must not be empty'), 'must be a list')
    .optional()
    .describe(
      'Ids of the customers whose records it may get: `[418]`. Default: all, also while the customer is unknown.',
    ),
};

function namesType(pattern: string): boolean {
  return [...announcementTypes.keys()].some((type) => matchesType(pattern, type));
}
